/* A GPT in C: its loss, the gradient, Adam and SGD, predictions.

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

typedef REAL real;
double log(double), sqrt(double);

/* The parts of a model that can be left out */
enum {
    POSITIONS = 1, /* the embeddings of positions */
    ATTENTION = 2,
    QUERIES = 4, /* without: attention is an even average */
    ROOT = 8,    /* the root by which scores are divided */
    RESIDUAL = 16,
    NORM = 32,
    MLP = 64,
    LEAVE = 128 /* the last MLP's second matrix: without, the head
                   reads what is inside the MLP */
};

typedef struct {
    int vocab, layers, width, heads, context, parts;
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

/* A table of numbers: the distance to the next below and right */
typedef struct {
    real *at;
    int down, right;
} Grid;

typedef struct {
    int out, in;
    real *weights, *grad;
} Matrix;

/* Half a layer: attention (b is even) or the MLP (odd). Both normalise,
   enter by a matrix, mix, and leave by a matrix. */
typedef struct {
    Matrix enter, leave;
    real *normed, *scale, *inside, *attention, *mixed;
} Block;

typedef struct {
    Config c;
    real *weights, *grad, *first, *second;
    real *transposed, *embedded, *scale, *x, *logits, *dweight;
    real *dx, *dnormed, *dinside, *dmixed, *blocks;
    int rows;
    const int *token, *position, *target;
    const double *share; /* of each row in the loss */
} GPT;

static int most_rows(const Config *c) {
    return c->context > CHUNK ? c->context : CHUNK;
}

/* How many numbers the head reads of each row */
static int head_width(const Config *c) {
    return (c->parts & (MLP | LEAVE)) == MLP ? 4 * c->width : c->width;
}

static int above_layers(const Config *c) {
    return (c->vocab + c->context) * c->width
           + c->vocab * head_width(c);
}

EXPORT int gpt_parameters(const Config *c) {
    return above_layers(c) + 12 * c->width * c->width * c->layers;
}

static int block_memory(const Config *c) {
    return most_rows(c) * (6 * c->width + 1 + c->heads * c->context);
}

EXPORT int gpt_memory(const Config *c) {
    const int row = 16 * c->width + 1 + c->vocab + c->context;
    return 4 * gpt_parameters(c) + most_rows(c) * row
           + 2 * c->layers * block_memory(c) + WIDE;
}

static real *take(real **next, int count) {
    *next += count;
    return *next - count;
}

static GPT lay_out(const Config *c, real *next) {
    const int count = gpt_parameters(c), rows = most_rows(c);
    GPT g = {.c = *c};
    g.weights = take(&next, count);
    g.grad = take(&next, count);
    g.first = take(&next, count);
    g.second = take(&next, count);
    g.transposed = take(&next, 4 * rows * c->width);
    g.embedded = take(&next, rows * c->width);
    g.scale = take(&next, rows);
    g.x = take(&next, rows * c->width);
    g.logits = take(&next, rows * c->vocab);
    g.dweight = take(&next, rows * c->context);
    g.dx = take(&next, rows * c->width);
    g.dnormed = take(&next, rows * c->width);
    g.dinside = take(&next, 4 * rows * c->width);
    g.dmixed = take(&next, 4 * rows * c->width);
    g.blocks = next;
    return g;
}

static Matrix matrix(const GPT *g, int at, int out, int in) {
    return (Matrix){out, in, g->weights + at, g->grad + at};
}

static Matrix head_of(const GPT *g) {
    const int at = (g->c.vocab + g->c.context) * g->c.width;
    return matrix(g, at, g->c.vocab, head_width(&g->c));
}

static Block block_of(const GPT *g, int b) {
    const int w = g->c.width, rows = most_rows(&g->c), mlp = b % 2;
    const int at = above_layers(&g->c) + (b / 2 * 12 + mlp * 4) * w * w;
    const int inside = (3 + mlp) * w;
    real *next = g->blocks + b * block_memory(&g->c);
    Block k;
    k.enter = matrix(g, at, inside, w);
    k.leave = matrix(g, at + inside * w, w, mlp ? inside : w);
    k.normed = take(&next, rows * w);
    k.scale = take(&next, rows);
    k.inside = take(&next, 4 * rows * w);
    k.attention = take(&next, rows * g->c.heads * g->c.context);
    k.mixed = mlp ? k.inside : take(&next, rows * w);
    return k;
}

static int is_part(const GPT *g, int b) {
    return g->c.parts & (b % 2 ? MLP : ATTENTION);
}

static int leaves(const GPT *g, int b) {
    return g->c.parts & LEAVE || b < 2 * g->c.layers - 1;
}

static real *zeros(real *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 0;
    return x;
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

/* Adds a · b to c, tile by tile. The sums of a tile stay in registers.
   Where c ends inside a tile, what is beside it is computed as well,
   and dropped. Rows of b are numbers side by side. */
static void multiply(
    int rows, int inner, int columns, Grid a, Grid b, Grid c) {
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
            for (int j = 0; j < high; j++)
                for (int k = 0; k < wide; k++)
                    to[j * c.down + k * c.right] += sum[j][k];
        }
}

/* Adds x · Wᵀ to y. */
static void linear(const GPT *g, Matrix m, real *x, real *y) {
    const Grid across = transposed(g, grid(x, m.in), g->rows, m.in);
    const Grid w = grid(m.weights, m.in), to = grid(y, m.out);
    multiply(m.out, m.in, g->rows, w, across, flip(to));
}

/* Adds dy · W to dx, and dyᵀ · x to the gradient of W. */
static void linear_back(
    const GPT *g, Matrix m, real *x, real *dy, real *dx) {
    const Grid from = grid(dy, m.out), w = grid(m.weights, m.in);
    const Grid dw = grid(m.grad, m.in);
    multiply(g->rows, m.out, m.in, from, w, grid(dx, m.in));
    multiply(m.out, g->rows, m.in, flip(from), grid(x, m.in), dw);
}

static void rmsnorm(const GPT *g, const real *x, real *y, real *scale) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, x += w, y += w) {
        real square = 0;
        for (int i = 0; i < w; i++) square += x[i] * x[i];
        scale[t] = 1;
        if (g->c.parts & NORM) scale[t] /= sqrt(square / w + 1e-5);
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
        if (g->c.parts & NORM)
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
        x[i] = x[i] - largest < -700 ? -700 : x[i] - largest;
    for (int i = 0; i < count; i++) x[i] = power(x[i]);
    for (int i = 0; i < count; i++) sum += x[i];
    for (int i = 0; i < count; i++) x[i] /= sum;
    return largest + log(sum);
}

