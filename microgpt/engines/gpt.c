/* A GPT in C: what model.py, training.py and optim.py compute.

   Nothing is allocated here: the caller passes an array of
   `gpt_num_memory_elements` zeros. It begins with weights, gradient and
   Adam's two moments, row by row, in the order of `Config.shapes`. */

#ifndef REAL
#define REAL double
#endif
#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define INLINE static inline __attribute__((always_inline))

typedef REAL real;
double log(double), sqrt(double);

typedef struct {
    int vocab, layers, width, heads, context;
} Config;

enum { FILL, ADD }; /* A product overwrites numbers, or adds to them. */
enum { CHUNK_ROWS = 48 }; /* computed together, in a fast cache */

/* Size of a SIMD register in bytes */
#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef real Vector
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real))));
enum { TILE_ROWS = 8, TILE_COLUMNS = VECTOR_BYTES / sizeof(real) };

/* A matrix: its first number, and the strides down and to the right */
typedef struct {
    real *data;
    int row_stride, col_stride;
} View;

/* Where the weights of an out × in matrix begin, and its sizes */
typedef struct {
    int offset, out, in;
} Matrix;

/* A sublayer: attention (even index) or the MLP (odd). It normalises,
   multiplies by `project_in` (giving queries, keys and values, or the
   MLP's `hidden`), mixes these, and multiplies by `project_out`. */
typedef struct {
    Matrix project_in, project_out;
    real *normed, *inverse_rms, *hidden, *attention_weights, *mixed;
} Sublayer;

typedef struct {
    Config c;
    Matrix lm_head;
    real *weights, *grad, *transpose_buffer, *sublayers;
    real *embedded, *inverse_rms, *x, *dx, *logits, scale;
    int rows, head_dim;
    const int *tokens, *positions;
} GPT;

EXPORT int gpt_num_parameters(const Config *c) {
    const int rows = 2 * c->vocab + c->context;
    return (rows + 12 * c->width * c->layers) * c->width;
}

static int sublayer_columns(const Config *c) {
    return 5 * c->width + 1 + c->heads * c->context;
}

/* Two extra sublayers hold gradients. */
EXPORT int gpt_num_memory_elements(const Config *c) {
    const int sublayers = (2 * c->layers + 2) * sublayer_columns(c);
    const int row = 7 * c->width + 1 + c->vocab + sublayers;
    const int max_rows = c->context + CHUNK_ROWS;
    return 4 * gpt_num_parameters(c) + max_rows * row + TILE_COLUMNS;
}

/* Returns pointers to each part of the caller's array. */
static GPT lay_out_memory(const Config *c, real *memory, int rows,
    const int *tokens, const int *positions) {
    const int w = c->width, max_rows = c->context + CHUNK_ROWS;
    GPT g = {
        *c, .rows = rows, .tokens = tokens, .positions = positions,
        .lm_head = {(c->vocab + c->context) * w, c->vocab, w},
        .weights = memory, .grad = memory + gpt_num_parameters(c),
        .head_dim = w / c->heads, .scale = sqrt((real)c->heads / w)};
    g.transpose_buffer = g.grad + 3 * gpt_num_parameters(c);
    g.embedded = g.transpose_buffer + 4 * max_rows * w;
    g.inverse_rms = g.embedded + max_rows * w;
    g.x = g.inverse_rms + max_rows;
    g.dx = g.x + max_rows * w;
    g.logits = g.dx + max_rows * w;
    g.sublayers = g.logits + max_rows * c->vocab;
    return g;
}

/* Returns the matrices of a sublayer, and where its results begin. */
static Sublayer get_sublayer(const GPT *g, int index) {
    const int w = g->c.width, mlp = index % 2;
    const int max_rows = g->c.context + CHUNK_ROWS;
    const int left = (g->c.layers - index / 2) * 12 - mlp * 4;
    const int at = gpt_num_parameters(&g->c) - left * w * w;
    const int hidden = (3 + mlp) * w;
    Sublayer sub = {.project_in = {at, hidden, w}};
    sub.project_out = (Matrix){at + hidden * w, w, mlp ? hidden : w};
    sub.normed =
        g->sublayers + index * max_rows * sublayer_columns(&g->c);
    sub.inverse_rms = sub.normed + max_rows * w;
    sub.hidden = sub.inverse_rms + max_rows;
    sub.mixed = mlp ? sub.hidden : sub.hidden + 3 * max_rows * w;
    sub.attention_weights = sub.hidden + 4 * max_rows * w;
    return sub;
}

