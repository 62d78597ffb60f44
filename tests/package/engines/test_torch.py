"""The engine of PyTorch, and the options that only it has."""

import random
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from microgpt import Config, Run
from tests.models import encode_name
from tests.package.helpers import NAMES, run_microgpt

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: pip install 'microgpt-guide[torch]'"
)
from microgpt.engines.torch import Engine, find_device, translate_torch_errors
from tests.marks import nightly

DOCUMENTS = [*map(encode_name, ("", "a", "emma", "annalena"))]


def test_inference_model_keeps_its_weights_while_its_engine_trains() -> None:
    engine = Engine(Config(), random.Random(1))
    model = engine.inference_model
    before = [x.data for x in model.forward(26, [])]
    engine.step(DOCUMENTS, 0.01)
    assert [x.data for x in model.forward(26, [])] == before
    assert [x.data for x in engine.inference_model.forward(26, [])] != before


@pytest.mark.parametrize("precision, tolerance", [("float32", 1e-4), ("bfloat16", 0.2)])
def test_float32_and_bfloat16_losses_are_close_to_float64(
    precision: str, tolerance: float
) -> None:
    exact = list(Run(NAMES, Config(), 1000, engine=Engine).train(30))
    engine = partial(Engine, precision=precision)
    coarse = list(Run(NAMES, Config(), 1000, engine=engine).train(30))
    assert coarse != exact
    assert coarse == pytest.approx(exact, rel=0, abs=tolerance)


@nightly
def test_torch_compile_gives_the_same_losses() -> None:
    engine = partial(Engine, compile=True)
    runs = [Run(NAMES, Config(), 1000, engine=e) for e in (Engine, engine)]
    expected, losses = (list(run.train(20)) for run in runs)
    assert losses == pytest.approx(expected, rel=0, abs=1e-9)


def test_find_device_accepts_known_and_refuses_unknown_names() -> None:
    assert find_device("cpu") == torch.device("cpu")
    accelerator = torch.accelerator.current_accelerator(True)
    assert find_device("auto").type == (accelerator.type if accelerator else "cpu")
    for name in ("meta", "toaster", "", "cuda:99"):
        with pytest.raises(ValueError, match=f"^PyTorch finds no device '{name}' on"):
            find_device(name)


def test_device_without_float64_suggests_precision_float32(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal = TypeError("Cannot convert a MPS Tensor to float64 dtype")
    monkeypatch.setattr(torch, "zeros", Mock(side_effect=refusal))
    with pytest.raises(ValueError, match="add --precision float32"):
        find_device("mps", torch.float64)


@pytest.mark.parametrize(
    ("error", "is_out_of_memory"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (RuntimeError("CUDA error: an illegal memory access was encountered"), False),
    ],
)
def test_only_out_of_memory_errors_become_memory_error(
    error: Exception, is_out_of_memory: bool
) -> None:
    expected = MemoryError if is_out_of_memory else RuntimeError
    with pytest.raises(MemoryError), translate_torch_errors():
        torch.empty(10**15)
    with pytest.raises(expected) as raised, translate_torch_errors():
        raise error
    assert (raised.value.__cause__ if is_out_of_memory else raised.value) is error


def test_run_resumes_with_another_precision_and_device(dataset_folder: Path) -> None:
    """Resuming on an unknown device is refused, and changes no file."""
    saved = ("train", "--docs", "names", "--stop-after")
    assert run_microgpt(*saved, 2, "--save", "f", cwd=dataset_folder).returncode == 0
    files = {path: path.read_bytes() for path in dataset_folder.iterdir()}
    args = (*saved, 4, "--resume", "f", "--engine", "torch", "--precision", "bfloat16")
    result = run_microgpt(*args, "--device", "auto", cwd=dataset_folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert "step    3 /" in result.stdout and "step    4 /" in result.stdout
    bad = run_microgpt(*args, "--device", "toaster", "--save", "g", cwd=dataset_folder)
    problem = "PyTorch finds no device 'toaster' on this machine: type --device auto or --device cpu"
    sentence = f"microgpt: error: {problem}\n"
    assert (bad.returncode, bad.stdout, bad.stderr) == (1, "", sentence)
    assert {path: path.read_bytes() for path in dataset_folder.iterdir()} == files


@nightly
def test_missing_cpp_compiler_is_reported_in_one_sentence(tmp_path: Path) -> None:
    changes = {"CXX": "/nowhere/g++", "TORCHINDUCTOR_CACHE_DIR": str(tmp_path)}
    options = ("--engine", "torch", "--compile", "--steps", 1)
    result = run_microgpt("train", *options, cwd=tmp_path, **changes)
    problem = "PyTorch finds no C++ compiler: install one, or leave out --compile"
    assert (result.returncode, result.stderr) == (1, f"microgpt: error: {problem}\n")
