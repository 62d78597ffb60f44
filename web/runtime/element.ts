/** An element with a text, which is nothing but text. */
export function element(name: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
