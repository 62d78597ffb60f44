"""One token on its way through the whole model: every vector, and what made it."""

from __future__ import annotations

import ast
from typing import Literal, TypedDict

from microgpt import GPT, attend, rmsnorm, softmax
from microgpt.nn import Vector
from widgets._gpt import gpt, numbers, read
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import State
from widgets._numbers import significant
from widgets._tracing import Call, Source, SourceFunction, calls

FUNCTIONS = (GPT.forward, GPT.attention, attend, GPT.mlp, rmsnorm, softmax)
DIGITS = 4  # of the numbers in a vector
WEIGHT_UNIT = 1e-4  # of the weights, which are sent as whole numbers

Made = Literal[
    "row", "sum", "scaled", "product", "relu", "score", "weight", "average", "chance"
]


class WalkStage(TypedDict):
    """A vector on the way, and how it was made from those in `inputs`.

    `values` are its numbers; where each head has one for each token read, head by
    head. A cell is strongest at `limit`. `lines` has the line that makes it and those
    that wait for it, each in the function of `within`. `matrix` has the weights, of
    which a `row` may be looked up; `scale` is what all numbers were multiplied by.
    """

    name: str
    layer: int
    part: Literal["in", "attention", "mlp", "out"]
    stream: bool
    kind: Literal["parameter", "activation", "attention"]
    made: Made
    inputs: list[int]
    values: list[float]
    limit: float
    matrix: str
    row: int
    scale: float
    within: list[str]
    lines: list[int]
    says: str


class WalkCache(TypedDict):
    """The keys and values of the tokens read so far, in one layer."""

    keys: list[list[float]]
    values: list[list[float]]


class Walk(TypedDict):
    """The whole way of the token at a position of a name.

    `read` are the tokens up to it. Weights are whole numbers of `unit`.
    """

    tokens: list[str]
    read: list[int]
    letters: list[int]
    heads: int
    stages: list[WalkStage]
    caches: list[WalkCache]
    weights: dict[str, list[list[int]]]
    unit: float
    functions: list[SourceFunction]


def walk(name: str, position: int, weights: State) -> Walk:
    """Let the model read a name as far as a position; return what it did there."""
    model = gpt(weights)
    tokens = document(name, longest=model.config.block_size - 1)
    last = whole(position, "position", 0, len(tokens) - 2)
    letters, target = tokens[:-1], tokens[last + 1]
    forward = read("step6", weights, letters[: last + 1])[-1]
    (chances,) = calls(lambda: softmax(forward.result), (softmax,))
    way = Way(model, letters[: last + 1], target)
    way.follow(forward, chances)
    caches = [call.variables["cache"] for call in forward.all("attention")]
    return Walk(
        tokens=token_names(),
        read=letters[: last + 1],
        letters=letters,
        heads=model.config.n_head,
        stages=way.stages,
        caches=[
            WalkCache(
                keys=[short(key) for key in cache.keys],
                values=[short(value) for value in cache.values],
            )
            for cache in caches
        ],
        weights={
            matrix: [[round(w.data / WEIGHT_UNIT) for w in row] for row in rows]
            for matrix, rows in model.weights.items()
            if matrix not in ("wte", "wpe")
        },
        unit=WEIGHT_UNIT,
        functions=[source.listing() for source in way.sources.values()],
    )


