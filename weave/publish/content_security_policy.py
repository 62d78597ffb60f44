"""What the built pages allow themselves: their content security policy.

Hosts of static files set no headers, so each page states the policy itself; the theme's
template puts it before all that it is about. Nothing comes from another origin, nothing
goes to one, and no script runs that is not a file of the site.
"""

from pathlib import Path

from weave.files import write_if_changed

# Included by the theme's template.
POLICY_TEMPLATE = Path("web", "theme", "policy.html")

POLICY = {
    "default-src": "'self'",
    # Python in the browser is WebAssembly; no text becomes a script, not even by `eval`.
    "script-src": "'self' 'wasm-unsafe-eval'",
    # Diagrams, formulas and widgets have styles on their elements; the editor writes a
    # sheet of its own. Styles can fetch only what the other lines allow.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",  # the theme's icons are data within its styles
    "connect-src": "'self' blob:",  # by a blob a run knows that it may go on: worker.ts
    # Python's worker begins as a blob, so that the page's policy binds it.
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def format_policy() -> str:
    """Return the policy as a header or a page states it."""
    return "; ".join(f"{about} {allowed}" for about, allowed in POLICY.items())


def write_policy(root: Path, *, previewing: bool) -> None:
    """Write the policy for the template; none while an author previews.

    A preview reloads its pages by a script inside them.
    """
    meta = f'<meta http-equiv="Content-Security-Policy" content="{format_policy()}">\n'
    write_if_changed(root / POLICY_TEMPLATE, b"" if previewing else meta.encode())
