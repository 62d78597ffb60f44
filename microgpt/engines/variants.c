/* GPTs with other parts than the lesson's: the engine of variants.

   Each field of `Config` chooses a part; 0 is always that of the
   lesson. `build` lists the steps from tokens to logits; `forward`
   takes them in this order, and `backward` in the opposite one. A
   further part needs a field, and a section for its step: what it does
   forward and backward, and what appends it to the list.

   The functions at the end are called like those of gpt.c, and use the
   caller's memory in the same way: first the weights, their gradient
   and Adam's two means, then what is computed on the way. */

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

/* The choices of each field of `Config` that is not a number */
enum { LEARNED, NO_POSITIONS };
enum { RMS, LAYER, NO_NORM };
enum { PRE, POST };
enum { SCORES, EVEN, NO_ATTENTION };
enum { BY_ROOT, BY_SIZE, UNSCALED };
enum { RELU, SQUARED_RELU, TANH, NO_ACTIVATION };
enum { STREAM, HIDDEN };
enum { CROSS_ENTROPY, SMOOTHED, SQUARED_ERROR, SOFTMAX_TWICE };
enum { TILES, ROWS, SINGLE };

typedef struct {
    int vocab, layers, width, heads, context;

    int positions;         /* LEARNED or NO_POSITIONS */
    int norm;              /* RMS, LAYER or NO_NORM */
    int norm_place;        /* PRE: before a block; POST: after it */
    int no_embedding_norm; /* 1: embeddings are not normalised */
    int final_norm;        /* 1: what the head reads is normalised */
    int no_residual;       /* 1: a block replaces what it reads */
    int attention;         /* SCORES, EVEN (equal), NO_ATTENTION */
    int score_scale;       /* times 1 / √d, 1 / d, or 1 */
    int window;            /* tokens seen at most; 0: all so far */
    int ahead;             /* tokens seen after a token's own */
    int no_mlp;            /* 1: layers have attention only */
    int mlp_width;         /* numbers inside; 0: 4 × the width */
    int activation;        /* RELU, SQUARED_RELU, TANH or none */
    int head_input;        /* STREAM, or HIDDEN: the inside of the
                              last MLP, which has no second matrix */
    int biases;            /* 1: each matrix adds a bias */
    int loss;              /* the one whose gradient is computed */
    int product;           /* its loops: TILES, ROWS or SINGLE */
} Config;

/* Rows that are worked on together, and the most layers */
enum { CHUNK = 48, MOST_LAYERS = 32, MOST_STEPS = 12 * MOST_LAYERS };

/* What a processor multiplies at once, as in gpt.c */
#if defined __AVX512F__
#define BYTES 64
#elif defined __AVX__
#define BYTES 32
#else
#define BYTES 16
#endif
typedef real Vector __attribute__((vector_size(BYTES), aligned(sizeof(real))));
enum { TALL = 8, WIDE = BYTES / sizeof(real) };

/* A row of numbers for each token, and the derivatives along them:
   where they begin behind the weights and Adam's numbers */
typedef struct {
    int at, grad, columns;
} Array;

/* Where it begins in the weights, and its bias behind all of them */
typedef struct {
    int at, bias, out, in;
} Matrix;

typedef struct Model Model;
typedef struct Step Step;
typedef void Action(const Model *, const Step *);

/* From one array, or two, to another. What is computed forward and is
   needed backward begins at `saved`. */
struct Step {
    Action *forward, *backward;
    Matrix matrix;
    Array from, other, to;
    int saved;
};

struct Model {
    Config c;
    real *memory;
    int weights, biases, parameters, size, steps, transposed, scratch;
    Step step[MOST_STEPS];
    Array logits;
    int rows;
    const int *token, *position, *target;
    const double *share; /* of each row in the loss */
};

static int most_rows(const Config *c) {
    return c->context > CHUNK ? c->context : CHUNK;
}

static int take(Model *m, int columns) {
    m->size += most_rows(&m->c) * columns;
    return m->size - most_rows(&m->c) * columns;
}

static Step *append(
    Model *m, Action *forward, Action *backward, Array from, int columns) {
    Step *s = &m->step[m->steps++];
    *s = (Step){.forward = forward, .backward = backward, .from = from};
    s->to = (Array){take(m, columns), take(m, columns), columns};
    return s;
}

