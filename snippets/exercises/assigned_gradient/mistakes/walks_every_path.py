"""A computed node that is used twice passes on the wrong amount: it must have
gathered all of its gradient before it passes any on."""

from microgpt import Value
from microgpt.autograd import topological_order


def backward(output, arriving=1.0):
    output.grad += arriving
    for child, local in zip(output._children, output._local_grads):
        backward(child, local * output.grad)


a = Value(2.0)
b = a + 1
c = a * b
backward(c)
print(f"{a.grad:g}")
