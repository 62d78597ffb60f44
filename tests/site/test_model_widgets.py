"""Widgets that count, race or run a model show what the package computes."""

import math
import re
from itertools import accumulate, pairwise
from statistics import fmean

from pytest import approx

from microgpt import SGD, Adam, Tokenizer, Value
from snippets import step0, step1
from snippets.ready import step1_setup
from snippets.ready.attention import attention_weights
from snippets.sentences import make_sentences
from tests.marks import thorough
from tests.models import (
    LETTERS,
    TOKEN_LABELS,
    count_token_pairs,
    encode_name,
    load_record,
    shuffled_names,
)
from tests.site.widget_page import OpenWidget, WidgetPage, parse_number
from widgets._weights import TrainedOrNot, network_weights
from widgets.what_if.model import recorded_losses, what_if

pytestmark = thorough


def test_count_table_shows_the_counts_of_its_names(open_widget: OpenWidget) -> None:
    widget = open_widget("count_table")
    for button in ("1 name", "10 names", "all 5,676", "1,000 names"):
        names = shuffled_names()[: int(re.sub(r"\D", "", button))]
        pairs = count_token_pairs(names)
        zeros = f"; {27 * 27 - len(pairs)} of the 729 cells are 0."
        widget.press(button).expect_texts(f"{pairs.total():,} pairs{zeros}")
    for keys, pair in (
        (["ArrowRight", "ArrowLeft"], ("m", "a")),
        (["ArrowDown"], ("n", "a")),
        (["End", "ArrowUp"], ("m", "BOS")),
        (["Home", "ArrowUp"], ("l", "a")),
    ):
        widget.press_keys(".cells", *keys)
        widget.expect_texts(f'status: "{", then ".join(pair)}: {pairs[pair]:,} times"')
        having = [name for name in names if pair in count_token_pairs([name])]
        widget.expect_texts(f"paragraph: {', '.join(having[:3])}")


def test_name_loss_shows_the_losses_of_step_0(open_widget: OpenWidget) -> None:
    widget = open_widget("name_loss")
    for name, learnt in (("xavier", 1000), ("emma", 100), ("emma", 10), ("marina", 0)):
        widget.type_text(name).press(f"{learnt:,}")
        widget.expect_texts(f"“{name}” scored by a model that has learnt {learnt:,} ")
        counts, tokens = step0.zero_counts(27), encode_name(name)
        for known in shuffled_names()[:learnt]:
            step0.count_pairs(encode_name(known), counts)
        for token, target in pairwise(tokens):
            p = step0.probabilities(token, counts)[target]
            row = widget.row_numbers(f"{TOKEN_LABELS[token]} → {TOKEN_LABELS[target]}")
            # JavaScript rounds a tie up, such as 1/32.
            assert row[:2] == approx([p, -math.log(p)], abs=5.1e-5)
            assert row[2:] == approx([1 / p], abs=0.051)
        mean, perplexity = widget.row_numbers("mean")
        assert mean == approx(step0.mean_loss(tokens, counts), abs=5.1e-5)
        assert perplexity == approx(math.exp(mean), abs=0.051)
    widget.expect_texts(f"blind guess, {math.log(27):.4f}")
    widget.press("xavier").expect_texts("“xavier” scored by")


def assert_pair(widget: WidgetPage, name: str, index: int, state: TrainedOrNot) -> None:
    """Assert that the losses, and the network's numbers at a pair, are those of Step 1."""
    tokens, weights, losses = encode_name(name), network_weights(state), list[float]()
    for token, target in pairwise(tokens):
        losses.append(step1.mean_loss([token, target], weights))
        pair = f"{TOKEN_LABELS[token]} → {TOKEN_LABELS[target]}"
        widget.expect_texts(f"{pair}, loss {losses[-1]:.2f}")
    widget.expect_texts(f"mean loss {fmean(losses):.2f}, a blind guess 3.30")
    widget.expect_texts(f"= {losses[index]:.2f}")
    logits = step1.forward(tokens[index], weights)
    for vector, numbers in (
        ("x", weights["wte"][tokens[index]]),
        ("logits", logits),
        ("probabilities", step1.softmax(logits)),
    ):
        assert widget.strip_numbers(f"{vector}:") == approx(numbers, rel=0.006)


def format_three_digits(x: float) -> str:
    """Write a number with three significant digits."""
    return f"{x:#.3g}".replace("-", "−")