static real *saved(const Model *m, int at) {
    return m->memory + 4 * m->parameters + at;
}

static real *values(const Model *m, Array a) { return saved(m, a.at); }

static real *slopes(const Model *m, Array a) { return saved(m, a.grad); }

static real *gradient(const Model *m) { return m->memory + m->parameters; }

static void zeros(real *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 0;
}

/* ----- Products of matrices, as in gpt.c ----- */

/* A table of numbers: the distance to the next below and right */
typedef struct {
    real *at;
    int down, right;
} Grid;

static Grid grid(real *at, int columns) { return (Grid){at, columns, 1}; }

static Grid flip(Grid a) { return (Grid){a.at, a.right, a.down}; }

/* Returns a copy whose rows are a's columns. */
static Grid transposed(const Model *m, Grid a, int rows, int columns) {
    const Grid b = grid(saved(m, m->transposed), rows);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            b.at[x * rows + y] = a.at[y * a.down + x * a.right];
    return b;
}

static void multiply_tiles(int rows, int inner, int columns, Grid a, Grid b, Grid c) {
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
                for (int j = 0; j < TALL; j++) sum[j] += from[j][i * a.right] * v;
            }
            real *to = c.at + y * c.down + x * c.right;
            for (int j = 0; j < high; j++)
                for (int k = 0; k < wide; k++)
                    to[j * c.down + k * c.right] += sum[j][k];
        }
}

/* Row by row, or one number at a time: to see what tiles are worth */
static void multiply_plain(
    int single, int rows, int inner, int columns, Grid a, Grid b, Grid c) {
    for (int y = 0; y < rows; y++) {
        const real *from = a.at + y * a.down;
        real *to = c.at + y * c.down;
        for (int i = 0; !single && i < inner; i++)
            for (int x = 0; x < columns; x++)
                to[x * c.right] += from[i * a.right] * b.at[i * b.down + x];
        for (int x = 0; single && x < columns; x++) {
            real total = 0;
            for (int i = 0; i < inner; i++)
                total += from[i * a.right] * b.at[i * b.down + x];
            to[x * c.right] += total;
        }
    }
}

/* Adds a · b to c. Rows of b are numbers side by side. */
static void multiply(
    const Model *m, int rows, int inner, int columns, Grid a, Grid b, Grid c) {
    if (m->c.product == TILES)
        multiply_tiles(rows, inner, columns, a, b, c);
    else
        multiply_plain(m->c.product == SINGLE, rows, inner, columns, a, b, c);
}

/* ----- Embeddings ----- */

static void embed_forward(const Model *m, const Step *s) {
    const int w = m->c.width;
    const real *wte = m->memory, *wpe = wte + m->c.vocab * w;
    real *x = values(m, s->to);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < w; i++) {
            x[t * w + i] = wte[m->token[t] * w + i];
            if (m->c.positions == LEARNED) x[t * w + i] += wpe[m->position[t] * w + i];
        }
}

static void embed_backward(const Model *m, const Step *s) {
    const int w = m->c.width;
    real *dwte = gradient(m), *dwpe = dwte + m->c.vocab * w;
    const real *dx = slopes(m, s->to);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < w; i++) {
            dwte[m->token[t] * w + i] += dx[t * w + i];
            if (m->c.positions == LEARNED)
                dwpe[m->position[t] * w + i] += dx[t * w + i];
        }
}

static Array embed(Model *m) {
    return append(m, embed_forward, embed_backward, (Array){0}, m->c.width)->to;
}

/* ----- Norms ----- */

/* y = (x − mean) / √(mean square + ε), where RMSNorm's mean is 0 */
static void norm_forward(const Model *m, const Step *s) {
    const int w = s->to.columns;
    const real *x = values(m, s->from);
    real *y = values(m, s->to), *scale = saved(m, s->saved);
    for (int t = 0; t < m->rows; t++, x += w, y += w) {
        real mean = 0, square = 0;
        if (m->c.norm == LAYER)
            for (int i = 0; i < w; i++) mean += x[i] / w;
        for (int i = 0; i < w; i++) square += (x[i] - mean) * (x[i] - mean);
        scale[t] = 1 / sqrt(square / w + 1e-5);
        for (int i = 0; i < w; i++) y[i] = (x[i] - mean) * scale[t];
    }
}

