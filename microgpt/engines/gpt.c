/* A GPT in C: its loss, the gradient, Adam, predictions.

   It computes what model.py, training.py and optim.py compute, on
   arrays. Nothing is allocated here: the caller gives the memory, as
   many zeros as `gpt_memory` says. It begins with the weights, their
   gradient and Adam's two means. A matrix is its rows, one after the
   other, and matrices are in the order of `Config.shapes`. What is
   computed from tokens has a row for each. */

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

/* How many rows are worked on together: few enough for a fast cache. */
enum { CHUNK = 48 };

/* How many bytes of numbers the processor multiplies at once. */
#if defined __AVX512F__
#define BYTES 64
#elif defined __AVX__
#define BYTES 32
#else
#define BYTES 16
#endif
typedef real Vector
    __attribute__((vector_size(BYTES), aligned(sizeof(real))));
enum { TALL = 8, WIDE = BYTES / sizeof(real) };

/* What happens to numbers where a product is written */
enum { FILL = 0, ADD = 1 };

/* A table of numbers: the distance to the next below and right */
typedef struct {
    real *at;
    int down, right;
} Grid;

/* Where it begins in the weights, and in their gradient */
typedef struct {
    int at, out, in;
} Matrix;

/* Half a layer: attention (b is even) or the MLP (odd). Both normalise,
   enter by a matrix, mix, and leave by a matrix. */
typedef struct {
    Matrix enter, leave;
    real *normed, *scale, *inside, *attention, *mixed;
} Block;

typedef struct {
    Config c;
    Matrix head;
    real *weights, *grad;
    real *transposed, *embedded, *scale, *x, *dx, *logits, *blocks;
    int rows;
    const int *token, *position;
} GPT;

EXPORT int gpt_parameters(const Config *c) {
    const int rows = 2 * c->vocab + c->context;
    return (rows + 12 * c->width * c->layers) * c->width;
}

static int block_columns(const Config *c) {
    return 5 * c->width + 1 + c->heads * c->context;
}

/* Two more blocks are for derivatives. */
EXPORT int gpt_memory(const Config *c) {
    const int blocks = (2 * c->layers + 2) * block_columns(c);
    const int row = 7 * c->width + 1 + c->vocab + blocks;
    return 4 * gpt_parameters(c) + (c->context + CHUNK) * row + WIDE;
}

static GPT lay_out(
    const Config *c, real *memory, int rows, const int *token,
    const int *position) {
    const int w = c->width, most = c->context + CHUNK;
    GPT g = {*c, .rows = rows, .token = token, .position = position};
    g.head = (Matrix){(c->vocab + c->context) * w, c->vocab, w};
    g.weights = memory;
    g.grad = memory + gpt_parameters(c);
    g.transposed = g.grad + 3 * gpt_parameters(c);
    g.embedded = g.transposed + 4 * most * w;
    g.scale = g.embedded + most * w;
    g.x = g.scale + most;
    g.dx = g.x + most * w;
    g.logits = g.dx + most * w;
    g.blocks = g.logits + most * c->vocab;
    return g;
}

static Block block_of(const GPT *g, int b) {
    const int w = g->c.width, rows = g->c.context + CHUNK, mlp = b % 2;
    const int left = (g->c.layers - b / 2) * 12 - mlp * 4;
    const int at = gpt_parameters(&g->c) - left * w * w;
    const int inside = (3 + mlp) * w;
    Block k = {.enter = {at, inside, w}};
    k.leave = (Matrix){at + inside * w, w, mlp ? inside : w};
    k.normed = g->blocks + b * rows * block_columns(&g->c);
    k.scale = k.normed + rows * w;
    k.inside = k.scale + rows;
    k.mixed = mlp ? k.inside : k.inside + 3 * rows * w;
    k.attention = k.inside + 4 * rows * w;
    return k;
}

static Grid grid(real *at, int columns) {
    return (Grid){at, columns, 1};
}

static Grid flip(Grid a) {
    return (Grid){a.at, a.right, a.down};
}

