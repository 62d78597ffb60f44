/* A GPT in C: its loss, the gradient, Adam and SGD, predictions.

   It computes what model.py, training.py and optim.py compute, on
   arrays. Nothing is allocated here: the caller gives the memory, as
   many numbers as `memory_size` says. It begins with the weights, their
   gradient and Adam's two means. A matrix is its rows, one after the
   other, and matrices are in the order of `Config.shapes`. What is
   computed from tokens has a row for each. */

#ifndef REAL
#define REAL double
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
    MLP = 64,
    OUTPUT = 128 /* fc2; without it the head reads what fc1 gives */
};

typedef struct {
    int vocab, layers, width, heads, context, parts;
} Config;

/* Tokens that are worked on together: they fit a fast cache. */
enum { TOGETHER = 48 };

typedef struct { /* a matrix, its gradient, and it on its side */
    int out, in;
    real *weights, *grad, *turned;
} Matrix;

typedef struct {
    Matrix to_qkv, to_output, fc1, fc2;
    real *normed, *scale, *qkv, *attention, *gathered;
    real *normed2, *scale2, *hidden;
} Layer;

typedef struct { /* where everything is, and what is read */
    Config c;
    real *weights, *grad, *first, *second, *turned;
    real *embedded, *scale, *x, *logits, *dx, *d, *dqkv, *dhidden;
    real *layers;
    int rows;
    const int *token, *position, *target;
    const double *share;
} GPT;

static int most_rows(const Config *c) {
    return c->context > TOGETHER ? c->context : TOGETHER;
}

static int head_size(const Config *c) {
    return c->vocab * (c->parts & OUTPUT ? 1 : 4) * c->width;
}

int parameters(const Config *c) {
    const int w = c->width, embeddings = (c->vocab + c->context) * w;
    return embeddings + head_size(c) + c->layers * 12 * w * w;
}

static int layer_size(const Config *c) {
    return most_rows(c) * (11 * c->width + 2 + c->heads * c->context);
}

int memory_size(const Config *c) {
    const int once = most_rows(c) * (11 * c->width + 1 + c->vocab);
    return 5 * parameters(c) + once + c->layers * layer_size(c);
}

static real *take(real **free, int count) {
    *free += count;
    return *free - count;
}

static GPT lay_out(const Config *c, real *free) {
    const int count = parameters(c), rows = most_rows(c);
    const int square = rows * c->width;
    GPT g = {.c = *c};
    g.weights = take(&free, count);
    g.grad = take(&free, count);
    g.first = take(&free, count);
    g.second = take(&free, count);
    g.turned = take(&free, count);
    g.embedded = take(&free, square);
    g.scale = take(&free, rows);
    g.x = take(&free, square);
    g.logits = take(&free, rows * c->vocab);
    g.dx = take(&free, square);
    g.d = take(&free, square);
    g.dqkv = take(&free, 3 * square);
    g.dhidden = take(&free, 4 * square);
    g.layers = free;
    return g;
}

static Matrix matrix(const GPT *g, int at, int out, int in) {
    return (Matrix){
        out, in, g->weights + at, g->grad + at, g->turned + at};
}

static Matrix head_of(const GPT *g) {
    const int at = (g->c.vocab + g->c.context) * g->c.width;
    return matrix(g, at, g->c.vocab, head_size(&g->c) / g->c.vocab);
}

static Layer layer_of(const GPT *g, int l) {
    const int w = g->c.width, rows = most_rows(&g->c);
    const int at = parameters(&g->c) - (g->c.layers - l) * 12 * w * w;
    real *free = g->layers + l * layer_size(&g->c);
    Layer a;
    a.to_qkv = matrix(g, at, 3 * w, w);
    a.to_output = matrix(g, at + 3 * w * w, w, w);
    a.fc1 = matrix(g, at + 4 * w * w, 4 * w, w);
    a.fc2 = matrix(g, at + 8 * w * w, w, 4 * w);
    a.normed = take(&free, rows * w);
    a.scale = take(&free, rows);
    a.qkv = take(&free, 3 * rows * w);
    a.attention = take(&free, rows * g->c.heads * g->c.context);
    a.gathered = take(&free, rows * w);
    a.normed2 = take(&free, rows * w);
    a.scale2 = take(&free, rows);
    a.hidden = take(&free, 4 * rows * w);
    return a;
}

static real *zeros(real *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 0;
    return x;
}

/* c += a · b in a block of c, `high` rows of `wide` numbers. Element
   (y, i) of a is at y * down + i * right. */
