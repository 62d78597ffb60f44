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
double exp(double), log(double), sqrt(double);

/* The parts of a model that can be left out */
enum {
    POSITIONS = 1, /* the embeddings of positions */
    ATTENTION = 2,
    QUERIES = 4, /* without: attention is an even average */
    ROOT = 8,    /* the root by which scores are divided */
    RESIDUAL = 16,
    NORM = 32,
    MLP = 64
};

typedef struct {
    int vocab, layers, width, heads, context, parts;
} Config;

/* So many rows are worked on together that they fit a fast cache. */
enum { CHUNK = 48 };

typedef struct {
    int out, in;
    const real *weights;
    real *grad;
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
    real *transposed, *embedded, *scale, *x, *logits;
    real *dx, *dnormed, *dinside, *dmixed, *blocks;
    int rows;
    const int *token, *position, *target;
    const double *share; /* of each row in the loss */
} GPT;

static int most_rows(const Config *c) {
    return c->context > CHUNK ? c->context : CHUNK;
}

EXPORT int gpt_parameters(const Config *c) {
    const int w = c->width;
    return (2 * c->vocab + c->context + 12 * w * c->layers) * w;
}

static int largest_matrix(const Config *c) {
    const int w = c->width;
    return w * (c->vocab > 4 * w ? c->vocab : 4 * w);
}

static int block_memory(const Config *c) {
    return most_rows(c) * (6 * c->width + 1 + c->heads * c->context);
}

EXPORT int gpt_memory(const Config *c) {
    const int row = 12 * c->width + 1 + c->vocab;
    return 4 * gpt_parameters(c) + largest_matrix(c)
           + most_rows(c) * row + 2 * c->layers * block_memory(c);
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
    g.transposed = take(&next, largest_matrix(c));
    g.embedded = take(&next, rows * c->width);
    g.scale = take(&next, rows);
    g.x = take(&next, rows * c->width);
    g.logits = take(&next, rows * c->vocab);
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
    const int w = g->c.width, v = g->c.vocab;
    return matrix(g, (v + g->c.context) * w, v, w);
}

static Block block_of(const GPT *g, int b) {
    const int w = g->c.width, rows = most_rows(&g->c), mlp = b % 2;
    const int above = 2 * g->c.vocab + g->c.context; /* rows */
    const int at = (above + b / 2 * 12 * w + mlp * 4 * w) * w;
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

static real *zeros(real *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 0;
    return x;
}

/* Adds a · b to a tile of c, `high` rows of `wide` numbers. Element
   (y, i) of a is at y * down + i * right. */
static inline void multiply_tile(
    int high, int wide, int inner, const real *a, int down, int right,
    const real *b, real *c, int columns) {
    real sum[4][8] = {{0}};
    for (int i = 0; i < inner; i++)
        for (int y = 0; y < high; y++)
            for (int x = 0; x < wide; x++)
                sum[y][x] +=
                    a[y * down + i * right] * b[i * columns + x];
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) c[y * columns + x] += sum[y][x];
}

/* Adds a · b to c. The 4 × 8 sums of a tile stay in the processor's
   registers, because the compiler knows how many they are. */
static void multiply(
    int rows, int inner, int columns, const real *a, int down,
    int right, const real *b, real *c) {
    for (int y = 0; y < rows; y += 4)
        for (int x = 0; x < columns; x += 8) {
            const int high = rows - y < 4 ? rows - y : 4;
            const int wide = columns - x < 8 ? columns - x : 8;
            const real *from = a + y * down;
            real *to = c + y * columns + x;
            if (high == 4 && wide == 8)
                multiply_tile(
                    4, 8, inner, from, down, right, b + x, to, columns);
            else
                multiply_tile(
                    high, wide, inner, from, down, right, b + x, to,
                    columns);
        }
}

/* Adds x · Wᵀ to y. */
static void linear(const GPT *g, Matrix m, const real *x, real *y) {
    for (int o = 0; o < m.out; o++)
        for (int i = 0; i < m.in; i++)
            g->transposed[i * m.out + o] = m.weights[o * m.in + i];
    multiply(g->rows, m.in, m.out, x, m.in, 1, g->transposed, y);
}