static void norm_backward(const Model *m, const Step *s) {
    const int w = s->to.columns;
    const real *y = values(m, s->to), *scale = saved(m, s->saved);
    const real *dy = slopes(m, s->to);
    real *dx = slopes(m, s->from);
    for (int t = 0; t < m->rows; t++, y += w, dy += w, dx += w) {
        real along = 0, even = 0;
        for (int i = 0; i < w; i++) along += dy[i] * y[i];
        along /= w;
        if (m->c.norm == LAYER)
            for (int i = 0; i < w; i++) even += dy[i] / w;
        for (int i = 0; i < w; i++) dx[i] += scale[t] * (dy[i] - even - y[i] * along);
    }
}

static Array norm(Model *m, Array x) {
    if (m->c.norm == NO_NORM) return x;
    Step *s = append(m, norm_forward, norm_backward, x, x.columns);
    s->saved = take(m, 1);
    return s->to;
}

/* ----- Linear layers: y = W x + bias ----- */

static void linear_forward(const Model *m, const Step *s) {
    const Matrix k = s->matrix;
    const Grid x = grid(values(m, s->from), k.in);
    const Grid w = grid(m->memory + k.at, k.in);
    const Grid across = transposed(m, x, m->rows, k.in);
    const real *bias = m->memory + m->weights + k.bias;
    real *y = values(m, s->to);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < k.out; i++) y[t * k.out + i] = m->c.biases ? bias[i] : 0;
    multiply(m, k.out, k.in, m->rows, w, across, flip(grid(y, k.out)));
}

static void linear_backward(const Model *m, const Step *s) {
    const Matrix k = s->matrix;
    const Grid x = grid(values(m, s->from), k.in);
    const Grid dx = grid(slopes(m, s->from), k.in);
    const Grid dy = grid(slopes(m, s->to), k.out);
    const Grid w = grid(m->memory + k.at, k.in);
    const Grid dw = grid(gradient(m) + k.at, k.in);
    multiply(m, m->rows, k.out, k.in, dy, w, dx);
    multiply(m, k.out, m->rows, k.in, flip(dy), x, dw);
    real *dbias = gradient(m) + m->weights + k.bias;
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; m->c.biases && i < k.out; i++) dbias[i] += dy.at[t * k.out + i];
}

static Array linear(Model *m, Matrix matrix, Array x) {
    Step *s = append(m, linear_forward, linear_backward, x, matrix.out);
    s->matrix = matrix;
    return s->to;
}

/* ----- Attention ----- */

/* Returns eˣ for x from −700 to 0, as gpt.c does. */
static inline double power(double x) {
    const int n = x * 1.4426950408889634 - .5;
    const double r = (x - n * 0.6931471805599453) / 8;
    const union {
        unsigned long long bits;
        double value;
    } two = {(1023ULL + n) << 52};
    double e = 1;
    for (int k = 7; k > 0; k--) e = 1 + r / k * e;
    e *= e;
    e *= e;
    return e * e * two.value;
}

/* Turns numbers into probabilities; returns ln Σ eˣ. */
static double softmax(int count, real *x) {
    real largest = x[0], sum = 0;
    for (int i = 1; i < count; i++) largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < count; i++)
        x[i] = x[i] - largest < -700 ? -700 : x[i] - largest;
    for (int i = 0; i < count; i++) x[i] = power(x[i]);
    for (int i = 0; i < count; i++) sum += x[i];
    for (int i = 0; i < count; i++) x[i] /= sum;
    return largest + log(sum);
}

static real score_scale(const Config *c) {
    const real scale = (real)c->heads / c->width;
    if (c->score_scale == BY_SIZE) return scale;
    return c->score_scale == UNSCALED ? 1 : sqrt(scale);
}

/* What one head does with a document: a row for each token */
typedef struct {
    Grid query, key, value, weight, mixed;
} Head;

static Head head_at(const Model *m, real *in, Grid weight, real *mixed, int t, int h) {
    const int w = m->c.width, column = h * (w / m->c.heads);
    real *query = in + t * 3 * w + column;
    return (Head){
        grid(query, 3 * w), grid(query + w, 3 * w), grid(query + 2 * w, 3 * w), weight,
        grid(mixed + t * w + column, w)};
}

