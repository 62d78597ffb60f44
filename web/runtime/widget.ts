/** Brings a widget that was drawn when the site was built to life. */

import { type ComponentType, h, hydrate } from "preact";

/** What the page knows of a widget: the parameters and result it was drawn from. */
export interface Given<Parameters = object, Result = unknown> {
  parameters: Parameters;
  result: Result;
}

/** What a `view.tsx` exports. */
export interface WidgetModule {
  default: ComponentType<Given>;
}

/** Load the component of a figure and let it take over what stands there. */
export async function mountWidget(figure: HTMLElement): Promise<void> {
  const name = figure.dataset["widget"] as string;
  const module = (await import(`../widgets/${name}/view.tsx`)) as WidgetModule;
  const script = figure.querySelector("script");
  const given = JSON.parse(script?.textContent ?? "") as Given;
  const stage = figure.querySelector<HTMLElement>(".stage");
  if (stage === null) throw new Error(`the widget ${name} has no stage`);
  hydrate(h(module.default, given), stage);
  figure.dataset["alive"] = "";
}