/* Adds dy · W to dx, and dyᵀ · x to the gradient of W. */
static void linear_back(
    const GPT *g, Matrix m, const real *x, const real *dy, real *dx) {
    multiply(g->rows, m.out, m.in, dy, m.out, 1, m.weights, dx);
    multiply(m.out, g->rows, m.in, dy, 1, m.out, x, m.grad);
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

static void softmax(int count, real *x) {
    real largest = x[0], sum = 0;
    for (int i = 1; i < count; i++)
        if (x[i] > largest) largest = x[i];
    for (int i = 0; i < count; i++) sum += x[i] = exp(x[i] - largest);
    for (int i = 0; i < count; i++) x[i] /= sum;
}

static real score_scale(const GPT *g) {
    return g->c.parts & ROOT ? sqrt((real)g->c.heads / g->c.width) : 1;
}

/* A row inside is a query, a key and a value. A token at position p
   looks at its own row and the p rows before. */
static void attend(const GPT *g, Block k) {
    const int w = g->c.width, head_dim = w / g->c.heads, row = 3 * w;
    const real scale = score_scale(g);
    real *weight = k.attention, *y = zeros(k.mixed, g->rows * w);
    for (int t = 0; t < g->rows; t++)
        for (int head = 0; head < w; head += head_dim) {
            const int seen = g->position[t] + 1;
            const real *query = k.inside + t * row + head;
            const real *keys = query + w - g->position[t] * row;
            zeros(weight, seen);
            if (g->c.parts & QUERIES)
                for (int s = 0; s < seen; s++)
                    for (int i = 0; i < head_dim; i++)
                        weight[s] +=
                            scale * query[i] * keys[s * row + i];
            softmax(seen, weight);
            for (int s = 0; s < seen; s++)
                for (int i = 0; i < head_dim; i++)
                    y[i] += weight[s] * keys[s * row + w + i];
            weight += g->c.context;
            y += head_dim;
        }
}

static void attend_back(const GPT *g, Block k) {
    const int w = g->c.width, head_dim = w / g->c.heads, row = 3 * w;
    const real scale = score_scale(g);
    const real *weight = k.attention, *y = k.mixed, *dy = g->dmixed;
    zeros(g->dinside, g->rows * row);
    for (int t = 0; t < g->rows; t++)
        for (int head = 0; head < w; head += head_dim) {
            const int seen = g->position[t] + 1;
            const int own = t * row + head;
            const int first = own + w - g->position[t] * row;
            real mean = 0; /* of the derivatives along the weights */
            for (int i = 0; i < head_dim; i++) mean += dy[i] * y[i];
            for (int s = 0; s < seen; s++) {
                const real *query = k.inside + own;
                const real *key = k.inside + first + s * row;
                const real *value = key + w;
                real *dquery = g->dinside + own;
                real *dkey = g->dinside + first + s * row;
                real *dvalue = dkey + w;
                real d = 0;
                for (int i = 0; i < head_dim; i++)
                    d += dy[i] * value[i];
                d = (d - mean) * weight[s] * scale;
                if (!(g->c.parts & QUERIES)) d = 0;
                for (int i = 0; i < head_dim; i++) {
                    dquery[i] += d * key[i];
                    dkey[i] += d * query[i];
                    dvalue[i] += weight[s] * dy[i];
                }
            }
            weight += g->c.context;
            y += head_dim;
            dy += head_dim;
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
        if (!(g->c.parts & RESIDUAL)) zeros(g->x, all);
        linear(g, k.leave, k.mixed, g->x);
    }
    zeros(g->logits, g->rows * g->c.vocab);
    linear(g, head_of(g), g->x, g->logits);
}

/* Turns logits into derivatives of the loss along them, and returns
   the loss. */
static double loss(const GPT *g) {
    double sum = 0;
    for (int t = 0; t < g->rows; t++) {
        real *p = g->logits + t * g->c.vocab;
        softmax(g->c.vocab, p);
        sum -= g->share[t] * log(p[g->target[t]]);
        p[g->target[t]] -= 1;
        for (int i = 0; i < g->c.vocab; i++) p[i] *= g->share[t];
    }
    return sum;
}

/* Adds to the gradient, from the derivatives along the logits. */
static void backward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w;
    real *dwte = g->grad, *dwpe = dwte + g->c.vocab * w;
    zeros(g->dx, all);
    linear_back(g, head_of(g), g->x, g->logits, g->dx);
    for (int b = 2 * g->c.layers - 1; b >= 0; b--) {
        if (!is_part(g, b)) continue;
        const Block k = block_of(g, b);
        zeros(g->dmixed, g->rows * k.leave.in);
        linear_back(g, k.leave, k.mixed, g->dx, g->dmixed);
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

/* Adds to the gradient what some documents say, and returns their loss:
   the sum of share × −log p(target). A document begins at position 0. */
EXPORT double gpt_gradient(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share) {
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
        backward(&g);
    }
    return sum;
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