static real score_scale(const GPT *g) {
    return g->c.parts & ROOT ? sqrt((real)g->c.heads / g->c.width) : 1;
}

/* What one head does with a document: a row for each token */
typedef struct {
    Grid query, key, value, weight, mixed;
} Head;

static Head head_at(
    const GPT *g, real *inside, Grid weight, real *mixed, int t,
    int h) {
    const int w = g->c.width, column = h * (w / g->c.heads);
    real *query = inside + t * 3 * w + column;
    Head a;
    a.query = grid(query, 3 * w);
    a.key = grid(query + w, 3 * w);
    a.value = grid(query + 2 * w, 3 * w);
    a.weight = weight;
    a.mixed = grid(mixed + t * w + column, w);
    return a;
}

static Grid weights_at(const GPT *g, Block k, int t, int h) {
    const int heads = g->c.heads, context = g->c.context;
    real *at = k.attention + (t * heads + h) * context;
    return grid(at, heads * context);
}

/* Returns how many rows the document has that begins at row t. */
static int length(const GPT *g, int t) {
    int n = 1;
    while (t + n < g->rows && g->position[t + n]) n++;
    return n;
}

static void attend(const GPT *g, Block k) {
    const int d = g->c.width / g->c.heads;
    const real scale = score_scale(g);
    zeros(k.mixed, g->rows * g->c.width);
    zeros(k.attention, g->rows * g->c.heads * g->c.context);
    for (int t = 0, n; t < g->rows; t += n) {
        n = length(g, t);
        for (int h = 0; h < g->c.heads; h++) {
            const Grid weight = weights_at(g, k, t, h);
            const Head a = head_at(g, k.inside, weight, k.mixed, t, h);
            const Grid keys = transposed(g, a.key, n, d);
            if (g->c.parts & QUERIES)
                multiply(n, d, n, a.query, keys, weight);
            for (int p = 0; p < n; p++) {
                real *row = weight.at + p * weight.down;
                for (int s = 0; s <= p; s++) row[s] *= scale;
                softmax(p + 1, row);
                zeros(row + p + 1, n - p - 1);
            }
            multiply(n, n, d, weight, a.value, a.mixed);
        }
    }
}

