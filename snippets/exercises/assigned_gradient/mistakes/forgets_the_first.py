"""Not even a * b comes out right: the output's own gradient is 1, and each child
gets its local gradient times the gradient of the node."""

from microgpt import Value
from microgpt.autograd import topological_order


def backward(output):
    for node in reversed(topological_order(output)):
        for child, local in zip(node._children, node._local_grads):
            child.grad += local * node.grad


a = Value(2.0)
b = a + 1
c = a * b
backward(c)
print(f"{a.grad:g}")