static Grid weights_at(const Model *m, const Step *s, int t, int h) {
    const int heads = m->c.heads, context = m->c.context;
    return grid(saved(m, s->saved) + (t * heads + h) * context, heads * context);
}

/* Returns where the document ends that begins at row t. */
static int end_of(const int *position, int rows, int t) {
    do t++;
    while (t < rows && position[t]);
    return t;
}

/* Turns the scores of the token at position p into weights; those of
   tokens that it does not see become 0. */
static void look(const Config *c, real *row, int p, int n) {
    const int end = p + 1 + c->ahead < n ? p + 1 + c->ahead : n;
    const int window = c->window ? c->window : n;
    const int begin = end > window ? end - window : 0;
    const real scale = score_scale(c);
    for (int s = begin; s < end; s++) row[s] *= scale;
    softmax(end - begin, row + begin);
    zeros(row, begin);
    zeros(row + end, n - end);
}

static void attend_forward(const Model *m, const Step *s) {
    const int d = m->c.width / m->c.heads;
    real *in = values(m, s->from), *mixed = values(m, s->to);
    zeros(mixed, m->rows * m->c.width);
    zeros(saved(m, s->saved), m->rows * m->c.heads * m->c.context);
    for (int t = 0, n; t < m->rows; t += n) {
        n = end_of(m->position, m->rows, t) - t;
        for (int h = 0; h < m->c.heads; h++) {
            const Grid weight = weights_at(m, s, t, h);
            const Head a = head_at(m, in, weight, mixed, t, h);
            if (m->c.attention == SCORES) {
                const Grid keys = transposed(m, a.key, n, d);
                multiply(m, n, d, n, a.query, keys, weight);
            }
            for (int p = 0; p < n; p++) look(&m->c, weight.at + p * weight.down, p, n);
            multiply(m, n, n, d, weight, a.value, a.mixed);
        }
    }
}

static void attend_backward(const Model *m, const Step *s) {
    const int d = m->c.width / m->c.heads, context = m->c.context;
    const real scale = score_scale(&m->c);
    const Grid dweight = grid(saved(m, m->scratch), context);
    real *in = values(m, s->from), *din = slopes(m, s->from);
    real *mixed = values(m, s->to), *dmixed = slopes(m, s->to);
    for (int t = 0, n; t < m->rows; t += n) {
        n = end_of(m->position, m->rows, t) - t;
        for (int h = 0; h < m->c.heads; h++) {
            const Grid weight = weights_at(m, s, t, h);
            const Head a = head_at(m, in, weight, mixed, t, h);
            const Head da = head_at(m, din, dweight, dmixed, t, h);
            multiply(m, n, n, d, flip(weight), da.mixed, da.value);
            if (m->c.attention == EVEN) continue;
            const Grid values = transposed(m, a.value, n, d);
            zeros(dweight.at, n * context);
            multiply(m, n, d, n, da.mixed, values, dweight);
            for (int p = 0; p < n; p++) {
                const real *row = weight.at + p * weight.down;
                real *drow = dweight.at + p * context, mean = 0;
                for (int i = 0; i < n; i++) mean += row[i] * drow[i];
                for (int i = 0; i < n; i++) drow[i] = scale * row[i] * (drow[i] - mean);
            }
            multiply(m, n, n, d, dweight, a.key, da.query);
            multiply(m, n, n, d, flip(dweight), a.query, da.key);
        }
    }
}

/* From queries, keys and values, side by side */
static Array attend(Model *m, Array x) {
    Step *s = append(m, attend_forward, attend_backward, x, m->c.width);
    s->saved = take(m, m->c.heads * m->c.context);
    return s->to;
}

/* ----- Activations ----- */

static real tangent(real x) {
    const double size = x < 0 ? -x : x;
    const double e = power(size > 300 ? -600 : -2 * size);
    return x < 0 ? (e - 1) / (1 + e) : (1 - e) / (1 + e);
}

static void activate_forward(const Model *m, const Step *s) {
    const int count = m->rows * s->to.columns;
    const real *x = values(m, s->from);
    real *y = values(m, s->to);
    const int kind = m->c.activation;
    for (int i = 0; i < count; i++)
        y[i] = kind == TANH            ? tangent(x[i])
               : kind == NO_ACTIVATION ? x[i]
               : x[i] < 0              ? 0
               : kind == RELU          ? x[i]
                                       : x[i] * x[i];
}

