"""The process that runs the project's Python for weave: `python -m weave.project_server`.

It draws pictures, computes what widgets show and checks exercises, so that a build never
imports the project itself. It reads requests and writes answers as lines of JSON, as
`weave.json_process` explains.
"""

import json
import sys
from typing import Any

from runtime.runner import call_widget, run_blocks


def run_project_code(request: dict[str, Any]) -> Any:
    """Return the SVG of a picture, the result of a widget, or the hint of an exercise."""
    match request:
        case {"picture": name}:
            from pictures import draw_picture

            return draw_picture(name)
        case {"widget": name, "parameters": parameters}:
            reply = call_widget(name, parameters)
            if "error" in reply:
                raise ValueError(reply["error"]["reason"])
            return reply["result"]
        case {"exercise": name, "program": program}:
            result = run_blocks([program], lambda _: None, lambda *_: None, name)
            return result["error"] or result["hint"]
    raise ValueError(f"expected a picture, a widget or an exercise, got {request}")


def main() -> None:
    """Answer each line of standard input; what the code prints goes to standard error."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            result = run_project_code(json.loads(line))
            reply = json.dumps({"result": result}, allow_nan=False)
        except BaseException as error:  # noqa: BLE001  (any error of the project's code)
            reply = json.dumps({"error": f"{type(error).__name__}: {error}"})
        print(reply, file=answers, flush=True)


if __name__ == "__main__":
    main()