/* Returns a copy whose rows are a's columns. */
static Grid transposed(const GPT *g, Grid a, int rows, int columns) {
    const Grid b = grid(g->transposed, rows);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            b.at[x * rows + y] = a.at[y * a.down + x * a.right];
    return b;
}

/* Fills c with a · b, or adds it, tile by tile. The sums of a tile
   stay in registers. Where c ends inside a tile, what is beside it is
   computed as well, and dropped. Rows of b are numbers side by side. */
INLINE void multiply(
    int how, int rows, int inner, int columns, Grid a, Grid b, Grid c) {
    for (int x = 0; x < columns; x += WIDE)
        for (int y = 0; y < rows; y += TALL) {
            const int high = rows - y < TALL ? rows - y : TALL;
            const int wide = columns - x < WIDE ? columns - x : WIDE;
            const real *from[TALL];
            Vector sum[TALL] = {{0}};
            for (int j = 0; j < TALL; j++)
                from[j] = a.at + (y + (j < high ? j : 0)) * a.down;
            for (int i = 0; i < inner; i++) {
                const Vector v = *(Vector *)(b.at + i * b.down + x);
                for (int j = 0; j < TALL; j++)
                    sum[j] += from[j][i * a.right] * v;
            }
            real *to = c.at + y * c.down + x * c.right;
            for (int j = 0; j < high; j++, to += c.down)
                for (int k = 0, at = 0; k < wide; k++, at += c.right)
                    to[at] = sum[j][k] + (how == ADD ? to[at] : 0);
        }
}

/* Fills y with x · Wᵀ, or adds it. */
static void linear(const GPT *g, int how, Matrix m, real *x, real *y) {
    const Grid across = transposed(g, grid(x, m.in), g->rows, m.in);
    const Grid w = grid(g->weights + m.at, m.in), to = grid(y, m.out);
    multiply(how, m.out, m.in, g->rows, w, across, flip(to));
}

/* Fills dx with dy · W, and adds dyᵀ · x to the gradient of W. */
static void linear_back(
    const GPT *g, Matrix m, real *x, real *dy, real *dx) {
    const Grid w = grid(g->weights + m.at, m.in);
    const Grid dw = grid(g->grad + m.at, m.in), from = grid(dy, m.out);
    multiply(FILL, g->rows, m.out, m.in, from, w, grid(dx, m.in));
    multiply(ADD, m.out, g->rows, m.in, flip(from), grid(x, m.in), dw);
}

static void rmsnorm(const GPT *g, const real *x, real *y, real *scale) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, x += w, y += w) {
        real square = 0;
        for (int i = 0; i < w; i++) square += x[i] * x[i];
        scale[t] = 1 / sqrt(square / w + 1e-5);
        for (int i = 0; i < w; i++) y[i] = x[i] * scale[t];
    }
}

/* Adds to dx the derivative along the input; y is the output. */
static void rmsnorm_back(
    const GPT *g, const real *y, const real *scale, const real *dy,
    real *dx) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, y += w, dy += w, dx += w) {
        real mean = 0;
        for (int i = 0; i < w; i++) mean += dy[i] * y[i];
        mean /= w;
        for (int i = 0; i < w; i++)
            dx[i] += scale[t] * (dy[i] - y[i] * mean);
    }
}

/* Returns eˣ for x from −700 to 0: a power of 2, times the start of
   a series for what is left. A loop of these does many at once. */
static inline double power(double x) {
    const int n = x * 1.4426950408889634 - .5;
    const double r = (x - n * 0.6931471805599453) / 8;
    const union {
        unsigned long long bits;
        double value;
    } two = {(1023ULL + n) << 52};
    double e = 1 + r * (1 + r / 2 * (1 + r / 3 * (1 + r / 4 * (
        1 + r / 5 * (1 + r / 6 * (1 + r / 7))))));
    e *= e;
    e *= e;
    return e * e * two.value;
}

/* Turns numbers into probabilities; returns ln Σ eˣ. */
static double softmax(int count, real *x) {
    real largest = x[0], sum = 0;
    for (int i = 1; i < count; i++)
        largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < count; i++)
        x[i] = power(x[i] - largest < -700 ? -700 : x[i] - largest);
    for (int i = 0; i < count; i++) sum += x[i];
    for (int i = 0; i < count; i++) x[i] /= sum;
    return largest + log(sum);
}