class Way:
    """Makes a stage of each vector that the functions have held, in order."""

    def __init__(self, model: GPT, tokens: list[int], target: int) -> None:
        self.model, self.tokens, self.target = model, tokens, target
        self.names = token_names()
        self.sources = {f.__name__: Source(f.__code__) for f in FUNCTIONS}
        self.stages: list[WalkStage] = []
        self.layer = 0
        self.part: Literal["in", "attention", "mlp", "out"] = "in"

    def follow(self, forward: Call, chances: Call) -> None:
        """Go through a call of `forward`, and one of `softmax` with its logits."""
        self.enter(forward)
        layers = zip(forward.all("attention"), forward.all("mlp"), strict=True)
        for self.layer, (attention, mlp) in enumerate(layers):
            self.attend(attention)
            self.think(mlp)
        self.leave(forward, chances)
        self.share_scales()

    def enter(self, forward: Call) -> None:
        """Add the stages before the first layer."""
        token, position = self.tokens[-1], len(self.tokens) - 1
        (norm,) = forward.all("rmsnorm")
        me = self.names[token]
        first = self.add(
            "token_embedding",
            forward.variables["token_embedding"],
            "row",
            ("forward", "token_embedding = "),
            f"The model reads {me}, which is token {token}. Row {token} of wte is"
            " looked up.",
            matrix="wte",
            row=token,
        )
        before = f"{position} tokens" if position != 1 else "1 token"
        second = self.add(
            "position_embedding",
            forward.variables["position_embedding"],
            "row",
            ("forward", "position_embedding = "),
            f"The cache holds {before}, so this one stands at position {position}."
            f" Row {position} of wpe is looked up.",
            matrix="wpe",
            row=position,
        )
        total = self.add(
            "x",
            norm.variables["x"],
            "sum",
            ("forward", "x = [t + p"),
            "The two rows are added, number by number: which letter, and where.",
            inputs=[first, second],
            stream=True,
        )
        self.norm(
            "x",
            norm,
            total,
            ("forward", "x = rmsnorm(x)"),
            "From here on, x is the residual stream: layers add to it, and nothing"
            " else changes it.",
            stream=True,
        )

    def attend(self, attention: Call) -> None:
        """Add the stages of attention in a layer."""
        self.part = "attention"
        me, count = self.names[self.tokens[-1]], len(self.tokens)
        held = attention.variables
        heads = attention.all("attend")
        width, layer = len(heads[0].result), f"layer{self.layer}"
        came = ("forward", "x = self.attention(")
        stream = len(self.stages) - 1
        normed = self.norm(
            "normed",
            attention.all("rmsnorm")[0],
            stream,
            ("attention", "normed = "),
            "Attention reads a scaled copy of x. x itself stays as it is.",
            came,
        )
        query = self.product(
            "query",
            held["query"],
            normed,
            f"{layer}.attn_wq",
            [("attention", "query = "), came],
            f"What {me} looks for:",
        )
        cache = held["cache"]
        holds = f"{count} keys" if count != 1 else "1 key"
        key = self.product(
            "key",
            cache.keys[-1],
            normed,
            f"{layer}.attn_wk",
            [("attention", "cache.keys.append("), came],
            f"What {me} can be found by; it joins the cache, which now holds {holds}:",
        )
        value = self.product(
            "value",
            cache.values[-1],
            normed,
            f"{layer}.attn_wv",
            [("attention", "cache.values.append("), came],
            f"What {me} gives to tokens that find it; it joins the cache as well:",
        )
        softmaxes = [head.all("softmax")[0] for head in heads]
        gathering = [("attention", "gathered += "), came]
        each = f"each of the {len(heads)} heads" if len(heads) > 1 else "the head"
        scale = heads[0].variables["scale"]
        scores = self.add(
            "scores",
            [score for call in softmaxes for score in call.variables["logits"]],
            "score",
            ("attend", "weights = "),
            f"In {each}, {width} numbers of the query meet the same {width} of every"
            f" key in the cache: a dot product, times {written(scale)}.",
            *gathering,
            inputs=[query, key],
            scale=scale,
            kind="attention",
        )
        attention_weights = [head.variables["weights"] for head in heads]
        weights = self.add(
            "weights",
            [weight for row in attention_weights for weight in row],
            "weight",
            ("softmax", "return "),
            f"In {each}, softmax makes weights of the scores, which add up to 1."
            f" {self.listens(attention_weights)}",
            ("attend", "weights = "),
            *gathering,
            inputs=[scores],
            kind="attention",
        )
        gathered = self.add(
            "gathered",
            held["gathered"],
            "average",
            ("attend", "return "),
            f"In {each}, the values in the cache are averaged by its weights. The"
            f" {len(heads)} results stand side by side: {len(held['gathered'])} numbers.",
            *gathering,
            inputs=[weights, value],
        )
        output = self.product(
            "output",
            held["output"],
            gathered,
            f"{layer}.attn_wo",
            [("attention", "output = "), came],
            "What the heads have gathered is mixed:",
        )
        self.residual(
            attention,
            output,
            stream,
            [("attention", "return "), came],
            "What attention has found is added to x, which was kept all the while.",
        )

    def listens(self, weights: list[Vector]) -> str:
        """Say which token a head gives the largest weight."""
        if len(self.tokens) == 1:
            return "With one token in the cache, its weight is 1."
        largest = max(
            (weight.data, head, at)
            for head, row in enumerate(weights)
            for at, weight in enumerate(row)
        )
        weight, head, at = largest
        name = self.names[self.tokens[at]]
        return f"The largest: head {head} gives {name}, at position {at}, {written(weight)}."

    def think(self, mlp: Call) -> None:
        """Add the stages of the MLP in a layer."""
        self.part = "mlp"
        held, layer = mlp.variables, f"layer{self.layer}"
        came = ("forward", "x = self.mlp(")
        stream = len(self.stages) - 1
        normed = self.norm(
            "rmsnorm(x)",
            mlp.all("rmsnorm")[0],
            stream,
            ("mlp", "hidden = "),
            "The MLP, too, reads a scaled copy of x.",
            came,
        )
        hidden = self.product(
            "hidden",
            held["hidden"],
            normed,
            f"{layer}.mlp_fc1",
            [("mlp", "hidden = "), came],
            "The hidden units:",
        )
        stopped = sum(h.data <= 0 for h in held["hidden"])
        activated = self.add(
            "activated",
            held["activated"],
            "relu",
            ("mlp", "activated = "),
            f"ReLU: {stopped} of the {len(held['hidden'])} hidden units are below 0,"
            " and become 0.",
            came,
            inputs=[hidden],
        )
        output = self.product(
            "output",
            held["output"],
            activated,
            f"{layer}.mlp_fc2",
            [("mlp", "output = "), came],
            "Back to the width of the stream:",
        )
        self.residual(
            mlp,
            output,
            stream,
            [("mlp", "return "), came],
            "What the MLP has made of it is added to x.",
        )

    def leave(self, forward: Call, chances: Call) -> None:
        """Add the logits, and the probabilities that softmax makes of them."""
        self.part = "out"
        logits = self.product(
            "logits",
            forward.result,
            len(self.stages) - 1,
            "lm_head",
            [("forward", "return ")],
            "The last line: a logit for each token that could come next,",
        )
        p = numbers(chances.result)
        likeliest = max(range(len(p)), key=p.__getitem__)
        came = f"{self.names[likeliest]} has {written(p[likeliest])}"
        if likeliest != self.target:
            came += f"; {self.names[self.target]}, which comes next here, {written(p[self.target])}"
        else:
            came += ", and it is what comes next here"
        self.add(
            "probabilities",
            chances.result,
            "chance",
            ("softmax", "return "),
            "forward has returned. Whoever called it makes probabilities of the logits."
            f" The likeliest: {came}.",
            inputs=[logits],
        )

    def norm(
        self,
        name: str,
        call: Call,
        of: int,
        line: tuple[str, str],
        says: str,
        *waiting: tuple[str, str],
        stream: bool = False,
    ) -> int:
        """Add what a call of `rmsnorm` returned."""
        size = call.variables["mean_square"].data ** 0.5
        scale = call.variables["scale"].data
        return self.add(
            name,
            call.result,
            "scaled",
            ("rmsnorm", "return "),
            f"{scaling(size, scale)} {says}",
            line,
            *waiting,
            inputs=[of],
            scale=scale,
            stream=stream,
        )

    def product(
        self,
        name: str,
        vector: Vector,
        of: int,
        matrix: str,
        lines: list[tuple[str, str]],
        says: str,
    ) -> int:
        """Add what a linear layer returned."""
        return self.add(
            name,
            vector,
            "product",
            lines[0],
            f"{says} a dot product of {self.stages[of]['name']} with each of the"
            f" {len(vector)} rows of {matrix.split('.')[-1]}.",
            *lines[1:],
            inputs=[of],
            matrix=matrix,
        )

    def residual(
        self,
        call: Call,
        output: int,
        stream: int,
        lines: list[tuple[str, str]],
        says: str,
    ) -> None:
        """Add the sum that a part of a layer returns."""
        self.add(
            "x",
            call.result,
            "sum",
            lines[0],
            says,
            *lines[1:],
            inputs=[output, stream],
            stream=True,
        )

    def add(
        self,
        name: str,
        vector: Vector,
        made: Made,
        line: tuple[str, str],
        says: str,
        *waiting: tuple[str, str],
        inputs: list[int] | None = None,
        matrix: str = "",
        row: int = -1,
        scale: float = 1.0,
        stream: bool = False,
        kind: Literal["parameter", "activation", "attention"] = "activation",
    ) -> int:
        """Add a stage; return its place."""
        values = short(vector)
        self.stages.append(
            WalkStage(
                name=name,
                layer=self.layer,
                part=self.part,
                stream=stream,
                kind="parameter" if made == "row" else kind,
                made=made,
                inputs=inputs or [],
                values=values,
                limit=max(map(abs, values)),
                matrix=matrix,
                row=row,
                scale=significant(scale, DIGITS),
                within=[function for function, _ in (line, *waiting)],
                lines=[self.line(*each) for each in (line, *waiting)],
                says=says,
            )
        )
        return len(self.stages) - 1

    def line(self, function: str, begins: str) -> int:
        """Return the one statement of a function that begins with a text."""
        found = [
            number
            for number, statement in self.sources[function].statements.items()
            if ast.unparse(statement).startswith(begins)
        ]
        if len(found) != 1:
            raise ValueError(f"{function} has {len(found)} statements {begins!r}")
        return found[0]

    def share_scales(self) -> None:
        """Let vectors that are added have one scale, and so all of the stream."""
        stream = [place for place, stage in enumerate(self.stages) if stage["stream"]]
        added = [
            place
            for each in stream
            for place in self.stages[each]["inputs"]
            if self.stages[each]["made"] == "sum"
        ]
        first = stream[0]
        for group in (
            {first, *self.stages[first]["inputs"]},
            {*stream[1:], *added} - {first, *self.stages[first]["inputs"]},
        ):
            limit = max(self.stages[place]["limit"] for place in group)
            for place in group:
                self.stages[place]["limit"] = limit


def scaling(size: float, scale: float) -> str:
    """Say what RMSNorm does with a vector of a root mean square."""
    if written(size) == written(scale) == "1":
        return "The root mean square of x is 1 already, so nothing changes."
    return f"The root mean square of x is {written(size)}; times {written(scale)}, it is 1."


def short(vector: Vector) -> list[float]:
    """Return the numbers of a vector as the page carries them."""
    return [significant(number, DIGITS) for number in numbers(vector)]


def written(x: float) -> str:
    """Write a number as readers see it."""
    return f"{x:.3g}".replace("-", "−")