static View view(real *data, int columns) {
    return (View){data, columns, 1};
}

static View transpose(View a) {
    return (View){a.data, a.col_stride, a.row_stride};
}

/* Returns a copy whose rows are a's columns. */
static View copy_transposed(const GPT *g, View a, int rows, int cols) {
    const View b = view(g->transpose_buffer, rows);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            b.data[x * rows + y] =
                a.data[y * a.row_stride + x * a.col_stride];
    return b;
}

/* Fills c with a · b, or adds it, tile by tile. The sums of a tile
   stay in registers. Where c ends inside a tile, what is beside it is
   computed as well, and dropped. Rows of b are numbers side by side. */
INLINE void multiply(
    int mode, int rows, int inner, int cols, View a, View b, View c) {
    for (int x = 0; x < cols; x += TILE_COLUMNS)
        for (int y = 0; y < rows; y += TILE_ROWS) {
            const int w = cols - x, h = rows - y;
            const int width = w < TILE_COLUMNS ? w : TILE_COLUMNS;
            const int height = h < TILE_ROWS ? h : TILE_ROWS;
            const real *from[TILE_ROWS];
            Vector sum[TILE_ROWS] = {{0}};
            const real *first = a.data + y * a.row_stride;
            for (int j = 0; j < TILE_ROWS; j++)
                from[j] = first + (j < height ? j : 0) * a.row_stride;
            for (int i = 0; i < inner; i++) {
                const real *row = b.data + i * b.row_stride;
                const Vector v = *(Vector *)(row + x);
                for (int j = 0; j < TILE_ROWS; j++)
                    sum[j] += from[j][i * a.col_stride] * v;
            }
            real *to = c.data + y * c.row_stride + x * c.col_stride;
            for (int j = 0; j < height; j++, to += c.row_stride)
                for (int k = 0; k < width; k++) {
                    real *out = to + k * c.col_stride;
                    *out = sum[j][k] + (mode == ADD ? *out : 0);
                }
        }
}

/* Fills y with x · Wᵀ, or adds it. */
static void linear(const GPT *g, int mode, Matrix m, real *x, real *y) {
    const View xt = copy_transposed(g, view(x, m.in), g->rows, m.in);
    const View w = view(g->weights + m.offset, m.in);
    const View yt = transpose(view(y, m.out));
    multiply(mode, m.out, m.in, g->rows, w, xt, yt);
}

/* Fills dx with dy · W, and adds dyᵀ · x to the gradient of W. */
static void linear_backward(
    const GPT *g, Matrix m, real *x, real *dy, real *dx) {
    const View w = view(g->weights + m.offset, m.in);
    const View dw = view(g->grad + m.offset, m.in);
    const View d = view(dy, m.out), dt = transpose(d);
    multiply(FILL, g->rows, m.out, m.in, d, w, view(dx, m.in));
    multiply(ADD, m.out, g->rows, m.in, dt, view(x, m.in), dw);
}

static void rmsnorm(const GPT *g, real *x, real *y, real *inverse_rms) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, x += w, y += w) {
        real sum_of_squares = 0;
        for (int i = 0; i < w; i++) sum_of_squares += x[i] * x[i];
        inverse_rms[t] = 1 / sqrt(sum_of_squares / w + 1e-5);
        for (int i = 0; i < w; i++) y[i] = x[i] * inverse_rms[t];
    }
}

/* Adds to dx, the gradient of the input. y is rmsnorm's output. */
static void rmsnorm_backward(const GPT *g, real *y, real *inverse_rms,
    real *dy, real *dx) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, y += w, dy += w, dx += w) {
        real mean = 0;
        for (int i = 0; i < w; i++) mean += dy[i] * y[i];
        mean /= w;
        for (int i = 0; i < w; i++)
            dx[i] += inverse_rms[t] * (dy[i] - y[i] * mean);
    }
}

/* Returns eˣ for x from −700 to 0: a power of 2, times the start of
   a series for what is left. A loop of these does many at once. */
static inline double fast_exp(double x) {
    const int n = x * 1.4426950408889634 - .5;
    const double r = (x - n * 0.6931471805599453) / 8;
    const union { unsigned long long bits; double value; }
        two = {(1023ULL + n) << 52};
    double e = 1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r / 4 * (
        1 + r / 5 * (1 + r / 6 * (1 + r / 7))))));
    e = (e * e) * (e * e);
    return e * e * two.value;
}

