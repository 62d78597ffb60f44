/* GPTs with other parts than the lesson's: the engine of variants.

   Each field of `Config` chooses a part; 0 is always that of the
   lesson. `build_model` lists the operations from tokens to logits.
   `forward` runs them in this order, `backward` in the opposite one. A
   further part needs a field, and a section for its operation: what it
   does forward and backward, and what appends it to the list.

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
enum { LEARNED_POSITIONS, NO_POSITIONS };
enum { RMS_NORM, LAYER_NORM, NO_NORM };
enum { PRE_NORM, POST_NORM };
enum { SCORED_ATTENTION, UNIFORM_ATTENTION, NO_ATTENTION };
enum { SCALE_BY_ROOT, SCALE_BY_SIZE, UNSCALED };
enum { RELU, SQUARED_RELU, TANH, NO_ACTIVATION };
enum { HEAD_READS_STREAM, HEAD_READS_HIDDEN };
enum { CROSS_ENTROPY, LABEL_SMOOTHING, SQUARED_ERROR, SOFTMAX_TWICE };
enum { PRODUCT_BY_TILES, PRODUCT_BY_ROWS, PRODUCT_BY_NUMBER };

typedef struct {
    int vocab, layers, width, heads, context;

    int positions;         /* LEARNED_POSITIONS or NO_POSITIONS */
    int norm;              /* RMS_NORM, LAYER_NORM or NO_NORM */
    int norm_position;     /* PRE_NORM (before a block), POST_NORM (after) */
    int no_embedding_norm; /* 1: embeddings are not normalised */
    int final_norm;        /* 1: what the head reads is normalised */
    int no_residual;       /* 1: a block replaces what it reads */
    int attention;         /* weights by score, all equal, or NO_ATTENTION */
    int score_scale;       /* times 1 / √d, 1 / d, or 1 */
    int window;            /* tokens seen at most; 0: all so far */
    int lookahead;         /* tokens seen after a token's own */
    int no_mlp;            /* 1: layers have attention only */
    int mlp_width;         /* numbers inside; 0: 4 × the width */
    int activation;        /* RELU, SQUARED_RELU, TANH or none */
    int head_input;        /* the stream, or the hidden numbers of the last
                              MLP, which then has no second matrix */
    int biases;            /* 1: each matrix adds a bias */
    int loss;              /* the one whose gradient is computed */
    int product;           /* the loops of a product of matrices */
} Config;

/* Rows that are computed together, and the most layers */
enum { CHUNK_ROWS = 48, MAX_LAYERS = 32, MAX_OPERATIONS = 12 * MAX_LAYERS };

/* What a processor multiplies at once, as in gpt.c */
#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef real Vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real))));
enum { TILE_ROWS = 8, TILE_COLUMNS = VECTOR_BYTES / sizeof(real) };

/* A row of numbers for each token, and its gradient. An offset says
   where each begins, after the weights and Adam's means. */
typedef struct {
    int offset, grad_offset, columns;
} Array;

/* A matrix of `out` rows and `in` columns: where it begins in the
   weights, and its bias in the biases, which lie after all weights */
typedef struct {
    int offset, bias_offset, out, in;
} Matrix;

typedef struct Model Model;
typedef struct Operation Operation;
typedef void OperationFunction(const Model *, const Operation *);

/* Computes an array from one or two others. What backward needs of
   forward, beside these, begins at the offset `saved`. */
struct Operation {
    OperationFunction *forward, *backward;
    Matrix matrix;
    Array input, other, output;
    int saved;
};

struct Model {
    Config c;
    real *memory;
    int num_weights, num_biases, num_parameters, num_operations;
    int size, transpose_buffer, scratch;
    Operation operations[MAX_OPERATIONS];
    Array logits;
    int rows;
    const int *tokens, *positions, *targets;
    const double *row_weights; /* in the loss */
};

static int max_rows_per_chunk(const Config *c) {
    return c->context > CHUNK_ROWS ? c->context : CHUNK_ROWS;
}