static void attend_back(const GPT *g, Block k) {
    const int d = g->c.width / g->c.heads, context = g->c.context;
    const real scale = score_scale(g);
    const Grid dweight = grid(g->dweight, context);
    zeros(g->dinside, 3 * g->rows * g->c.width);
    for (int t = 0, n; t < g->rows; t += n) {
        n = length(g, t);
        for (int h = 0; h < g->c.heads; h++) {
            const Grid weight = weights_at(g, k, t, h);
            const Head a = head_at(g, k.inside, weight, k.mixed, t, h);
            const Head da =
                head_at(g, g->dinside, dweight, g->dmixed, t, h);
            multiply(n, n, d, flip(weight), da.mixed, da.value);
            if (!(g->c.parts & QUERIES)) continue;
            const Grid values = transposed(g, a.value, n, d);
            zeros(g->dweight, n * context);
            multiply(n, d, n, da.mixed, values, dweight);
            for (int p = 0; p < n; p++) {
                const real *row = weight.at + p * weight.down;
                real *drow = dweight.at + p * context, mean = 0;
                for (int s = 0; s < n; s++) mean += row[s] * drow[s];
                for (int s = 0; s < n; s++)
                    drow[s] = scale * row[s] * (drow[s] - mean);
            }
            multiply(n, n, d, dweight, a.key, da.query);
            multiply(n, n, d, flip(dweight), a.query, da.key);
        }
    }
}

static void relu(const GPT *g, Block k) {
    for (int i = 0; i < 4 * g->rows * g->c.width; i++)
        if (k.mixed[i] < 0) k.mixed[i] = 0;
}

static void relu_back(const GPT *g, Block k) {
    for (int i = 0; i < 4 * g->rows * g->c.width; i++)
        g->dinside[i] = k.mixed[i] > 0 ? g->dmixed[i] : 0;
}

/* Returns what the head reads. */
static real *top_of(const GPT *g) {
    if (head_width(&g->c) == g->c.width) return g->x;
    return block_of(g, 2 * g->c.layers - 1).mixed;
}

/* Fills logits from tokens and positions. */
static void forward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w;
    const real *wte = g->weights, *wpe = wte + g->c.vocab * w;
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++) {
            g->x[t * w + i] = wte[g->token[t] * w + i];
            if (g->c.parts & POSITIONS)
                g->x[t * w + i] += wpe[g->position[t] * w + i];
        }
    rmsnorm(g, g->x, g->embedded, g->scale);
    for (int i = 0; i < all; i++) g->x[i] = g->embedded[i];
    for (int b = 0; b < 2 * g->c.layers; b++) {
        if (!is_part(g, b)) continue;
        const Block k = block_of(g, b);
        rmsnorm(g, g->x, k.normed, k.scale);
        zeros(k.inside, g->rows * k.enter.out);
        linear(g, k.enter, k.normed, k.inside);
        if (b % 2)
            relu(g, k);
        else
            attend(g, k);
        if (!leaves(g, b)) break;
        if (!(g->c.parts & RESIDUAL)) zeros(g->x, all);
        linear(g, k.leave, k.mixed, g->x);
    }
    zeros(g->logits, g->rows * g->c.vocab);
    linear(g, head_of(g), top_of(g), g->logits);
}

/* Turns logits into derivatives of the loss along them, and returns
   the loss. It is infinite where Python's graph has no slope: below
   e^-709.78, 1 / p does not fit into a number. */
static double loss(const GPT *g) {
    double sum = 0;
    for (int t = 0; t < g->rows; t++) {
        real *p = g->logits + t * g->c.vocab;
        const double came = p[g->target[t]];
        const double nats = softmax(g->c.vocab, p) - came;
        sum += g->share[t] * (nats > 709.782713 ? -log(0) : nats);
        p[g->target[t]] -= 1;
        for (int i = 0; i < g->c.vocab; i++) p[i] *= g->share[t];
    }
    return sum;
}

