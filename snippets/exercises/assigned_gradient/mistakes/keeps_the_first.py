"""Where no value is used twice, all gradients are right. In a * (a + b), a is used
twice, and one of the two contributions is lost."""

from microgpt import Value
from microgpt.autograd import topological_order


def backward(output):
    output.grad = 1.0
    for node in reversed(topological_order(output)):
        for child, local in zip(node._children, node._local_grads):
            child.grad = child.grad or local * node.grad


a = Value(2.0)
b = a + 1
c = a * b
backward(c)
print(f"{a.grad:g}")
