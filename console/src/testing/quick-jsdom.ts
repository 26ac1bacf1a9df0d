/**
 * What tests ask of jsdom for each element again and again, answered without going through the whole page or all rules of its style sheet.
 * Both together took up to half of what a test of a page takes. quick-jsdom.test.ts compares the answers with jsdom's.
 */

/** jsdom's own answers. */
export const slowly = {
  styleOf: window.getComputedStyle.bind(window),
  labelsOf: (field: HTMLInputElement): NodeListOf<HTMLLabelElement> | null => labels?.call(field),
};
const { get: labels } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'labels') ?? {};

/** The attributes that decide in jsdom's style sheet whether an element is shown, and how. */
const DECISIVE = ['hidden', 'open', 'type', 'popover'];
const INHERITED: Record<string, string> = { visibility: 'visible', 'pointer-events': 'auto' };
/** How elements are displayed, by their name and what is decisive. */
const displays = new Map<string, string>();

/** A property of an element's style, where no style sheet is in the page. */
function readStyle(element: Element, name: string): string {
  const decides = (one: Element) => one.getAttribute('style')?.includes(name) ?? false;
  const ask = () => slowly.styleOf(element).getPropertyValue(name);
  if (name in INHERITED) {
    for (let one: Element | null = element; one; one = one.parentElement)
      if (decides(one) || one.hasAttribute('hidden')) return ask();
    return INHERITED[name] ?? '';
  }
  if (name !== 'display' || decides(element)) return ask();
  const kind = JSON.stringify([element.localName, ...DECISIVE.map((one) => element.getAttribute(one))]);
  const known = displays.get(kind) ?? ask();
  displays.set(kind, known);
  return known;
}

window.getComputedStyle = (element, pseudo) => {
  if (pseudo || document.styleSheets.length > 0) return slowly.styleOf(element, pseudo);
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') return (one: string) => readStyle(element, one);
      if (name === 'pointerEvents') return readStyle(element, 'pointer-events');
      if (name === 'display' || name === 'visibility') return readStyle(element, name);
      return Reflect.get(slowly.styleOf(element), name);
    },
  });
};

for (const { prototype } of [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement])
  Object.defineProperty(prototype, 'labels', { configurable: true, get: labelsOf });

/** The labels of a field in the page, as HTML has them: those that name it, and the one around it that names none. */
function labelsOf(this: HTMLElement): HTMLLabelElement[] | null {
  if (this instanceof HTMLInputElement && this.type === 'hidden') return null;
  const around = this.closest<HTMLLabelElement>('label:not([for])');
  const isFirst = around?.querySelector('button, input:not([type="hidden"]), select, textarea') === this;
  const isNamed = this.id !== '' && document.getElementById(this.id) === this;
  if (!isNamed) return around && isFirst ? [around] : [];
  return allLabels().filter((label) => (label === around ? isFirst : label.htmlFor === this.id));
}

/** All labels of the page, without the search by name that jsdom makes at each step through a collection. */
function allLabels(): HTMLLabelElement[] {
  const found = document.getElementsByTagName('label');
  const { get: length } = Object.getOwnPropertyDescriptor(HTMLCollection.prototype, 'length') ?? {};
  const { item } = HTMLCollection.prototype;
  return Array.from({ length: length?.call(found) }, (_, index) => item.call(found, index) as HTMLLabelElement);
}
