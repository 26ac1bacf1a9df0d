import { styleOf, stylesToTags, withoutStyles } from './pasted-styles.ts';

/** Word's paragraphs of a list, which are no list in its HTML: the level stands in the style, the bullet in a span. */
const WORD_ITEM = /mso-list:\s*l\d+\s+level(\d)/i;
const WORD_BULLET = '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]';
const NUMBER = /^\s*(\d+|[a-z]{1,4})[.)]/i;

/** HTML from the clipboard without what Word adds, its lists as lists; the editor's schema then drops all it does not know. */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  for (const node of body.querySelectorAll('style, script, meta, link, title, xml')) node.remove();
  // A field that is named like a property of its form hides that property from whoever reads the form, and from this as well.
  for (const node of body.querySelectorAll(':is([name], [id]):not(form)')) {
    node.removeAttribute('name');
    node.removeAttribute('id');
  }
  const items = [...body.querySelectorAll<HTMLElement>('p[data-style]')].filter((node) => levelOf(node) > 0);
  for (const item of items) intoList(item);
  stylesToTags(body);
  return body.innerHTML;
}

const levelOf = (node: HTMLElement): number => Number(WORD_ITEM.exec(styleOf(node))?.[1] ?? 0);

/** Moves a paragraph of Word's into the list before it, at its level, or into a new one. */
function intoList(paragraph: HTMLElement) {
  const level = levelOf(paragraph);
  const bullet = paragraph.querySelector(WORD_BULLET);
  const tag = NUMBER.test(bullet?.textContent ?? '') ? 'ol' : 'ul';
  bullet?.remove();
  const { ownerDocument } = paragraph;
  const item = ownerDocument.createElement('li');
  const before = paragraph.previousElementSibling;
  let list = before?.matches('[data-pasted-list]') ? before : undefined;
  if (!list) {
    list = ownerDocument.createElement(tag);
    list.setAttribute('data-pasted-list', '');
    paragraph.before(list);
  }
  for (let depth = 1; depth < level; depth += 1) list = innerList(list, tag);
  list.append(item);
  item.append(...paragraph.childNodes);
  paragraph.remove();
}

/** The list at the end of a list's last item. */
function innerList(list: Element, tag: 'ol' | 'ul'): Element {
  const { ownerDocument } = list;
  const item = list.lastElementChild ?? list.appendChild(ownerDocument.createElement('li'));
  const last = item.lastElementChild;
  return last?.matches('ol, ul') ? last : item.appendChild(ownerDocument.createElement(tag));
}
