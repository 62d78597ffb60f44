"""Without scripts, each switch of What if leads to its answer."""

from tests.promises.site import Site
from widgets.what_if.model import what_if

PAGE = "reference/what-if/"


def test_without_scripts_each_switch_leads_to_its_answer(site: Site) -> None:
    html = (site.folder / PAGE / "index.html").read_text(encoding="utf-8")
    for switch in what_if()["switches"]:
        assert f'href="#{switch["anchor"]}"' in html
        assert f'<h3 id="{switch["anchor"]}">' in html