/* Adds to the gradient, from the derivatives along the logits. */
static void backward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w;
    real *dwte = g->grad, *dwpe = dwte + g->c.vocab * w;
    real *top = top_of(g), *dtop = top == g->x ? g->dx : g->dmixed;
    zeros(g->dx, all);
    zeros(g->dmixed, 4 * all);
    linear_back(g, head_of(g), top, g->logits, dtop);
    for (int b = 2 * g->c.layers - 1; b >= 0; b--) {
        if (!is_part(g, b)) continue;
        const Block k = block_of(g, b);
        if (leaves(g, b)) {
            zeros(g->dmixed, g->rows * k.leave.in);
            linear_back(g, k.leave, k.mixed, g->dx, g->dmixed);
        }
        if (b % 2)
            relu_back(g, k);
        else
            attend_back(g, k);
        zeros(g->dnormed, all);
        linear_back(g, k.enter, k.normed, g->dinside, g->dnormed);
        if (!(g->c.parts & RESIDUAL)) zeros(g->dx, all);
        rmsnorm_back(g, k.normed, k.scale, g->dnormed, g->dx);
    }
    real *d = zeros(g->dnormed, all);
    rmsnorm_back(g, g->embedded, g->scale, g->dx, d);
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++, d++) {
            dwte[g->token[t] * w + i] += *d;
            if (g->c.parts & POSITIONS)
                dwpe[g->position[t] * w + i] += *d;
        }
}

/* Goes through rows in chunks of whole documents, and back where there
   is something to learn. */
static double go_through(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share,
    int learn) {
    GPT g = lay_out(c, memory);
    double sum = 0;
    for (int from = 0, to = 0; from < rows; from = to) {
        for (int end = from + 1; end <= rows; end++)
            if (end == rows || position[end] == 0) { /* a whole one */
                if (to > from && end - from > CHUNK) break;
                to = end;
            }
        g.rows = to - from;
        g.token = token + from;
        g.position = position + from;
        g.target = target + from;
        g.share = share + from;
        forward(&g);
        sum += loss(&g);
        if (learn) backward(&g);
    }
    return sum;
}

/* Returns the loss of some documents: the sum of share × −log
   p(target). A document begins at position 0. */
EXPORT double gpt_loss(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share) {
    return go_through(
        c, memory, rows, token, position, target, share, 0);
}

/* Adds to the gradient what some documents say, and returns their
   loss. */
EXPORT double gpt_gradient(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share) {
    return go_through(
        c, memory, rows, token, position, target, share, 1);
}

/* Returns the logits of what may follow a document. */
EXPORT const real *gpt_predict(
    const Config *c, real *memory, int rows, const int *token,
    const int *position) {
    GPT g = lay_out(c, memory);
    g.rows = rows;
    g.token = token;
    g.position = position;
    forward(&g);
    return g.logits + (rows - 1) * c->vocab;
}

/* Returns what half a layer (b) computed for what was predicted last:
   its input normalised, the scale of that, what the first matrix made
   of it, the weights of attention, or what the second matrix reads.
   After the last half, it returns the stream. */
EXPORT const real *gpt_activations(
    const Config *c, real *memory, int b, int which) {
    const GPT g = lay_out(c, memory);
    const Block k = block_of(&g, b);
    const real *all[] = {
        k.normed, k.scale, k.inside, k.attention, k.mixed};
    return b < 2 * c->layers ? all[which] : g.x;
}

EXPORT void gpt_sgd(const Config *c, real *memory, double rate) {
    const GPT g = lay_out(c, memory);
    for (int i = 0; i < gpt_parameters(c); i++)
        g.weights[i] -= rate * g.grad[i];
}

/* A correction is 1 − beta ^ steps. */
EXPORT void gpt_adam(
    const Config *c, real *memory, double rate, double beta1,
    double beta2, double epsilon, double correction1,
    double correction2) {
    const GPT g = lay_out(c, memory);
    const int count = gpt_parameters(c);
    for (int i = 0; i < count; i++) {
        const real d = g.grad[i];
        g.first[i] = beta1 * g.first[i] + (1 - beta1) * d;
        g.second[i] = beta2 * g.second[i] + (1 - beta2) * d * d;
        const real size = sqrt(g.second[i] / correction2) + epsilon;
        g.weights[i] -= rate / correction1 * g.first[i] / size;
    }
}