/* Reserves columns for all rows of a chunk; returns their offset. */
static int reserve_columns(Model *m, int columns) {
    m->size += max_rows_per_chunk(&m->c) * columns;
    return m->size - max_rows_per_chunk(&m->c) * columns;
}

static Operation *append_operation(
    Model *m, OperationFunction *forward, OperationFunction *backward, Array input,
    int columns) {
    Operation *op = &m->operations[m->num_operations++];
    *op = (Operation){.forward = forward, .backward = backward, .input = input};
    op->output = (Array){
        reserve_columns(m, columns), reserve_columns(m, columns), columns};
    return op;
}

static real *working_memory_at(const Model *m, int offset) {
    return m->memory + 4 * m->num_parameters + offset;
}

static real *activations(const Model *m, Array a) {
    return working_memory_at(m, a.offset);
}

static real *gradients(const Model *m, Array a) {
    return working_memory_at(m, a.grad_offset);
}

static real *weight_gradients(const Model *m) { return m->memory + m->num_parameters; }

static void fill_zeros(real *x, int count) {
    for (int i = 0; i < count; i++) x[i] = 0;
}

/* ----- Products of matrices, as in gpt.c ----- */

/* Numbers seen as a matrix: the distance to the next below and right */
typedef struct {
    real *data;
    int row_stride, col_stride;
} View;

static View view(real *data, int columns) { return (View){data, columns, 1}; }

static View transpose(View a) { return (View){a.data, a.col_stride, a.row_stride}; }

/* Returns a copy whose rows are a's columns. */
static View copy_transposed(const Model *m, View a, int rows, int columns) {
    const View b = view(working_memory_at(m, m->transpose_buffer), rows);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            b.data[x * rows + y] = a.data[y * a.row_stride + x * a.col_stride];
    return b;
}

static void add_product_by_tiles(
    int rows, int inner, int columns, View a, View b, View c) {
    for (int x = 0; x < columns; x += TILE_COLUMNS)
        for (int y = 0; y < rows; y += TILE_ROWS) {
            const int height = rows - y < TILE_ROWS ? rows - y : TILE_ROWS;
            const int width = columns - x < TILE_COLUMNS ? columns - x : TILE_COLUMNS;
            const real *from[TILE_ROWS];
            Vector sum[TILE_ROWS] = {{0}};
            for (int j = 0; j < TILE_ROWS; j++)
                from[j] = a.data + (y + (j < height ? j : 0)) * a.row_stride;
            for (int i = 0; i < inner; i++) {
                const Vector v = *(Vector *)(b.data + i * b.row_stride + x);
                for (int j = 0; j < TILE_ROWS; j++)
                    sum[j] += from[j][i * a.col_stride] * v;
            }
            real *to = c.data + y * c.row_stride + x * c.col_stride;
            for (int j = 0; j < height; j++)
                for (int k = 0; k < width; k++)
                    to[j * c.row_stride + k * c.col_stride] += sum[j][k];
        }
}

/* Adds it row by row, or one number at a time, to compare with tiles. */
static void add_product_without_tiles(
    int by_number, int rows, int inner, int columns, View a, View b, View c) {
    for (int y = 0; y < rows; y++) {
        const real *from = a.data + y * a.row_stride;
        real *to = c.data + y * c.row_stride;
        for (int i = 0; !by_number && i < inner; i++) {
            const real number = from[i * a.col_stride];
            for (int x = 0; x < columns; x++)
                to[x * c.col_stride] += number * b.data[i * b.row_stride + x];
        }
        for (int x = 0; by_number && x < columns; x++) {
            real total = 0;
            for (int i = 0; i < inner; i++)
                total += from[i * a.col_stride] * b.data[i * b.row_stride + x];
            to[x * c.col_stride] += total;
        }
    }
}

/* Adds a · b to c. Rows of b are numbers side by side. */
static void add_product(
    const Model *m, int rows, int inner, int columns, View a, View b, View c) {
    const int by_number = m->c.product == PRODUCT_BY_NUMBER;
    if (m->c.product == PRODUCT_BY_TILES)
        add_product_by_tiles(rows, inner, columns, a, b, c);
    else
        add_product_without_tiles(by_number, rows, inner, columns, a, b, c);
}

