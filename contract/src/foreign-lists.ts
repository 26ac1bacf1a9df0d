import { childElementsOf, elementsIn, moveContent, unwrap } from './dom-elements.ts';

/** A list item of Quill or Word: not nested, with its depth as a number. */
interface FlatItem {
  item: Element;
  level: number;
  kind: 'ul' | 'ol';
}

/** Reads an element's style; empty where it has none. */
export type StyleOf = (element: Element) => string;

/** The characters for the boxes of Quill's checklists, as plain lists have no boxes. */
const BOXES = new Map([
  ['checked', '\u2611 '],
  ['unchecked', '\u2610 '],
]);

/** Nests the lists of Quill, which are flat: an item's type is in `data-list` or on its list, its depth in a class. */
export function nestQuillLists(elements: readonly Element[]): void {
  for (const list of elements) {
    if (list.localName !== 'ol' && list.localName !== 'ul') continue;
    const items = childElementsOf(list);
    const isOfQuill = list.hasAttribute('data-checked') || items.some(isItemOfQuill);
    if (!isOfQuill || items.some((item) => item.localName !== 'li')) continue;
    replaceByLists(
      list,
      items.map((item) => quillItem(item, typeOf(list))),
    );
  }
}

/** Makes lists of the paragraphs that Word writes for list items; their depth is in the style. */
export function nestWordLists(elements: readonly Element[], styleOf: StyleOf): void {
  const levelOf = (element: Element) => wordLevel(element, styleOf);
  for (const first of elements) {
    if (levelOf(first) === undefined || !first.parentNode) continue;
    const run = [first];
    for (let next = first.nextElementSibling; next && levelOf(next) !== undefined; next = next.nextElementSibling) {
      run.push(next);
    }
    const place = first.ownerDocument.createElement('ul');
    first.before(place);
    replaceByLists(
      place,
      run.map((paragraph) => wordItem(paragraph, styleOf)),
    );
  }
}

const isItemOfQuill = (item: Element): boolean =>
  item.hasAttribute('data-list') || /\bql-indent-\d/.test(item.className);

/** The type of list items that do not name it themselves: older versions of Quill name it on the list, with `data-checked` for boxes. */
function typeOf(list: Element): string {
  const isChecked = list.getAttribute('data-checked');
  if (isChecked !== null) return isChecked === 'true' ? 'checked' : 'unchecked';
  return list.localName === 'ol' ? 'ordered' : 'bullet';
}

function quillItem(item: Element, typeOfList: string): FlatItem {
  const type = item.getAttribute('data-list') ?? typeOfList;
  const box = BOXES.get(type);
  if (box) item.prepend(box);
  return {
    item,
    level: Number(/\bql-indent-(\d)/.exec(item.className)?.[1] ?? 0),
    kind: type === 'ordered' ? 'ol' : 'ul',
  };
}

function wordLevel(element: Element, styleOf: StyleOf): number | undefined {
  if (element.localName !== 'p') return undefined;
  const level = /mso-list:\s*l\d+\s+level(\d)/i.exec(styleOf(element))?.[1];
  return level === undefined ? undefined : Number(level);
}

/** The paragraph as a list item, without the bullet or number that Word puts before it. */
function wordItem(paragraph: Element, styleOf: StyleOf): FlatItem {
  const level = wordLevel(paragraph, styleOf) ?? 1;
  const marks = elementsIn(paragraph).filter((span) => /mso-list:\s*ignore/i.test(styleOf(span)));
  const mark = marks.map(({ textContent }) => textContent).join('');
  for (const span of marks) span.remove();
  const item = paragraph.ownerDocument.createElement('li');
  moveContent(paragraph, item);
  paragraph.remove();
  return { item, level, kind: /^\s*\(?[\da-z]{1,5}[.)]/i.test(mark) ? 'ol' : 'ul' };
}

/** Replaces an element by nested lists: a deeper item goes into a list inside the item before it. */
function replaceByLists(place: Element, items: readonly FlatItem[]): void {
  const open: { level: number; list: Element }[] = [];
  for (const { item, level, kind } of items) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level && (open.length > 1 || level === 0)) open.pop();
    const last = open.at(-1);
    if (last && last.level >= level && last.list.localName !== kind) open.pop();
    let top = open.at(-1);
    if (!top || top.level < level) {
      const list = place.ownerDocument.createElement(kind);
      const inside = top?.list.lastElementChild;
      if (inside) inside.append(list);
      else place.before(list);
      top = { level, list };
      open.push(top);
    }
    top.list.append(item);
  }
  unwrap(place);
}