def test_network_shows_the_forward_pass_of_step_1(open_widget: OpenWidget) -> None:
    (e, m), weights = encode_name("emma")[1:3], network_weights("trained")
    logits = step1.forward(e, weights)
    hidden = step1.linear(weights["wte"][e], weights["fc1"])
    active = sum(h > 0 for h in hidden)
    shares, top = step1.softmax(logits), logits.index(max(logits))
    likely = [*(f"“{x}”" for x in LETTERS), "BOS"][top]
    p, most = map(format_three_digits, (shares[m], shares[top]))
    widget = open_widget("network", "gradient-descent/network/")
    assert_pair(widget, "emma", 1, "trained")
    widget.press("To the start")
    widget.expect_texts("has to guess", 'img "x: not yet computed"')
    for step, sentence in (
        ("x", "Row 4 of wte is looked up: the 16 numbers that stand for “e”."),
        ("hidden", "Each of 64 hidden units asks its own question of x"),
        ("activated", f"{active} numbers above 0 pass. The other {64 - active}"),
        ("logits", f"The highest is {format_three_digits(logits[top])}, for {likely}."),
        ("probabilities", f"{likely} gets {most}, “m” {p}."),
    ):
        widget.press("One step on").expect_texts(sentence, f'listbox "{step}: ')
    loss = format_three_digits(-math.log(shares[m]))
    widget.press("One step on").expect_texts(f"surprise, is −ln {p} = {loss}.")
    widget.press("a → BOS").expect_texts("After “a” the name ends.")
    widget.type_text("jo", "Another name", enter=False)
    widget.expect_texts("The name begins with “j”.")
    widget.press("untrained", "o → BOS")
    assert_pair(widget, "jo", 2, "untrained")
    widget.type_text("zoë", "Another name")
    widget.expect_texts("Type letters from a to z, not “ë”.")
    widget.type_text("Anna", "Another name").expect_texts("The name begins with “a”.")
    widget.press("trained").expect_texts('button "trained" [pressed]')


def test_network_shows_the_backward_pass_of_step_1(open_widget: OpenWidget) -> None:
    widget = open_widget("network", "gradient-descent/analytic-gradient/")
    widget.expect_texts("Now back: if a logit rose", "0.0375 − 1 = −0.962")
    widget.expect_texts("d_x: not yet")
    for sentence in (
        "Each activated number gets the sum of what it did to the logits",
        "ReLU is a gate on the way back, too: the 35 units that became 0",
        "each number of x gets a sum of 64 products",
        "A small step against all slopes makes this loss smaller.",
    ):
        widget.press("One step on").expect_texts(sentence)
    assert_pair(widget, "emma", 1, "untrained")
    pair = encode_name("emma")[1:3]
    slopes = step1.analytic_gradient(pair, network_weights("untrained"))
    assert widget.strip_numbers("d_x:") == approx(slopes["wte"][pair[0]], rel=0.006)
    for vector, keys, sentence in (
        ("hidden:", ["Home", "ArrowRight"], "The dot product of x with row 1 of fc1."),
        ("activated:", ["Home", "ArrowRight"], "so ReLU lets it pass"),
        ("logits:", ["End", "ArrowLeft"], "of activated with row 25 of fc2."),
        ("probabilities:", ["End"], "Softmax compares its logit"),
        ("d_logits:", ["Home", "ArrowRight"], "in a logit is its probability."),
        ("d_activated:", ["Home", "ArrowRight"], "with column 1 of fc2."),
        ("d_hidden:", ["Home", "ArrowRight"], "The gate of ReLU is open"),
        ("d_x:", ["Home", "ArrowRight"], "It is also the slope of wte[4][1]."),
        ("x:", ["End"], "This is wte[4][15], a parameter, looked up for e."),
    ):
        widget.press_keys(f"[aria-label^='{vector}']", *keys).expect_texts(sentence)
    weights, x = network_weights("untrained")["fc1"][1], widget.strip_numbers("x:")
    products = [abs(weight * number) for weight, number in zip(weights, x)]
    widget.press_keys("[aria-label^='hidden:']", "Home", "ArrowRight")
    widget.expect_texts(f"Most say in it has x[{products.index(max(products))}].")