/* ----- Embeddings ----- */

static void embed_forward(const Model *m, const Operation *op) {
    const int w = m->c.width;
    const real *wte = m->memory, *wpe = wte + m->c.vocab * w;
    real *x = activations(m, op->output);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < w; i++) {
            x[t * w + i] = wte[m->tokens[t] * w + i];
            if (m->c.positions == LEARNED_POSITIONS)
                x[t * w + i] += wpe[m->positions[t] * w + i];
        }
}

static void embed_backward(const Model *m, const Operation *op) {
    const int w = m->c.width;
    real *dwte = weight_gradients(m), *dwpe = dwte + m->c.vocab * w;
    const real *dx = gradients(m, op->output);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < w; i++) {
            dwte[m->tokens[t] * w + i] += dx[t * w + i];
            if (m->c.positions == LEARNED_POSITIONS)
                dwpe[m->positions[t] * w + i] += dx[t * w + i];
        }
}

static Array append_embedding(Model *m) {
    const Array none = {0};
    return append_operation(m, embed_forward, embed_backward, none, m->c.width)->output;
}

/* ----- Norms ----- */

/* y = (x − mean) / √(mean square + ε), where RMSNorm's mean is 0 */
static void norm_forward(const Model *m, const Operation *op) {
    const int w = op->output.columns;
    const real *x = activations(m, op->input);
    real *y = activations(m, op->output), *scale = working_memory_at(m, op->saved);
    for (int t = 0; t < m->rows; t++, x += w, y += w) {
        real mean = 0, sum_of_squares = 0;
        if (m->c.norm == LAYER_NORM)
            for (int i = 0; i < w; i++) mean += x[i] / w;
        for (int i = 0; i < w; i++)
            sum_of_squares += (x[i] - mean) * (x[i] - mean);
        scale[t] = 1 / sqrt(sum_of_squares / w + 1e-5);
        for (int i = 0; i < w; i++) y[i] = (x[i] - mean) * scale[t];
    }
}

static void norm_backward(const Model *m, const Operation *op) {
    const int w = op->output.columns;
    const real *y = activations(m, op->output), *dy = gradients(m, op->output);
    const real *scale = working_memory_at(m, op->saved);
    real *dx = gradients(m, op->input);
    for (int t = 0; t < m->rows; t++, y += w, dy += w, dx += w) {
        real mean_product = 0, mean_dy = 0;
        for (int i = 0; i < w; i++) mean_product += dy[i] * y[i];
        mean_product /= w;
        if (m->c.norm == LAYER_NORM)
            for (int i = 0; i < w; i++) mean_dy += dy[i] / w;
        for (int i = 0; i < w; i++)
            dx[i] += scale[t] * (dy[i] - mean_dy - y[i] * mean_product);
    }
}

static Array append_norm(Model *m, Array x) {
    if (m->c.norm == NO_NORM) return x;
    Operation *op = append_operation(m, norm_forward, norm_backward, x, x.columns);
    op->saved = reserve_columns(m, 1);
    return op->output;
}

/* ----- Linear layers: y = W x + bias ----- */

static void linear_forward(const Model *m, const Operation *op) {
    const Matrix k = op->matrix;
    const View x = view(activations(m, op->input), k.in);
    const View w = view(m->memory + k.offset, k.in);
    const View xt = copy_transposed(m, x, m->rows, k.in);
    const real *bias = m->memory + m->num_weights + k.bias_offset;
    real *y = activations(m, op->output);
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; i < k.out; i++) y[t * k.out + i] = m->c.biases ? bias[i] : 0;
    add_product(m, k.out, k.in, m->rows, w, xt, transpose(view(y, k.out)));
}