/* Turns numbers into probabilities in place; returns ln Σ eˣ. */
static double softmax(int count, real *x) {
    real largest = x[0], sum = 0;
    for (int i = 1; i < count; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < count; i++)
        x[i] = fast_exp(x[i] - largest < -700 ? -700 : x[i] - largest);
    for (int i = 0; i < count; i++) sum += x[i];
    for (int i = 0; i < count; i++) x[i] /= sum;
    return largest + log(sum);
}

/* One head's view of a document: a row for each token */
typedef struct {
    View query, key, value, weight, mixed;
} Head;

static Head get_head(const GPT *g, Sublayer sub, int start, int h) {
    const int w = g->c.width, heads = g->c.heads;
    const int column = h * g->head_dim, context = g->c.context;
    real *query = sub.hidden + 3 * start * w + column;
    real *weight =
        sub.attention_weights + (start * heads + h) * context;
    return (Head){view(query, 3 * w), view(query + w, 3 * w),
        view(query + 2 * w, 3 * w), view(weight, heads * context),
        view(sub.mixed + start * w + column, w)};
}

static void attend_head(const GPT *g, Head a, int n) {
    const View keys = copy_transposed(g, a.key, n, g->head_dim);
    multiply(FILL, n, g->head_dim, n, a.query, keys, a.weight);
    for (int p = 0; p < n; p++) {
        real *row = a.weight.data + p * a.weight.row_stride;
        for (int s = 0; s <= p; s++) row[s] *= g->scale;
        softmax(p + 1, row);
        for (int s = p + 1; s < n; s++) row[s] = 0;
    }
    multiply(FILL, n, n, g->head_dim, a.weight, a.value, a.mixed);
}

static void attend_head_backward(const GPT *g, Head a, Head da, int n) {
    const int d = g->head_dim;
    const View values = copy_transposed(g, a.value, n, d);
    multiply(FILL, n, n, d, transpose(a.weight), da.mixed, da.value);
    multiply(FILL, n, d, n, da.mixed, values, da.weight);
    for (int p = 0; p < n; p++) {
        const real *row = a.weight.data + p * a.weight.row_stride;
        real *drow = da.weight.data + p * a.weight.row_stride, mean = 0;
        for (int s = 0; s < n; s++) mean += row[s] * drow[s];
        for (int s = 0; s < n; s++)
            drow[s] = g->scale * row[s] * (drow[s] - mean);
    }
    multiply(FILL, n, n, d, da.weight, a.key, da.query);
    multiply(FILL, n, n, d, transpose(da.weight), a.query, da.key);
}

/* Returns where the document ends that begins at row `start`. */
static int document_end(const int *positions, int rows, int start) {
    int row = start + 1;
    while (row < rows && positions[row]) row++;
    return row;
}

/* Fills sub.mixed from sub.hidden, or dsub.hidden from dsub.mixed. */
static void attend(const GPT *g, Sublayer sub, const Sublayer *dsub) {
    for (int t = 0, n; t < g->rows; t += n) {
        n = document_end(g->positions, g->rows, t) - t;
        for (int h = 0; h < g->c.heads; h++) {
            const Head a = get_head(g, sub, t, h);
            if (dsub)
                attend_head_backward(g, a, get_head(g, *dsub, t, h), n);
            else attend_head(g, a, n);
        }
    }
}

/* Sets out.hidden to 0 where sub.hidden is not positive. */
static void apply_relu_mask(const GPT *g, Sublayer sub, Sublayer out) {
    for (int i = 0; i < 4 * g->rows * g->c.width; i++)
        if (sub.hidden[i] <= 0) out.hidden[i] = 0;
}

/* Fills the logits from tokens and positions. */
static void forward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w;
    const real *wte = g->weights, *wpe = wte + g->c.vocab * w;
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++)
            g->x[t * w + i] = wte[g->tokens[t] * w + i]
                              + wpe[g->positions[t] * w + i];
    rmsnorm(g, g->x, g->embedded, g->inverse_rms);
    for (int i = 0; i < all; i++) g->x[i] = g->embedded[i];
    for (int i = 0; i < 2 * g->c.layers; i++) {
        const Sublayer sub = get_sublayer(g, i);
        rmsnorm(g, g->x, sub.normed, sub.inverse_rms);
        linear(g, FILL, sub.project_in, sub.normed, sub.hidden);
        i % 2 ? apply_relu_mask(g, sub, sub) : attend(g, sub, 0);
        linear(g, ADD, sub.project_out, sub.mixed, g->x);
    }
    linear(g, FILL, g->lm_head, g->x, g->logits);
}

