"""A GPT in pure Python: what the guide explains, line by line."""

from microgpt.attention import Cache, attend
from microgpt.autograd import Value, topological_order
from microgpt.checkpoint import load_model, load_run, save_model, save_run
from microgpt.data import load_names
from microgpt.engines.run import Run
from microgpt.expression import evaluate
from microgpt.graph import mermaid
from microgpt.model import GPT, Config
from microgpt.nn import dot, linear, rmsnorm, softmax
from microgpt.optim import SGD, Adam, linear_decay
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import document_loss

__version__ = "0.1.0"

__all__ = [
    "GPT",
    "SGD",
    "Adam",
    "Cache",
    "Config",
    "Run",
    "Tokenizer",
    "Value",
    "attend",
    "document_loss",
    "dot",
    "evaluate",
    "linear",
    "linear_decay",
    "load_model",
    "load_names",
    "load_run",
    "mermaid",
    "rmsnorm",
    "sample",
    "save_model",
    "save_run",
    "softmax",
    "topological_order",
]
