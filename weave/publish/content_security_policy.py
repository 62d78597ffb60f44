"""The content security policy of the built pages: what they may load and run.

Hosts of static files set no headers, so each page states the policy itself; the theme's
template puts it before all that it governs. Nothing comes from another origin, nothing
goes to one, and no script runs that is not a file of the site.
"""

from pathlib import Path

from weave.files import write_if_changed

POLICY_TEMPLATE_PATH = Path("web", "theme", "policy.html")  # the theme includes it
SOURCES_BY_DIRECTIVE = {
    "default-src": "'self'",
    # Python in the browser is WebAssembly; no text becomes a script, not even by `eval`.
    "script-src": "'self' 'wasm-unsafe-eval'",
    # Diagrams, formulas and widgets have styles on their elements; the editor writes a
    # sheet of its own. Styles can fetch only what the other lines allow.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",  # the theme's icons are data within its styles
    "connect-src": "'self' blob:",  # a worker polls a blob to see whether to stop: worker.ts
    # Python's worker begins as a blob, so that the page's policy binds it.
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}


def format_policy() -> str:
    """Return the policy as the value of the header `Content-Security-Policy`."""
    return "; ".join(
        f"{name} {sources}" for name, sources in SOURCES_BY_DIRECTIVE.items()
    )


def write_policy(root: Path, *, previewing: bool) -> None:
    """Write the policy for the theme's template.

    For a preview, write an empty file: a script inside its pages reloads them.
    """
    meta = f'<meta http-equiv="Content-Security-Policy" content="{format_policy()}">\n'
    write_if_changed(root / POLICY_TEMPLATE_PATH, b"" if previewing else meta.encode())