def assert_attention_weights(widget: WidgetPage, name: str, row: int) -> None:
    """Assert that a letter's weights are those that the package computes in a row."""
    group = widget.root.get_by_role("group", name="Head", exact=True)
    heads = group.get_by_role("button").count() or 1
    weights = load_record({1: "one-end-weights", 4: "four-end-weights"}[heads])
    buttons = widget.root.get_by_role("button", name=" gives ").all_inner_texts()
    shares = attention_weights(weights, name, heads)[row]
    percent = [100 * share for share in shares]
    assert [*map(parse_number, buttons)] == approx(percent, abs=0.501)


def assert_attention_arithmetic(widget: WidgetPage, name: str, position: int) -> None:
    """Assert that the products, scores, shares and sums behind an attention weight agree."""
    query = widget.row_numbers(f"query of {name[position - 1]}")
    products = [q * k for q, k in zip(query, widget.row_numbers("key of start"))]
    assert widget.row_numbers("product") == approx(products, abs=0.006)
    tokens = ["start", *name[:position]]
    sums, scores, shares = zip(*map(widget.row_numbers, tokens), strict=True)
    assert sums[0] == approx(sum(products), abs=0.01)
    assert scores == approx([x / math.sqrt(len(query)) for x in sums], abs=2e-3)
    assert shares == approx(step1.softmax([*scores]), abs=2e-3)
    taken = zip(*(widget.row_numbers(f"from {token}") for token in tokens), strict=True)
    assert widget.row_numbers("together") == approx([*map(sum, taken)], abs=3e-3)


def test_attention_widget_shows_weights_of_four_heads(open_widget: OpenWidget) -> None:
    widget = open_widget("attention", "transformer/heads-in-code/")
    widget.expect_texts("The n of lena listens mostly to the e (87%).")
    for head in (2, 1, 0, 3):
        widget.press(f"head {head}")
        assert_attention_weights(widget, "lena", 3 * 4 + head)
    widget.press("n gives start").expect_texts("Why the n gives the start 0.278")
    assert_attention_arithmetic(widget, "lena", 3)
    strange = "transformer/heads-in-code/?attention.head=99&attention.asks=99"
    widget = open_widget("attention", strange)
    widget.expect_texts('"head 0" [pressed]', "The a of lena")


def test_attention_widget_shows_weights_of_one_head(open_widget: OpenWidget) -> None:
    widget = open_widget("attention", "attention/scores/")
    widget.press_keys(".token.query input", "ArrowLeft")
    widget.expect_texts("The last m of emma listens")
    assert_attention_weights(widget, "emma", 3)
    widget.press("untrained")
    widget.expect_texts("listens to all 4 about equally: each gets 18% to")
    widget.press("trained").type_text("Lena", enter=False)
    widget.expect_texts("The a of lena listens")
    assert_attention_weights(widget, "lena", 4)
    widget.type_text("lenä", enter=False)
    widget.expect_texts("Type letters from a to z, not “ä”.")


STRENGTHS_JS = "all => all.map(each => each.style.getPropertyValue('--strength'))"


def assert_strengths(widget: WidgetPage, text: str, position: int) -> None:
    """Assert that letters show the package's weights of the letter at `position`."""
    weights = load_record("sentences-one-30k-weights")
    rows = attention_weights(weights, text, tokenizer=Tokenizer(make_sentences()))
    weights_of_letters = rows[position] + [0.0] * (len(text) - position)
    shown = widget.find(".token").evaluate_all(STRENGTHS_JS)
    expected = [100 * math.sqrt(weight) for weight in weights_of_letters]
    assert [*map(parse_number, shown)] == approx(expected, abs=0.6)


def test_sentence_widget_shows_where_letters_look(open_widget: OpenWidget) -> None:
    widget = open_widget("sentence_attention")
    text = "the dogs near the cat sleep"
    assert_strengths(widget, text, len(text))
    widget.expect_texts("The “p” of “sleep” looks at the “s” of “dogs” (7")
    widget.press_keys(".token.query input", "ArrowLeft")
    widget.expect_texts("The “e” of “sleep” looks at", '“e” of “sleep”" [checked]')
    assert_strengths(widget, text, len(text) - 1)
    widget.press("the dog near the cats sleep").expect_texts(
        "The “p” of “sleep” looks at"
    )
    text = "the bees hide"
    widget.type_text("The bees hide", "A sentence", enter=False)
    widget.expect_texts("The “e” of “hide” looks at", "Next letter: the end 100%")
    assert_strengths(widget, text, len(text))
    for wrong, message in (
        ("the cat's", "Type letters that the model knows, not “'”."),
        ("the " * 18 + "cat", "Type at most 71 letters: this has 75."),
        ("", "Type a sentence: one letter or more."),
    ):
        widget.type_text(wrong, "A sentence", enter=False).expect_texts(message)
    strange = (
        "attention/what-changes/?sentence.asks=99&sentence.head=9&sentence.text=a7"
    )
    widget = open_widget("sentence_attention", strange)
    widget.expect_texts("The “p” of “sleep” looks at the “s” of “dogs”")


