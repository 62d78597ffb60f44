from microgpt import Value
from microgpt.autograd import topological_order


def backward(output):
    """Fill in the gradient of every node."""
    output.grad = 1.0
    for node in reversed(topological_order(output)):
        for child, local in zip(node._children, node._local_grads):
            child.grad += local * node.grad


a = Value(2.0)
b = a + 1
c = a * b
backward(c)
print(f"{a.grad:g}")