static inline void multiply_block(
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

/* c += a · b, 4 × 8 numbers at a time: so many sums can stay in the
   processor's registers, if it knows their number beforehand. */
static void multiply(
    int rows, int inner, int columns, const real *a, int down,
    int right, const real *b, real *c) {
    for (int y = 0; y < rows; y += 4)
        for (int x = 0; x < columns; x += 8) {
            const int high = rows - y, wide = columns - x;
            const real *from = a + y * down;
            real *to = c + y * columns + x;
            if (high >= 4 && wide >= 8)
                multiply_block(
                    4, 8, inner, from, down, right, b + x, to, columns);
            else
                multiply_block(
                    high < 4 ? high : 4, wide < 8 ? wide : 8, inner,
                    from, down, right, b + x, to, columns);
        }
}

/* y += x · Wᵀ */
static void linear(int rows, Matrix m, const real *x, real *y) {
    multiply(rows, m.in, m.out, x, m.in, 1, m.turned, y);
}

/* dx += dy · W, and W's gradient += dyᵀ · x */
static void linear_back(
    int rows, Matrix m, const real *x, const real *dy, real *dx) {
    multiply(rows, m.out, m.in, dy, m.out, 1, m.weights, dx);
    multiply(m.out, rows, m.in, dy, 1, m.out, x, m.grad);
}

static void turn(Matrix m) {
    for (int o = 0; o < m.out; o++)
        for (int i = 0; i < m.in; i++)
            m.turned[i * m.out + o] = m.weights[o * m.in + i];
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

/* dx += what dy says of x */
static void rmsnorm_back(
    const GPT *g, const real *y, const real *scale, const real *dy,
    real *dx) {
    const int w = g->c.width;
    for (int t = 0; t < g->rows; t++, y += w, dy += w, dx += w) {
        real mean = 0;
        for (int i = 0; i < w; i++) mean += dy[i] * y[i] / w;
        if (!(g->c.parts & NORM)) mean = 0;
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

/* A row of qkv is a query, a key and a value. A token at position p
   looks at its own row and the p rows before. */
static void attend(const GPT *g, Layer a) {
    const int w = g->c.width, size = w / g->c.heads, row = 3 * w;
    const real scale = g->c.parts & ROOT ? 1 / sqrt(size) : 1;
    real *weight = a.attention, *y = zeros(a.gathered, g->rows * w);
    for (int t = 0; t < g->rows; t++)
        for (int head = 0; head < w; head += size, y += size) {
            const int seen = g->position[t] + 1;
            const real *q = a.qkv + t * row + head;
            const real *keys = q + w - g->position[t] * row;
            for (int s = 0; s < seen; s++) {
                const real *k = keys + s * row;
                weight[s] = 0;
                if (g->c.parts & QUERIES)
                    for (int i = 0; i < size; i++)
                        weight[s] += scale * q[i] * k[i];
            }
            softmax(seen, weight);
            for (int s = 0; s < seen; s++) {
                const real *v = keys + s * row + w;
                for (int i = 0; i < size; i++) y[i] += weight[s] * v[i];
            }
            weight += g->c.context;
        }
}

static void attend_back(const GPT *g, Layer a, const real *dy) {
    const int w = g->c.width, size = w / g->c.heads, row = 3 * w;
    const real scale = g->c.parts & ROOT ? 1 / sqrt(size) : 1;
    const real *weight = a.attention;
    zeros(g->dqkv, g->rows * row);
    for (int t = 0; t < g->rows; t++)
        for (int head = 0; head < w; head += size, dy += size) {
            const int seen = g->position[t] + 1;
            const int own = t * row + head;
            const int first = own + w - g->position[t] * row;
            const real *q = a.qkv + own;
            real *dq = g->dqkv + own, mean = 0;
            for (int s = 0; s < seen; s++) {
                const real *v = a.qkv + first + s * row + w;
                for (int i = 0; i < size; i++)
                    mean += weight[s] * dy[i] * v[i];
            }
            for (int s = 0; s < seen; s++) {
                const real *k = a.qkv + first + s * row, *v = k + w;
                real *dk = g->dqkv + first + s * row, *dv = dk + w;
                real d = 0; /* along the score */
                for (int i = 0; i < size; i++) d += dy[i] * v[i];
                d = (d - mean) * weight[s] * scale;
                if (!(g->c.parts & QUERIES)) d = 0;
                for (int i = 0; i < size; i++) {
                    dq[i] += d * k[i];
                    dk[i] += d * q[i];
                    dv[i] += weight[s] * dy[i];
                }
            }
            weight += g->c.context;
        }
}

static void forward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w, parts = g->c.parts;
    const real *wte = g->weights, *wpe = wte + g->c.vocab * w;
    const real *out = g->x;
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++) {
            g->x[t * w + i] = wte[g->token[t] * w + i];
            if (parts & POSITIONS)
                g->x[t * w + i] += wpe[g->position[t] * w + i];
        }
    rmsnorm(g, g->x, g->embedded, g->scale);
    for (int i = 0; i < all; i++) g->x[i] = g->embedded[i];
    for (int l = 0; l < g->c.layers; l++) {
        Layer a = layer_of(g, l);
        if (parts & ATTENTION) {
            rmsnorm(g, g->x, a.normed, a.scale);
            linear(g->rows, a.to_qkv, a.normed, zeros(a.qkv, 3 * all));
            attend(g, a);
            if (!(parts & RESIDUAL)) zeros(g->x, all);
            linear(g->rows, a.to_output, a.gathered, g->x);
        }
        if (parts & MLP) {
            rmsnorm(g, g->x, a.normed2, a.scale2);
            linear(g->rows, a.fc1, a.normed2, zeros(a.hidden, 4 * all));
            for (int i = 0; i < 4 * all; i++)
                if (a.hidden[i] < 0) a.hidden[i] = 0;
            if (!(parts & OUTPUT)) out = a.hidden;
        }
        if (parts & MLP && parts & OUTPUT) {
            if (!(parts & RESIDUAL)) zeros(g->x, all);
            linear(g->rows, a.fc2, a.hidden, g->x);
        }
    }
    zeros(g->logits, g->rows * g->c.vocab);
    linear(g->rows, head_of(g), out, g->logits);
}

/* Add to `grad` from the slopes of the loss along the logits. */
static void backward(const GPT *g) {
    const int w = g->c.width, all = g->rows * w, parts = g->c.parts;
    const int whole = parts & OUTPUT;
    real *dwte = g->grad, *dwpe = dwte + g->c.vocab * w;
    zeros(g->dx, all);
    zeros(g->dhidden, 4 * all);
    linear_back(
        g->rows, head_of(g), whole ? g->x : layer_of(g, 0).hidden,
        g->logits, whole ? g->dx : g->dhidden);
    for (int l = g->c.layers - 1; l >= 0; l--) {
        Layer a = layer_of(g, l);
        if (parts & MLP) {
            if (whole)
                linear_back(
                    g->rows, a.fc2, a.hidden, g->dx,
                    zeros(g->dhidden, 4 * all));
            for (int i = 0; i < 4 * all; i++)
                if (!(a.hidden[i] > 0)) g->dhidden[i] = 0;
            zeros(g->d, all);
            linear_back(g->rows, a.fc1, a.normed2, g->dhidden, g->d);
            if (!(parts & RESIDUAL)) zeros(g->dx, all);
            rmsnorm_back(g, a.normed2, a.scale2, g->d, g->dx);
        }
        if (parts & ATTENTION) {
            zeros(g->d, all);
            linear_back(g->rows, a.to_output, a.gathered, g->dx, g->d);
            attend_back(g, a, g->d);
            zeros(g->d, all);
            linear_back(g->rows, a.to_qkv, a.normed, g->dqkv, g->d);
            if (!(parts & RESIDUAL)) zeros(g->dx, all);
            rmsnorm_back(g, a.normed, a.scale, g->d, g->dx);
        }
    }
    zeros(g->d, all);
    rmsnorm_back(g, g->embedded, g->scale, g->dx, g->d);
    for (int t = 0; t < g->rows; t++)
        for (int i = 0; i < w; i++) {
            dwte[g->token[t] * w + i] += g->d[t * w + i];
            if (parts & POSITIONS)
                dwpe[g->position[t] * w + i] += g->d[t * w + i];
        }
}

/* Turn the logits into their slopes; return the loss. */
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

static void turn_all(const GPT *g) {
    turn(head_of(g));
    for (int l = 0; l < g->c.layers; l++) {
        const Layer a = layer_of(g, l);
        turn(a.to_qkv), turn(a.to_output), turn(a.fc1), turn(a.fc2);
    }
}

/* Add to the gradient what some documents say; return their loss: the
   sum of share × −log p(target). A document's positions begin at 0. */
double gradient(
    const Config *c, real *memory, int rows, const int *token,
    const int *position, const int *target, const double *share) {
    GPT g = lay_out(c, memory);
    double sum = 0;
    turn_all(&g);
    for (int from = 0, to = 0; from < rows; from = to) {
        for (int end = from + 1; end <= rows; end++)
            if (end == rows || position[end] == 0) { /* a whole one */
                if (to > from && end - from > TOGETHER) break;
                to = end;
            }
        g.rows = to - from;
        g.token = token + from, g.position = position + from;
        g.target = target + from, g.share = share + from;
        forward(&g);
        sum += loss(&g);
        backward(&g);
    }
    return sum;
}

/* Return the logits of what may follow a document. */
const real *predict(
    const Config *c, real *memory, int rows, const int *token,
    const int *position) {
    GPT g = lay_out(c, memory);
    g.rows = rows, g.token = token, g.position = position;
    turn_all(&g);
    forward(&g);
    return g.logits + (rows - 1) * c->vocab;
}

void sgd(const Config *c, real *memory, double rate) {
    const GPT g = lay_out(c, memory);
    for (int i = 0; i < parameters(c); i++)
        g.weights[i] -= rate * g.grad[i];
}

/* The corrections are 1 − beta ^ steps. */
void adam(
    const Config *c, real *memory, double rate, double beta1,
    double beta2, double epsilon, double correction1,
    double correction2) {
    const GPT g = lay_out(c, memory);
    const int count = parameters(c);
    for (int i = 0; i < count; i++) {
        const real d = g.grad[i];
        const real first = beta1 * g.first[i] + (1 - beta1) * d;
        const real second = beta2 * g.second[i] + (1 - beta2) * d * d;
        const real size = sqrt(second / correction2) + epsilon;
        g.first[i] = first, g.second[i] = second;
        g.weights[i] -= rate * (first / correction1) / size;
    }
}