FORWARD_PASS_PAGE = "transformer/forward-pass/"


def test_opened_transformer_box_says_what_it_does(open_widget: OpenWidget) -> None:
    query = "?transformer.box=fc1&transformer.name=zoe"
    widget = open_widget("transformer", FORWARD_PASS_PAGE + query)
    widget.expect_texts("64 hidden units, each of which looks for one pattern")
    widget.find(".at-attention").press("Enter")
    widget.expect_texts("If the stream ended here, lm_head would say")
    widget.press_keys("[role=listbox]", "Home", "ArrowRight")
    widget.expect_texts("number 1: ")
    widget.press_keys("[role=listbox]", "Escape")
    widget.expect_texts("Open any box", "status: Closed")


def test_transformer_reads_or_refuses_a_typed_name(open_widget: OpenWidget) -> None:
    widget = open_widget("transformer", FORWARD_PASS_PAGE)
    widget.expect_texts("has read BOS e m m and expects a. In this name, a comes next.")
    for name, sentence in (
        ("zoe", "has read BOS z o e and expects r. This name ends here."),
        ("Quentin", "has read BOS q u e n t i n and expects BOS."),
        ("zo3", "Type letters from a to z, not “3”."),
        ("abcdefghijklmnop", "Type at most 15 letters: this has 16."),
        ("", "Type a name: one letter or more."),
        ("abcdefghijklmno", "has read BOS a b c d e f g h i j k l m n o and expects"),
    ):
        widget.type_text(name, "A name for the model to read", enter=False)
        widget.expect_texts(sentence)
    widget.press("a", within=".letters").expect_texts("has read BOS a and expects")
    nonsense = "?transformer.box=constructor&transformer.name=3&transformer.position=-1"
    widget = open_widget("transformer", FORWARD_PASS_PAGE + nonsense)
    widget.expect_texts("has read BOS e m m and expects")


def test_what_if_training_ends_with_recorded_losses(open_widget: OpenWidget) -> None:
    widget = open_widget("what_if", "reference/what-if/?what.if=tanh")
    widget.expect_texts("What if the MLP bends by tanh").press("all weights 0")
    switches = {switch["question"]: switch for switch in what_if()["switches"]}
    for guess, answer in (
        ("Lower", "You said “Lower”."),
        ("Can’t tell them apart", "That’s what you said."),
    ):
        switch = switches[widget.find(".question").inner_text()]
        assert switch["difference"] is not None
        more = f"{abs(switch['difference']):.4f} ± "
        widget.press(guess).expect_texts(answer, more, "your run (ring, seed 1)")
        ends = recorded_losses()["plain"][0], switch["losses"][0]
        rows = widget.row_texts("usual"), widget.row_texts("changed")
        assert [row[1] for row in rows] == [f"{end:.3f}" for end in ends]
        if guess == "Lower":
            widget.press("Another seed").expect_texts("your run (ring, seed 2)")
            widget.move_slider("", "Home").expect_texts('"One step back" [disabled]')
            widget.press("Next")
            widget.expect_texts("What if we only draw other random numbers?")


