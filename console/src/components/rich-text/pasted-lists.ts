import { styleOf } from './pasted-styles.ts';

/** A list item as Quill and Word have it: flat, with its depth beside it. */
interface FlatItem {
  item: Element;
  level: number;
  kind: 'ul' | 'ol';
}

/** What a box of Quill's checklist becomes: a plain list has no boxes. */
const BOXES = new Map([
  ['checked', '\u2611 '],
  ['unchecked', '\u2610 '],
]);

/** Word's paragraphs of a list, which are no list in its HTML: the level stands in the style, the mark in a span. */
const WORD_ITEM = /mso-list:\s*l\d+\s+level(\d)/i;
const WORD_MARK = '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]';
const NUMBER = /^\s*\(?[\da-z]{1,5}[.)]/i;

/** Nests the lists of Quill, which are flat: an item's kind is in `data-list` or its list, its depth in a class. */
export function nestQuillLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ol, ul')) {
    const items = [...list.children];
    if (!items.every(({ localName }) => localName === 'li')) continue;
    if (!list.hasAttribute('data-checked') && !items.some(isOfQuill)) continue;
    nest(
      list,
      items.map((item) => quillItem(item, list)),
    );
  }
}

/** Makes lists of the paragraphs that Word has for list items. */
export function nestWordLists(body: HTMLElement): void {
  for (const first of body.querySelectorAll('p[data-style]')) {
    const isInList = !first.parentNode;
    if (isInList || wordLevel(first) === 0) continue;
    const run = [first];
    for (let next = first.nextElementSibling; next && wordLevel(next) > 0; next = next.nextElementSibling) {
      run.push(next);
    }
    const place = first.ownerDocument.createElement('ul');
    first.before(place);
    nest(place, run.map(wordItem));
  }
}

const isOfQuill = (item: Element): boolean => item.hasAttribute('data-list') || /\bql-indent-\d/.test(item.className);

function quillItem(item: Element, list: Element): FlatItem {
  const type = item.getAttribute('data-list') ?? quillType(list);
  item.prepend(BOXES.get(type) ?? '');
  return {
    item,
    level: Number(/\bql-indent-(\d)/.exec(item.className)?.[1] ?? 0),
    kind: type === 'ordered' ? 'ol' : 'ul',
  };
}

/** The type of the items that do not name their own. */
function quillType(list: Element): string {
  const checked = list.getAttribute('data-checked');
  if (checked !== null) return checked === 'true' ? 'checked' : 'unchecked';
  return list.localName === 'ol' ? 'ordered' : 'bullet';
}

const wordLevel = (node: Element): number =>
  node.localName === 'p' ? Number(WORD_ITEM.exec(styleOf(node))?.[1] ?? 0) : 0;

/** The paragraph as an item, without the mark that Word draws before it. */
function wordItem(paragraph: Element): FlatItem {
  const mark = paragraph.querySelector(WORD_MARK);
  mark?.remove();
  const item = paragraph.ownerDocument.createElement('li');
  item.append(...paragraph.childNodes);
  paragraph.remove();
  return { item, level: wordLevel(paragraph), kind: NUMBER.test(mark?.textContent ?? '') ? 'ol' : 'ul' };
}

/** Puts nested lists in an element's place: a deeper item goes into a list inside the item before it. */
function nest(place: Element, items: readonly FlatItem[]) {
  const open: { list: Element; level: number }[] = [];
  for (const { item, level, kind } of items) {
    let top = open.at(-1);
    while (top && (top.level > level || (top.level === level && top.list.localName !== kind))) {
      open.pop();
      top = open.at(-1);
    }
    if (!top || top.level < level) {
      const list = place.ownerDocument.createElement(kind);
      const around = top?.list.lastElementChild;
      if (around) around.append(list);
      else place.before(list);
      top = { list, level };
      open.push(top);
    }
    top.list.append(item);
  }
  place.remove();
}
