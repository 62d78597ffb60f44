"""The engines in C agree with the graph, and pass nothing to C that would harm it."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.final_losses import STEP_1_PARTS
from microgpt import Config, Tokenizer
from microgpt.engines import c, compiler, variant
from microgpt.engines.protocol import EngineState, initial_state
from microgpt.engines.variant import CHOICES_BY_VARIANT_FIELD, VariantChoices
from tests.package.helpers import NAMES, restore_weights, to_floats
from tests.processes import run_python
from tests.variant_gpt import CONFIG, DOCUMENTS, TESTED_NUMBERS_BY_FIELD, VariantGPT

needs_posix = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")
RNG = random.Random(1)
SINGLE_CHOICES = [
    {field: choice}
    for field, choices in CHOICES_BY_VARIANT_FIELD.items()
    for choice in (choices[1:] or TESTED_NUMBERS_BY_FIELD[field])
]
COMBINED_CHOICES = [
    {
        field: RNG.choice(
            [*(CHOICES_BY_VARIANT_FIELD[field] or TESTED_NUMBERS_BY_FIELD[field])]
        )
        for field in RNG.sample(
            [*CHOICES_BY_VARIANT_FIELD], len(CHOICES_BY_VARIANT_FIELD) // 2
        )
    }
    for _ in range(20)
]


@pytest.mark.parametrize(
    "parts", [{}, *SINGLE_CHOICES, STEP_1_PARTS, *COMBINED_CHOICES], ids=str
)
def test_variant_engine_loss_and_gradient_equal_autograd(parts: VariantChoices) -> None:
    model = VariantGPT(parts)
    parameters = model.parameters()
    engine = variant.Engine(CONFIG, random.Random(), parts=parts)
    restore_weights(engine, to_floats(parameters))
    entropy = model.mean_document_loss("cross-entropy").data
    assert engine.compute_gradient(DOCUMENTS) == pytest.approx(entropy, rel=1e-12)
    model.mean_document_loss(str(model.parts["loss"])).backward()
    expected = [p.grad for p in parameters]
    rounding = 1e-12 * max(map(abs, expected))
    gradient = engine.copy_section(c.MemorySection.GRADIENT)
    assert gradient == pytest.approx(expected, rel=1e-12, abs=rounding)


def test_default_variant_engine_equals_c_engine_bit_for_bit() -> None:
    documents = [Tokenizer(NAMES).document(name) for name in NAMES]
    kinds = (c.Engine, variant.Engine)
    engines = [kind(Config(n_layer=2), random.Random(1)) for kind in kinds]
    losses = [[e.step(documents, 0.01) for _ in range(10)] for e in engines]
    assert losses[0] == losses[1]
    assert engines[0].state() == engines[1].state()
    plain = c.Engine(CONFIG, random.Random(1)).copy_section(c.MemorySection.WEIGHTS)
    biased = variant.Engine(
        CONFIG, random.Random(1), parts={"biases": "yes"}
    ).copy_section(c.MemorySection.WEIGHTS)
    assert biased[: len(plain)] == plain and not any(biased[len(plain) :])


STATE_OF_ANOTHER_SIZE = initial_state(Config(), random.Random(1))
PARAMETER_COUNT = CONFIG.num_parameters
STRINGS: list[Any] = ["x"] * PARAMETER_COUNT
ZEROS = [0.0] * PARAMETER_COUNT
STATE_WITH_STRINGS = EngineState(ZEROS, STRINGS, ZEROS)


@pytest.mark.parametrize(
    ("action", "error"),
    [
        *(
            (lambda e, t=t: e.compute_logits(t), "token")
            for t in ([5], [-1], [], [0] * 5)
        ),
        (lambda e: e.step([[4, 0], []], 0.1), "token"),
        (lambda e: e.restore(STATE_OF_ANOTHER_SIZE), "expected a state of"),
        (lambda e: e.restore(STATE_WITH_STRINGS), "real number"),
    ],
)
def test_c_engine_refuses_invalid_tokens_and_states_unchanged(
    action: Callable[[c.Engine], object], error: str
) -> None:
    engine = c.Engine(CONFIG, random.Random(1))
    before = engine.state()
    with pytest.raises((ValueError, TypeError), match=error):
        action(engine)
    assert engine.state() == before


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"dropout": "yes"}, "expected one of .*, got 'dropout'"),
        ({"norm": "batch"}, "expected norm to be one of rms, layer, none, got 'batch'"),
        ({"window": "all"}, "expected window to be a number, got 'all'"),
        ({"window": -1}, "expected window to be a number, got -1"),
    ],
)
def test_variant_engine_refuses_unknown_parts(
    parts: VariantChoices, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        variant.Engine(CONFIG, random.Random(1), parts=parts)


def test_c_engine_refuses_too_large_sizes_and_unknown_precision() -> None:
    for kind in (c.Engine, variant.Engine):
        with pytest.raises(MemoryError):
            kind(Config(n_layer=30, n_embd=10_000, n_head=1), random.Random(1))
    with pytest.raises(ValueError, match="float32, got bfloat16"):
        c.Engine(CONFIG, random.Random(1), precision="bfloat16")
    with pytest.raises(ValueError, match="at most 32 layers, got 33"):
        variant.Engine(Config(n_layer=33), random.Random(1))


def test_python_estimate_of_c_memory_is_large_enough() -> None:
    for config in (CONFIG, Config(), Config(block_size=100, n_layer=3)):
        engine = c.Engine(config, random.Random(1))
        spare = c.max_memory_elements(config) - len(engine.memory)
        assert 0 <= spare <= c.MAX_TILE_COLUMNS
    for loss in CHOICES_BY_VARIANT_FIELD["loss"]:  # of a large vocabulary, too
        config = Config(30_000, 1, 4, 1, 4)
        engine = variant.Engine(config, random.Random(1), parts={"loss": loss})
        assert engine.compute_gradient([[29_999, 0, 1]]) > 0


def write_script(path: Path, text: str) -> str:
    """Write a shell script that stands in for a compiler; return its path."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def slow_compiler_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and a fake compiler that copies a library after 0.3 s."""
    monkeypatch.setitem(sys.modules, "ziglang", None)
    library = compiler.compile_library("-DREAL=double")
    monkeypatch.setenv(
        "CC", write_script(tmp_path / "quick", f'sleep 0.3\ncp {library} "$3"')
    )
    monkeypatch.setattr(compiler, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@needs_posix
def test_compiled_library_is_cached_and_rebuilt_if_damaged(
    slow_compiler_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor() as pool:
        [library] = {*pool.map(lambda _: compiler.compile_library(), range(3))}
    assert [*slow_compiler_cache.iterdir()] == [library]
    whole = library.read_bytes()
    for length in (3000, 0):
        os.truncate(library, length)
        assert compiler.compile_library().read_bytes() == whole
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PATH", "")
    assert compiler.compile_library() == library
    with pytest.raises(ModuleNotFoundError, match="no C compiler"):
        compiler.compile_library("-DREAL=float")
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ModuleNotFoundError, match="browser cannot compile C") as raised:
        compiler.compile_library()
    assert raised.value.name == "c"  # so that `load_engine` says what is missing


@needs_posix
def test_compiler_failure_is_reported_unless_another_compiler_works(
    slow_compiler_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = write_script(
        tmp_path / "broken", "echo gpt.c:1: error: no time >&2; exit 1"
    )
    commands = [[broken], [str(tmp_path / "quick")]]
    monkeypatch.setattr(compiler, "find_compilers", lambda: iter(commands[:1]))
    message = f"cannot compile gpt.c: {broken}: gpt.c:1: error: no time"
    with pytest.raises(ValueError, match=f"^{message}$"):
        compiler.compile_library()
    assert not [*slow_compiler_cache.iterdir()]
    monkeypatch.setattr(compiler, "find_compilers", lambda: iter(commands))
    assert compiler.compile_library().parent == slow_compiler_cache


@needs_posix
@pytest.mark.parametrize(
    "home", [Mock(side_effect=RuntimeError), Path("/dev/null").joinpath, None]
)
def test_library_is_compiled_into_a_temporary_folder_without_a_usable_cache(
    slow_compiler_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    home: Callable[[], Path] | None,
) -> None:
    good, source = compiler.compile_library(), tmp_path / "gpt.c"
    source.write_text(compiler.GPT_C_PATH.read_text())
    if home:
        monkeypatch.setattr(compiler, "cache_folder", home)
    else:  # as on a disk from which no program may run
        monkeypatch.setenv("CC", write_script(tmp_path / "broken", 'echo broken >"$3"'))
        compiler.compile_library("-DREAL=double", source=source)
    monkeypatch.setenv("CC", write_script(tmp_path / "good", f'cp {good} "$3"'))
    c.load_library.cache_clear()
    library = c.load_library("float64", source)
    assert Path(library._name).parent.name.startswith("microgpt-")


SANITIZER_PYTHON_CODE = """
import random, sys
from pathlib import Path
from microgpt import Config
from microgpt.engines import c, variant

c.compile_library = lambda *_, **__: Path(sys.argv[1])
c.load_library.cache_clear()
single = [{field: choice} for field, all in variant.CHOICES_BY_VARIANT_FIELD.items() for choice in all or [3]]
for config in (Config(5, 2, 6, 3, 4), Config()):
    for parts in single if "variants" in sys.argv[2] else [None]:
        kind = variant.Engine if parts else c.Engine
        engine = kind(config, random.Random(1), **({"parts": parts} if parts else {}))
        for count in (1, 2, 40):
            documents = [[4, 0, 3, 1, 4, 2, 0][: 2 + n % 6] for n in range(count)]
            loss = engine.step(documents, 0.01)
        engine.compute_logits([1, 2, 3])
print(loss)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("gcc"), reason="gcc on Linux is missing"
)
@pytest.mark.parametrize("source", [compiler.GPT_C_PATH, variant.VARIANTS_C_PATH])
def test_sanitizers_find_no_fault_in_c_code(source: Path, tmp_path: Path) -> None:
    library = tmp_path / "checked.so"
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    strict = ["-Wall", "-Wextra", "-Werror", "-g", "-O1", "-std=c99"]
    build = ["gcc", *strict, *checks, "-shared", "-fPIC", str(source)]
    subprocess.run([*build, "-o", str(library), "-lm"], check=True)
    query = ["gcc", "-print-file-name=libasan.so"]
    runtime = subprocess.check_output(query, text=True)
    preloaded = {"LD_PRELOAD": runtime.strip(), "ASAN_OPTIONS": "detect_leaks=0"}
    result = run_python("-c", SANITIZER_PYTHON_CODE, library, source, **preloaded)
    assert result.returncode == 0, result.stderr
    assert float(result.stdout) > 0