/* Turns the logits into their gradient, and returns the sum of weight
   × −log p(target): infinite where 1 / p overflows, as in Python. */
static double loss_and_logit_gradients(const GPT *g, const int *targets,
    const double *row_weights) {
    double sum = 0;
    for (int t = 0; t < g->rows; t++) {
        real *p = g->logits + t * g->c.vocab;
        const double target_logit = p[targets[t]];
        const double nats = softmax(g->c.vocab, p) - target_logit;
        sum += row_weights[t] * (nats > 709.782713 ? -log(0) : nats);
        p[targets[t]] -= 1;
        for (int i = 0; i < g->c.vocab; i++) p[i] *= row_weights[t];
    }
    return sum;
}

/* Adds to the weights' gradient, given the gradient of the logits. */
static void backward(const GPT *g) {
    const int w = g->c.width;
    real *dwte = g->grad, *dwpe = dwte + g->c.vocab * w;
    linear_backward(g, g->lm_head, g->x, g->logits, g->dx);
    for (int i = 2 * g->c.layers - 1; i >= 0; i--) {
        const Sublayer sub = get_sublayer(g, i);
        const Sublayer dsub = get_sublayer(g, 2 * g->c.layers + i % 2);
        linear_backward(
            g, sub.project_out, sub.mixed, g->dx, dsub.mixed);
        i % 2 ? apply_relu_mask(g, sub, dsub) : attend(g, sub, &dsub);
        linear_backward(
            g, sub.project_in, sub.normed, dsub.hidden, dsub.normed);
        rmsnorm_backward(
            g, sub.normed, sub.inverse_rms, dsub.normed, g->dx);
    }
    for (int i = 0; i < g->rows * w; i++) g->x[i] = 0;
    rmsnorm_backward(g, g->embedded, g->inverse_rms, g->dx, g->x);
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++) {
            dwte[g->tokens[t] * w + i] += g->x[t * w + i];
            dwpe[g->positions[t] * w + i] += g->x[t * w + i];
        }
}

/* Returns the loss, weighted by row, and adds to the gradient if asked
   to. Chunks hold whole documents, which begin at position 0. */
EXPORT double gpt_loss(const Config *c, real *memory, int rows,
    const int *tokens, const int *positions, const int *targets,
    const double *row_weights, int with_gradient) {
    double sum = 0;
    for (int from = 0, to = 0; from < rows; from = to) {
        int end = document_end(positions, rows, from);
        do {
            to = end;
            end = document_end(positions, rows, to);
        } while (to < rows && end - from <= CHUNK_ROWS);
        const GPT g = lay_out_memory(
            c, memory, to - from, tokens + from, positions + from);
        forward(&g);
        sum += loss_and_logit_gradients(
            &g, targets + from, row_weights + from);
        if (with_gradient) backward(&g);
    }
    return sum;
}

/* Returns a logit for each token that may follow a document. */
EXPORT const real *gpt_logits(const Config *c, real *memory, int rows,
    const int *tokens, const int *positions) {
    const GPT g = lay_out_memory(c, memory, rows, tokens, positions);
    forward(&g);
    return g.logits + (rows - 1) * c->vocab;
}

/* Returns a result of a sublayer in the last gpt_logits, by its index
   in `all`; or, after the last sublayer, the residual stream. */
EXPORT const real *gpt_activations(const Config *c, real *memory,
    int sublayer, int kind) {
    const GPT g = lay_out_memory(c, memory, 0, 0, 0);
    const Sublayer sub = get_sublayer(&g, sublayer);
    const real *all[] = {sub.normed, sub.inverse_rms, sub.hidden,
        sub.attention_weights, sub.mixed};
    return sublayer < 2 * c->layers ? all[kind] : g.x;
}

/* Takes a step of Adam. A correction is 1 − beta ^ steps. */
EXPORT void gpt_adam_step(const Config *c, real *memory, double rate,
    double beta1, double beta2, double epsilon, double correction1,
    double correction2) {
    const int count = gpt_num_parameters(c);
    real *weights = memory, *grad = weights + count;
    real *mean = grad + count, *square = mean + count; /* the moments */
    for (int i = 0; i < count; i++) {
        mean[i] = beta1 * mean[i] + (1 - beta1) * grad[i];
        square[i] = beta2 * square[i] + (1 - beta2) * grad[i] * grad[i];
        const real rms = sqrt(square[i] / correction2) + epsilon;
        weights[i] -= rate / correction1 * mean[i] / rms;
    }
}