static void activate_backward(const Model *m, const Step *s) {
    const int count = m->rows * s->to.columns;
    const real *x = values(m, s->from), *y = values(m, s->to);
    const real *dy = slopes(m, s->to);
    real *dx = slopes(m, s->from);
    const int kind = m->c.activation;
    for (int i = 0; i < count; i++)
        dx[i] += kind == TANH            ? (1 - y[i] * y[i]) * dy[i]
                 : kind == NO_ACTIVATION ? dy[i]
                 : x[i] <= 0             ? 0
                 : kind == RELU          ? dy[i]
                                         : 2 * x[i] * dy[i];
}

static Array activate(Model *m, Array x) {
    return append(m, activate_forward, activate_backward, x, x.columns)->to;
}

/* ----- Sums ----- */

static void add_forward(const Model *m, const Step *s) {
    const real *x = values(m, s->from), *other = values(m, s->other);
    real *y = values(m, s->to);
    for (int i = 0; i < m->rows * s->to.columns; i++) y[i] = x[i] + other[i];
}

static void add_backward(const Model *m, const Step *s) {
    const real *dy = slopes(m, s->to);
    real *dx = slopes(m, s->from), *dother = slopes(m, s->other);
    for (int i = 0; i < m->rows * s->to.columns; i++) {
        dx[i] += dy[i];
        dother[i] += dy[i];
    }
}

static Array add(Model *m, Array x, Array other) {
    Step *s = append(m, add_forward, add_backward, x, x.columns);
    s->other = other;
    return s->to;
}

/* ----- The model: a list of steps ----- */

static Array before_block(Model *m, Array x) {
    return m->c.norm_place == PRE ? norm(m, x) : x;
}

static Array after_block(Model *m, Array x, Array block) {
    if (!m->c.no_residual) block = add(m, x, block);
    return m->c.norm_place == POST ? norm(m, block) : block;
}

static Matrix next_matrix(Model *m, int out, int in) {
    m->weights += out * in;
    m->biases += out;
    return (Matrix){m->weights - out * in, m->biases - out, out, in};
}

/* A variant has all matrices of the lesson's model, in their order,
   whether it uses them or not. Biases lie behind all of them. */
static void build(Model *m, const Config *c, real *memory) {
    const int w = c->width, context = c->context;
    const int inside = c->mlp_width ? c->mlp_width : 4 * w;
    m->c = *c;
    m->memory = memory;
    m->steps = m->size = m->biases = 0;
    m->weights = (c->vocab + context) * w;
    m->transposed = take(m, inside > w ? inside : w);
    m->scratch = take(m, c->vocab > context ? c->vocab : context);
    const Matrix head = next_matrix(m, c->vocab, c->head_input == HIDDEN ? inside : w);
    Array x = embed(m);
    if (!c->no_embedding_norm) x = norm(m, x);
    for (int layer = 0; layer < c->layers; layer++) {
        const Matrix queries = next_matrix(m, 3 * w, w);
        const Matrix output = next_matrix(m, w, w);
        const Matrix fc1 = next_matrix(m, inside, w);
        const Matrix fc2 = next_matrix(m, w, inside);
        if (c->attention != NO_ATTENTION) {
            const Array in = linear(m, queries, before_block(m, x));
            x = after_block(m, x, linear(m, output, attend(m, in)));
        }
        if (!c->no_mlp) {
            const Array in = linear(m, fc1, before_block(m, x));
            const Array hidden = activate(m, in);
            const int at_head = c->head_input == HIDDEN && layer == c->layers - 1;
            x = at_head ? hidden : after_block(m, x, linear(m, fc2, hidden));
        }
    }
    if (c->final_norm) x = norm(m, x);
    m->logits = linear(m, head, x);
    m->parameters = m->weights + (c->biases ? m->biases : 0);
}

static void forward(const Model *m) {
    for (const Step *s = m->step; s < m->step + m->steps; s++) s->forward(m, s);
}

/* Adds to the gradient, from the derivatives along the logits. */
static void backward(const Model *m) {
    const Step *last = m->step + m->steps - 1;
    for (const Step *s = m->step; s < last; s++)
        zeros(slopes(m, s->to), m->rows * s->to.columns);
    for (const Step *s = last; s >= m->step; s--) s->backward(m, s);
}