static void linear_backward(const Model *m, const Operation *op) {
    const Matrix k = op->matrix;
    const View x = view(activations(m, op->input), k.in);
    const View dx = view(gradients(m, op->input), k.in);
    const View dy = view(gradients(m, op->output), k.out);
    const View w = view(m->memory + k.offset, k.in);
    const View dw = view(weight_gradients(m) + k.offset, k.in);
    add_product(m, m->rows, k.out, k.in, dy, w, dx);
    add_product(m, k.out, m->rows, k.in, transpose(dy), x, dw);
    real *dbias = weight_gradients(m) + m->num_weights + k.bias_offset;
    for (int t = 0; t < m->rows; t++)
        for (int i = 0; m->c.biases && i < k.out; i++)
            dbias[i] += dy.data[t * k.out + i];
}

static Array append_linear(Model *m, Matrix matrix, Array x) {
    Operation *op = append_operation(m, linear_forward, linear_backward, x, matrix.out);
    op->matrix = matrix;
    return op->output;
}

/* ----- Attention ----- */

/* Returns eˣ for x from −700 to 0, as gpt.c does. */
static inline double fast_exp(double x) {
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

/* Turns numbers into probabilities in place; returns ln Σ eˣ. */
static double softmax(int count, real *x) {
    real largest = x[0], sum = 0;
    for (int i = 1; i < count; i++) largest = x[i] > largest ? x[i] : largest;
    for (int i = 0; i < count; i++)
        x[i] = x[i] - largest < -700 ? -700 : x[i] - largest;
    for (int i = 0; i < count; i++) x[i] = fast_exp(x[i]);
    for (int i = 0; i < count; i++) sum += x[i];
    for (int i = 0; i < count; i++) x[i] /= sum;
    return largest + log(sum);
}

static real score_scale(const Config *c) {
    const real scale = (real)c->heads / c->width;
    if (c->score_scale == SCALE_BY_SIZE) return scale;
    return c->score_scale == UNSCALED ? 1 : sqrt(scale);
}

/* What one head computes of a document: a row for each token */
typedef struct {
    View query, key, value, weight, mixed;
} Head;

static Head get_head_views(
    const Model *m, real *in, View weight, real *mixed, int document_start, int head) {
    const int w = m->c.width, column = head * (w / m->c.heads);
    real *query = in + document_start * 3 * w + column;
    return (Head){
        view(query, 3 * w), view(query + w, 3 * w), view(query + 2 * w, 3 * w), weight,
        view(mixed + document_start * w + column, w)};
}

static View get_attention_weights(
    const Model *m, const Operation *op, int document_start, int head) {
    const int heads = m->c.heads, context = m->c.context;
    real *weights = working_memory_at(m, op->saved);
    return view(weights + (document_start * heads + head) * context, heads * context);
}

/* Returns where the document ends that begins at row `start`. */
static int document_end(const int *positions, int rows, int start) {
    int row = start + 1;
    while (row < rows && positions[row]) row++;
    return row;
}

/* Turns the scores of the token at a position into weights; those of
   tokens that it does not see become 0. */
static void mask_and_softmax(const Config *c, real *scores, int position, int count) {
    const int last_end = position + 1 + c->lookahead;
    const int end = last_end < count ? last_end : count;
    const int window = c->window ? c->window : count;
    const int begin = end > window ? end - window : 0;
    const real scale = score_scale(c);
    for (int s = begin; s < end; s++) scores[s] *= scale;
    softmax(end - begin, scores + begin);
    fill_zeros(scores, begin);
    fill_zeros(scores + end, count - end);
}

static void attend_forward(const Model *m, const Operation *op) {
    const int d = m->c.width / m->c.heads;
    real *in = activations(m, op->input), *mixed = activations(m, op->output);
    fill_zeros(mixed, m->rows * m->c.width);
    fill_zeros(working_memory_at(m, op->saved), m->rows * m->c.heads * m->c.context);
    for (int t = 0, n; t < m->rows; t += n) {
        n = document_end(m->positions, m->rows, t) - t;
        for (int h = 0; h < m->c.heads; h++) {
            const View weight = get_attention_weights(m, op, t, h);
            const Head a = get_head_views(m, in, weight, mixed, t, h);
            if (m->c.attention == SCORED_ATTENTION) {
                const View keys = copy_transposed(m, a.key, n, d);
                add_product(m, n, d, n, a.query, keys, weight);
            }
            for (int p = 0; p < n; p++)
                mask_and_softmax(&m->c, weight.data + p * weight.row_stride, p, n);
            add_product(m, n, n, d, weight, a.value, a.mixed);
        }
    }
}

static void attend_backward(const Model *m, const Operation *op) {
    const int d = m->c.width / m->c.heads, context = m->c.context;
    const real scale = score_scale(&m->c);
    const View dweight = view(working_memory_at(m, m->scratch), context);
    real *in = activations(m, op->input), *din = gradients(m, op->input);
    real *mixed = activations(m, op->output), *dmixed = gradients(m, op->output);
    for (int t = 0, n; t < m->rows; t += n) {
        n = document_end(m->positions, m->rows, t) - t;
        for (int h = 0; h < m->c.heads; h++) {
            const View weight = get_attention_weights(m, op, t, h);
            const Head a = get_head_views(m, in, weight, mixed, t, h);
            const Head da = get_head_views(m, din, dweight, dmixed, t, h);
            add_product(m, n, n, d, transpose(weight), da.mixed, da.value);
            if (m->c.attention == UNIFORM_ATTENTION) continue;
            const View values = copy_transposed(m, a.value, n, d);
            fill_zeros(dweight.data, n * context);
            add_product(m, n, d, n, da.mixed, values, dweight);
            for (int p = 0; p < n; p++) {
                const real *row = weight.data + p * weight.row_stride;
                real *drow = dweight.data + p * context, mean = 0;
                for (int i = 0; i < n; i++) mean += row[i] * drow[i];
                for (int i = 0; i < n; i++) drow[i] = scale * row[i] * (drow[i] - mean);
            }
            add_product(m, n, n, d, dweight, a.key, da.query);
            add_product(m, n, n, d, transpose(dweight), a.query, da.key);
        }
    }
}

/* A row of qkv has query, key and value side by side. */
static Array append_attention(Model *m, Array qkv) {
    const int w = m->c.width;
    Operation *op = append_operation(m, attend_forward, attend_backward, qkv, w);
    op->saved = reserve_columns(m, m->c.heads * m->c.context);
    return op->output;
}

/* ----- Activations ----- */

static real fast_tanh(real x) {
    const double size = x < 0 ? -x : x;
    const double e = fast_exp(size > 300 ? -600 : -2 * size);
    return x < 0 ? (e - 1) / (1 + e) : (1 - e) / (1 + e);
}

static void activate_forward(const Model *m, const Operation *op) {
    const int count = m->rows * op->output.columns;
    const real *x = activations(m, op->input);
    real *y = activations(m, op->output);
    const int kind = m->c.activation;
    for (int i = 0; i < count; i++)
        y[i] = kind == TANH            ? fast_tanh(x[i])
               : kind == NO_ACTIVATION ? x[i]
               : x[i] < 0              ? 0
               : kind == RELU          ? x[i]
                                       : x[i] * x[i];
}

static void activate_backward(const Model *m, const Operation *op) {
    const int count = m->rows * op->output.columns;
    const real *x = activations(m, op->input), *y = activations(m, op->output);
    const real *dy = gradients(m, op->output);
    real *dx = gradients(m, op->input);
    const int kind = m->c.activation;
    for (int i = 0; i < count; i++)
        dx[i] += kind == TANH            ? (1 - y[i] * y[i]) * dy[i]
                 : kind == NO_ACTIVATION ? dy[i]
                 : x[i] <= 0             ? 0
                 : kind == RELU          ? dy[i]
                                         : 2 * x[i] * dy[i];
}

static Array append_activation(Model *m, Array x) {
    const int columns = x.columns;
    return append_operation(m, activate_forward, activate_backward, x, columns)->output;
}

/* ----- Sums ----- */

static void add_forward(const Model *m, const Operation *op) {
    const real *x = activations(m, op->input), *other = activations(m, op->other);
    real *y = activations(m, op->output);
    for (int i = 0; i < m->rows * op->output.columns; i++) y[i] = x[i] + other[i];
}

static void add_backward(const Model *m, const Operation *op) {
    const real *dy = gradients(m, op->output);
    real *dx = gradients(m, op->input), *dother = gradients(m, op->other);
    for (int i = 0; i < m->rows * op->output.columns; i++) {
        dx[i] += dy[i];
        dother[i] += dy[i];
    }
}

static Array append_sum(Model *m, Array x, Array other) {
    Operation *op = append_operation(m, add_forward, add_backward, x, x.columns);
    op->other = other;
    return op->output;
}

/* ----- The model: a list of operations ----- */

static Array append_pre_norm(Model *m, Array x) {
    return m->c.norm_position == PRE_NORM ? append_norm(m, x) : x;
}

static Array append_residual_and_post_norm(Model *m, Array x, Array block) {
    if (!m->c.no_residual) block = append_sum(m, x, block);
    return m->c.norm_position == POST_NORM ? append_norm(m, block) : block;
}

static Matrix place_next_matrix(Model *m, int out, int in) {
    m->num_weights += out * in;
    m->num_biases += out;
    return (Matrix){m->num_weights - out * in, m->num_biases - out, out, in};
}

/* A variant has all matrices of the lesson's model, in their order,
   whether it uses them or not. Biases lie after all of them. */
static void build_model(Model *m, const Config *c, real *memory) {
    const int w = c->width, context = c->context;
    const int hidden_width = c->mlp_width ? c->mlp_width : 4 * w;
    m->c = *c;
    m->memory = memory;
    m->num_operations = m->size = m->num_biases = 0;
    m->num_weights = (c->vocab + context) * w;
    m->transpose_buffer = reserve_columns(m, hidden_width > w ? hidden_width : w);
    m->scratch = reserve_columns(m, c->vocab > context ? c->vocab : context);
    const int head_reads_hidden = c->head_input == HEAD_READS_HIDDEN;
    const int head_width = head_reads_hidden ? hidden_width : w;
    const Matrix lm_head = place_next_matrix(m, c->vocab, head_width);
    Array x = append_embedding(m);
    if (!c->no_embedding_norm) x = append_norm(m, x);
    for (int layer = 0; layer < c->layers; layer++) {
        const Matrix qkv = place_next_matrix(m, 3 * w, w);
        const Matrix output = place_next_matrix(m, w, w);
        const Matrix fc1 = place_next_matrix(m, hidden_width, w);
        const Matrix fc2 = place_next_matrix(m, w, hidden_width);
        if (c->attention != NO_ATTENTION) {
            const Array in = append_linear(m, qkv, append_pre_norm(m, x));
            const Array out = append_linear(m, output, append_attention(m, in));
            x = append_residual_and_post_norm(m, x, out);
        }
        if (!c->no_mlp) {
            const Array in = append_linear(m, fc1, append_pre_norm(m, x));
            const Array hidden = append_activation(m, in);
            const int is_last = layer == c->layers - 1;
            if (head_reads_hidden && is_last)
                x = hidden;
            else
                x = append_residual_and_post_norm(m, x, append_linear(m, fc2, hidden));
        }
    }
    if (c->final_norm) x = append_norm(m, x);
    m->logits = append_linear(m, lm_head, x);
    m->num_parameters = m->num_weights + (c->biases ? m->num_biases : 0);
}

static void forward(const Model *m) {
    const Operation *end = m->operations + m->num_operations;
    for (const Operation *op = m->operations; op < end; op++) op->forward(m, op);
}

/* Adds to the weights' gradient, given the gradient of the logits. */
static void backward(const Model *m) {
    const Operation *last = m->operations + m->num_operations - 1;
    for (const Operation *op = m->operations; op < last; op++)
        fill_zeros(gradients(m, op->output), m->rows * op->output.columns);
    for (const Operation *op = last; op >= m->operations; op--) op->backward(m, op);
}

/* ----- The loss ----- */

/* Turns probabilities p into the gradient of the logits. Where it is
   simpler, finds dp, the gradient of p, and goes back through
   softmax. */
static void loss_backward(const Model *m, real *p, int target) {
    const int count = m->c.vocab;
    real *dp = working_memory_at(m, m->scratch), mean = 0;
    switch (m->c.loss) {
    case CROSS_ENTROPY: p[target] -= 1; return;
    case LABEL_SMOOTHING:
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

/* Fills the gradient of the logits. Returns the cross-entropy,
   whichever loss is lowered: infinite where gpt.c's is. */
static double loss_and_logit_gradients(const Model *m) {
    const int count = m->c.vocab;
    const real *logits = activations(m, m->logits);
    real *p = gradients(m, m->logits);
    double sum = 0;
    for (int t = 0; t < m->rows; t++, p += count, logits += count) {
        for (int i = 0; i < count; i++) p[i] = logits[i];
        const double nats = softmax(count, p) - logits[m->targets[t]];
        sum += m->row_weights[t] * (nats > 709.782713 ? -log(0) : nats);
        loss_backward(m, p, m->targets[t]);
        for (int i = 0; i < count; i++) p[i] *= m->row_weights[t];
    }
    return sum;
}

/* ----- The functions for callers: gpt.c says what each does ----- */

EXPORT int gpt_num_parameters(const Config *c) {
    Model m;
    build_model(&m, c, 0);
    return m.num_parameters;
}

/* Returns how many parameters are not biases. */
EXPORT int gpt_num_parameters_without_biases(const Config *c) {
    Model m;
    build_model(&m, c, 0);
    return m.num_weights;
}

EXPORT int gpt_num_memory_elements(const Config *c) {
    Model m;
    build_model(&m, c, 0);
    return 4 * m.num_parameters + m.size + TILE_COLUMNS;
}

EXPORT double gpt_loss(
    const Config *c, real *memory, int rows, const int *tokens,
    const int *positions, const int *targets, const double *row_weights,
    int with_gradient) {
    Model m;
    build_model(&m, c, memory);
    double sum = 0;
    for (int from = 0, to = 0; from < rows; from = to) {
        to = document_end(positions, rows, from);
        for (int end; to < rows; to = end) {
            end = document_end(positions, rows, to);
            if (end - from > CHUNK_ROWS) break;
        }
        m.rows = to - from;
        m.tokens = tokens + from;
        m.positions = positions + from;
        m.targets = targets + from;
        m.row_weights = row_weights + from;
        forward(&m);
        sum += loss_and_logit_gradients(&m);
        if (with_gradient) backward(&m);
    }
    return sum;
}

EXPORT const real *gpt_logits(
    const Config *c, real *memory, int rows, const int *tokens, const int *positions) {
    Model m;
    build_model(&m, c, memory);
    m.rows = rows;
    m.tokens = tokens;
    m.positions = positions;
    forward(&m);
    return activations(&m, m.logits) + (rows - 1) * c->vocab;
}

/* Moves each weight against its gradient. */
EXPORT void gpt_sgd_step(const Config *c, real *memory, double rate) {
    const int count = gpt_num_parameters(c);
    for (int i = 0; i < count; i++) memory[i] -= rate * memory[count + i];
}

EXPORT void gpt_adam_step(
    const Config *c, real *memory, double rate, double beta1, double beta2,
    double epsilon, double correction1, double correction2) {
    const int count = gpt_num_parameters(c);
    real *first = memory + 2 * count, *second = memory + 3 * count;
    for (int i = 0; i < count; i++) {
        const real d = memory[count + i];
        first[i] = beta1 * first[i] + (1 - beta1) * d;
        second[i] = beta2 * second[i] + (1 - beta2) * d * d;
        const real rms = sqrt(second[i] / correction2) + epsilon;
        memory[i] -= rate / correction1 * first[i] / rms;
    }
}
