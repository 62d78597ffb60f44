/** Hydrates widgets, which were rendered when the site was built. */

import { type ComponentType, h, hydrate } from "preact";

/** Props of a widget's component: the parameters of its Python function, and what that returned at build time. */
export interface WidgetProps<Parameters = object, Result = unknown> {
  parameters: Parameters;
  result: Result;
}

/** What a `view.tsx` exports. */
export interface WidgetModule {
  default: ComponentType<WidgetProps>;
}

/** Load the component of a widget's figure, and hydrate what was rendered in it. */
export async function hydrateWidget(figure: HTMLElement): Promise<void> {
  const name = figure.dataset["widget"] as string;
  const module = (await import(`../widgets/${name}/view.tsx`)) as WidgetModule;
  const script = figure.querySelector("script");
  const props = JSON.parse(script?.textContent ?? "") as WidgetProps;
  const view = figure.querySelector<HTMLElement>(".widget-view");
  if (view === null) throw new Error(`the widget ${name} has no element .widget-view`);
  hydrate(h(module.default, props), view);
  figure.dataset["hydrated"] = "";
}