def test_optimizer_race_equals_the_package(open_widget: OpenWidget) -> None:
    widget = open_widget("sliders", "adam/momentum/")
    for rate, steps in ((0.2, 100), (0.2, 1), (2, 2), (2, 100)):
        if rate == 2:
            widget.move_slider("rate", "End")
        widget.move_slider("step", steps)
        kinds = (("SGD", SGD, 0), ("momentum", SGD, 0.85), ("Adam", Adam, 0))
        for name, kind, beta in kinds:
            x, y = Value(-4.0), Value(1.5)
            optimizer, far = kind([x, y]), 0.0
            for _ in range(steps):
                x.grad = beta * x.grad + (1 - beta) * x.data
                y.grad = beta * y.grad + (1 - beta) * 50 * y.data
                optimizer.step(rate)
                far = math.hypot(x.data, y.data)
                if far > 10:
                    break
            *shown, critical_rate = widget.row_texts(name)
            if far > 10:
                assert shown == ["flew off"] * 2
            else:
                left = [abs(x.data), abs(y.data)]
                assert [*map(parse_number, shown)] == approx(left, abs=6e-4)
            # As in "Why momentum really works" (Goh, 2017), for steps along a mean
            limit = (
                "varies" if kind is Adam else f"{0.04 * (1 + beta) / (1 - beta):.2f}"
            )
            assert critical_rate == limit
    widget.expect_texts("SGD and momentum flew off; Adam got there in 32 steps.")
    # As the table on the page says
    for presses, verdict in (
        (2, "SGD and momentum flew off; Adam got there in 34 steps."),
        (2, "flew off; momentum got there in 30 steps; Adam got there in 40 steps."),
        (4, "SGD got there in 99 steps; momentum got there in 85 steps; Adam ran out"),
    ):
        for _ in range(presses):
            widget.move_slider("rate", "ArrowLeft")
        widget.expect_texts(verdict)


def test_dot_product_shows_products_and_sum(open_widget: OpenWidget) -> None:
    widget = open_widget("sliders", "gradient-descent/layers/")
    rows = "all => all.map(row => [...row.cells].slice(1, 5).map(x => x.textContent))"

    def products_add_up() -> None:
        cells = widget.find("tbody tr").evaluate_all(rows)
        table = [[parse_number(cell) for cell in row] for row in cells]
        assert [w * x for w, x, *_ in table] == approx([r[2] for r in table], abs=0.006)
        sums = [*accumulate(row[2] for row in table)]
        assert sums == approx([row[3] for row in table], abs=0.024)
        total = widget.find("tfoot").inner_text().split()[-1]
        assert parse_number(total) == table[-1][3]

    products_add_up()
    widget.move_slider("w: begins", "End")
    widget.expect_texts("The signs agree in 2 of 3 products", "score 2.50")
    widget.move_slider("w: begins", -0.5).expect_texts("cancels: the dot product is 0.")
    widget.move_slider("x: ends", "Home")
    products_add_up()


def test_softmax_bars_move_along_the_gradient(open_widget: OpenWidget) -> None:
    widget = open_widget("sliders", "gradient-descent/softmax-gradient/")
    logits = [0.0] * 27

    def pull(targets: str, rate: float) -> None:
        for target in map(LETTERS.index, targets):
            p = step1.softmax(logits)
            for token in range(27):
                logits[token] += rate * ((token == target) - p[token])
        widths = "all => all.map(fill => parseFloat(fill.style.height) / 100)"
        shares = widget.find(".rope .fill").evaluate_all(widths)
        assert shares == approx(step1.softmax(logits), abs=6e-4)

    pull("", 1)
    widget.press("a").expect_texts("“a” had 4%: it’s pulled up hard, by 0.96.")
    pull("a", 1)
    widget.press("a", "i").expect_texts("“i” had 3%: it’s pulled up hard, by 0.97.")
    pull("ai", 1)
    widget.move_slider("rate", 0.1).press("All my presses, a hundred times")
    pull("aai" * 100, 0.1)
    widget.expect_texts("Each bar has found its mark.")
    widget.press("Start again").expect_texts("All 27 are level.")


def test_sliders_compare_measured_and_true_slope(open_widget: OpenWidget) -> None:
    widget = open_widget("sliders", "gradient-descent/numerical-gradient/")
    _, _, weights = step1_setup()
    tokens, row = encode_name("emma"), weights["wte"][12]
    slope = step1.analytic_gradient(tokens, weights)["wte"][12][13]
    before, initial_weight = step1.mean_loss(tokens, weights), row[13]
    for digits, verdict in (
        (1, "Between the two points the curve bends"),
        (5, "agrees with the true one in about 6 digits"),
        (15, "The loss has not moved at all"),
    ):
        widget.move_slider("ε", digits).expect_texts(verdict)
        epsilon = 10.0**-digits
        row[13] = initial_weight + epsilon
        measured = (step1.mean_loss(tokens, weights) - before) / epsilon
        shown = widget.row_numbers("measured slope: that / ε")
        assert digits == 15 or shown == approx([measured], rel=6e-5)
        assert widget.row_numbers("true slope") == approx([slope], rel=6e-5)