/* ----- The loss ----- */

/* Turns probabilities p into the derivatives of a loss along the
   logits. Those of a loss of the probabilities themselves, dp, go back
   through softmax. */
static void loss_backward(const Model *m, real *p, int target) {
    const int count = m->c.vocab;
    real *dp = saved(m, m->scratch), mean = 0;
    switch (m->c.loss) {
    case CROSS_ENTROPY: p[target] -= 1; return;
    case SMOOTHED:
        p[target] -= 0.9;
        for (int i = 0; i < count; i++) p[i] -= 0.1 / count;
        return;
    case SQUARED_ERROR:
        for (int i = 0; i < count; i++) dp[i] = 2 * (p[i] - (i == target));
        break;
    case SOFTMAX_TWICE:
        for (int i = 0; i < count; i++) dp[i] = p[i];
        softmax(count, dp);
        dp[target] -= 1;
        break;
    }
    for (int i = 0; i < count; i++) mean += p[i] * dp[i];
    for (int i = 0; i < count; i++) p[i] *= dp[i] - mean;
}

/* Fills the derivatives along the logits. Returns the cross-entropy,
   whichever loss is lowered: infinite where that of gpt.c is. */
static double loss(const Model *m) {
    const int count = m->c.vocab;
    const real *logits = values(m, m->logits);
    real *p = slopes(m, m->logits);
    double sum = 0;
    for (int t = 0; t < m->rows; t++, p += count, logits += count) {
        for (int i = 0; i < count; i++) p[i] = logits[i];
        const double nats = softmax(count, p) - logits[m->target[t]];
        sum += m->share[t] * (nats > 709.782713 ? -log(0) : nats);
        loss_backward(m, p, m->target[t]);
        for (int i = 0; i < count; i++) p[i] *= m->share[t];
    }
    return sum;
}

/* ----- What is called; gpt.c says what each function does ----- */

EXPORT int gpt_parameters(const Config *c) {
    Model m;
    build(&m, c, 0);
    return m.parameters;
}

/* Those that are no biases, which lie behind them */
EXPORT int gpt_weights(const Config *c) {
    Model m;
    build(&m, c, 0);
    return m.weights;
}

EXPORT int gpt_memory(const Config *c) {
    Model m;
    build(&m, c, 0);
    return 4 * m.parameters + m.size + WIDE;
}

EXPORT double gpt_loss(
    const Config *c, real *memory, int rows, const int *token, const int *position,
    const int *target, const double *share, int learn) {
    Model m;
    build(&m, c, memory);
    double sum = 0;
    for (int from = 0, to = 0; from < rows; from = to) {
        to = end_of(position, rows, from);
        for (int end; to < rows; to = end) {
            end = end_of(position, rows, to);
            if (end - from > CHUNK) break;
        }
        m.rows = to - from;
        m.token = token + from;
        m.position = position + from;
        m.target = target + from;
        m.share = share + from;
        forward(&m);
        sum += loss(&m);
        if (learn) backward(&m);
    }
    return sum;
}

EXPORT const real *gpt_predict(
    const Config *c, real *memory, int rows, const int *token, const int *position) {
    Model m;
    build(&m, c, memory);
    m.rows = rows;
    m.token = token;
    m.position = position;
    forward(&m);
    return values(&m, m.logits) + (rows - 1) * c->vocab;
}

EXPORT void gpt_sgd(const Config *c, real *memory, double rate) {
    const int count = gpt_parameters(c);
    for (int i = 0; i < count; i++) memory[i] -= rate * memory[count + i];
}

EXPORT void gpt_adam(
    const Config *c, real *memory, double rate, double beta1, double beta2,
    double epsilon, double correction1, double correction2) {
    const int count = gpt_parameters(c);
    real *first = memory + 2 * count, *second = memory + 3 * count;
    for (int i = 0; i < count; i++) {
        const real d = memory[count + i];
        first[i] = beta1 * first[i] + (1 - beta1) * d;
        second[i] = beta2 * second[i] + (1 - beta2) * d * d;
        const real size = sqrt(second[i] / correction2) + epsilon;
        memory[i] -= rate / correction1 * first[i] / size;
    }
}