/* What one head does with a document: a row for each token */
typedef struct {
    Grid query, key, value, weight, mixed;
} Head;

static Head head_at(const GPT *g, Block k, int t, int h) {
    const int w = g->c.width, heads = g->c.heads;
    const int column = h * (w / heads), context = g->c.context;
    real *query = k.inside + 3 * t * w + column;
    real *weight = k.attention + (t * heads + h) * context;
    return (Head){
        grid(query, 3 * w), grid(query + w, 3 * w),
        grid(query + 2 * w, 3 * w), grid(weight, heads * context),
        grid(k.mixed + t * w + column, w)};
}

/* Returns where the document ends that begins at row t. */
static int end_of(const int *position, int rows, int t) {
    while (++t < rows && position[t]) {}
    return t;
}

static void attend(const GPT *g, Block k) {
    const int d = g->c.width / g->c.heads;
    const real scale = sqrt((real)g->c.heads / g->c.width);
    for (int t = 0, n; t < g->rows; t += n) {
        n = end_of(g->position, g->rows, t) - t;
        for (int h = 0; h < g->c.heads; h++) {
            const Head a = head_at(g, k, t, h);
            const Grid keys = transposed(g, a.key, n, d);
            multiply(FILL, n, d, n, a.query, keys, a.weight);
            for (int p = 0; p < n; p++) {
                real *row = a.weight.at + p * a.weight.down;
                for (int s = 0; s <= p; s++) row[s] *= scale;
                softmax(p + 1, row);
                for (int s = p + 1; s < n; s++) row[s] = 0;
            }
            multiply(FILL, n, n, d, a.weight, a.value, a.mixed);
        }
    }
}

/* From the derivatives along d.mixed to those along d.inside */
static void attend_back(const GPT *g, Block k, Block dk) {
    const int d = g->c.width / g->c.heads;
    const real scale = sqrt((real)g->c.heads / g->c.width);
    for (int t = 0, n; t < g->rows; t += n) {
        n = end_of(g->position, g->rows, t) - t;
        for (int h = 0; h < g->c.heads; h++) {
            const Head a = head_at(g, k, t, h);
            const Head da = head_at(g, dk, t, h);
            const Grid values = transposed(g, a.value, n, d);
            multiply(FILL, n, n, d, flip(a.weight), da.mixed, da.value);
            multiply(FILL, n, d, n, da.mixed, values, da.weight);
            for (int p = 0; p < n; p++) {
                const real *row = a.weight.at + p * a.weight.down;
                real *drow = da.weight.at + p * a.weight.down, mean = 0;
                for (int s = 0; s < n; s++) mean += row[s] * drow[s];
                for (int s = 0; s < n; s++)
                    drow[s] = scale * row[s] * (drow[s] - mean);
            }
            multiply(FILL, n, n, d, da.weight, a.key, da.query);
            multiply(FILL, n, n, d, flip(da.weight), a.query, da.key);
        }
    }
}

/* There (to is k), or back (to has the derivatives). */
static void relu(const GPT *g, Block k, Block to) {
    for (int i = 0; i < 4 * g->rows * g->c.width; i++)
        if (k.inside[i] <= 0) to.inside[i] = 0;
}

/* Fills logits from tokens and positions. */
static void forward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w;
    const real *wte = g->weights, *wpe = wte + g->c.vocab * w;
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++)
            g->x[t * w + i] = wte[g->token[t] * w + i]
                              + wpe[g->position[t] * w + i];
    rmsnorm(g, g->x, g->embedded, g->scale);
    for (int i = 0; i < all; i++) g->x[i] = g->embedded[i];
    for (int b = 0; b < 2 * g->c.layers; b++) {
        const Block k = block_of(g, b);
        rmsnorm(g, g->x, k.normed, k.scale);
        linear(g, FILL, k.enter, k.normed, k.inside);
        b % 2 ? relu(g, k, k) : attend(g, k);
        linear(g, ADD, k.leave, k.mixed, g->x);
    }
    linear(g, FILL, g->head, g->x, g->logits);
}

