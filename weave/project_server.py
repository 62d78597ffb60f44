"""What the project's Python answers to weave: `python -m weave.project_server`.

It reads questions, each a line of JSON, and writes answers, as `weave.json_process` explains.
"""

import json
import sys
from typing import Any

from runtime.runner import call, run


def answer_request(question: Any) -> Any:
    """Return what a picture looks like, or what a program gives."""
    match question:
        case {"picture": name}:
            from pictures import drawn

            return drawn(name)
        case {"widget": name, "parameters": parameters}:
            came = call(name, parameters)
            if "refused" in came:
                raise ValueError(came["refused"]["reason"])
            return came["result"]
        case {"exercise": name, "program": program}:
            outcome = run([program], lambda _: None, lambda *_: None, name)
            return outcome["error"] or outcome["hint"]
    raise ValueError(f"nothing answers {question}")


def main() -> None:
    """Answer each line; what the program itself prints is no answer."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            reply = json.dumps(
                {"result": answer_request(json.loads(line))}, allow_nan=False
            )
        except BaseException as error:  # noqa: BLE001  (all that a program may raise)
            reply = json.dumps({"error": f"{type(error).__name__}: {error}"})
        print(reply, file=answers, flush=True)


if __name__ == "__main__":
    main()