/* Turns logits into derivatives of the loss along them, and returns
   the loss: the sum of share × −log p(target). It is infinite where
   Python's graph has no slope: below e^-709.78, 1 / p does not fit into
   a number. */
static double loss(
    const GPT *g, const int *target, const double *share) {
    double sum = 0;
    for (int t = 0; t < g->rows; t++) {
        real *p = g->logits + t * g->c.vocab;
        const double came = p[target[t]];
        const double nats = softmax(g->c.vocab, p) - came;
        sum += share[t] * (nats > 709.782713 ? -log(0) : nats);
        p[target[t]] -= 1;
        for (int i = 0; i < g->c.vocab; i++) p[i] *= share[t];
    }
    return sum;
}

/* Adds to the gradient, from the derivatives along the logits. */
static void backward(const GPT *g) {
    const int w = g->c.width;
    real *dwte = g->grad, *dwpe = dwte + g->c.vocab * w;
    linear_back(g, g->head, g->x, g->logits, g->dx);
    for (int b = 2 * g->c.layers - 1; b >= 0; b--) {
        const Block k = block_of(g, b);
        const Block dk = block_of(g, 2 * g->c.layers + b % 2);
        linear_back(g, k.leave, k.mixed, g->dx, dk.mixed);
        b % 2 ? relu(g, k, dk) : attend_back(g, k, dk);
        linear_back(g, k.enter, k.normed, dk.inside, dk.normed);
        rmsnorm_back(g, k.normed, k.scale, dk.normed, g->dx);
    }
    for (int i = 0; i < g->rows * w; i++) g->x[i] = 0;
    rmsnorm_back(g, g->embedded, g->scale, g->dx, g->x);
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++) {
            dwte[g->token[t] * w + i] += g->x[t * w + i];
            dwpe[g->position[t] * w + i] += g->x[t * w + i];
        }
}

/* Returns the loss of some documents, which begin at position 0. If
   there is something to learn, adds to the gradient what they say. They
   are gone through in chunks of whole ones. */
EXPORT double gpt_loss(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share,
    int learn) {
    double sum = 0;
    for (int from = 0, to = 0; from < rows; from = to) {
        do to = end_of(position, rows, to);
        while (to < rows && end_of(position, rows, to) - from <= CHUNK);
        const GPT g = lay_out(
            c, memory, to - from, token + from, position + from);
        forward(&g);
        sum += loss(&g, target + from, share + from);
        if (learn) backward(&g);
    }
    return sum;
}

/* Returns the logits of what may follow a document. */
EXPORT const real *gpt_predict(
    const Config *c, real *memory, int rows, const int *token,
    const int *position) {
    const GPT g = lay_out(c, memory, rows, token, position);
    forward(&g);
    return g.logits + (rows - 1) * c->vocab;
}

/* Returns what half a layer (b) computed for what was predicted last:
   its input normalised, the scale of that, what the first matrix made
   of it, the weights of attention, or what the second matrix reads.
   After the last half, it returns the stream. */
EXPORT const real *gpt_activations(
    const Config *c, real *memory, int b, int which) {
    const GPT g = lay_out(c, memory, 0, 0, 0);
    const Block k = block_of(&g, b);
    const real *all[] = {
        k.normed, k.scale, k.inside, k.attention, k.mixed};
    return b < 2 * c->layers ? all[which] : g.x;
}

/* A correction is 1 − beta ^ steps. */
EXPORT void gpt_adam(
    const Config *c, real *memory, double rate, double beta1,
    double beta2, double epsilon, double correction1,
    double correction2) {
    const int count = gpt_parameters(c);
    real *weights = memory, *grad = weights + count;
    real *first = grad + count, *second = first + count;
    for (int i = 0; i < count; i++) {
        first[i] = beta1 * first[i] + (1 - beta1) * grad[i];
        second[i] = beta2 * second[i] + (1 - beta2) * grad[i] * grad[i];
        const real size = sqrt(second[i] / correction2) + epsilon;
        weights[i] -= rate / correction1 * first[i] / size;
    }
}
