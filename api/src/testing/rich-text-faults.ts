import { LINK_ATTRIBUTES, RICH_TEXT_ATTRIBUTES, RICH_TEXT_TAGS } from '@apotheca/contract/rich-text';
import { JSDOM } from 'jsdom';

const TAGS: readonly string[] = RICH_TEXT_TAGS;
const ATTRIBUTES: readonly string[] = RICH_TEXT_ATTRIBUTES;
const DIRECTED = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre'];
const HTML = 'http://www.w3.org/1999/xhtml';
const PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:'];

const { document } = new JSDOM('<!doctype html>', { url: 'https://console.test/' }).window;

/**
 * What a browser would find in rich text that is forbidden: a tag or attribute, a comment, a dangerous address. The text is parsed
 * as in a page, and checked by rules that are independent of the sanitizer's.
 */
export function findFaults(html: string): string[] {
  const shown = document.createElement('div');
  shown.innerHTML = html;
  const faults: string[] = [];
  const nodes: Node[] = [...shown.childNodes];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.nodeName === '#comment') faults.push('a comment');
    nodes.push(...node.childNodes);
  }
  for (const element of shown.querySelectorAll('*')) faults.push(...faultsOf(element));
  return faults;
}

function faultsOf(element: Element): string[] {
  const faults: string[] = [];
  const tag = element.localName;
  if (!TAGS.includes(tag) || element.namespaceURI !== HTML) faults.push(`<${tag}>`);
  for (const { name, value } of element.attributes) {
    if (name === 'dir' && value === 'rtl' && DIRECTED.includes(tag)) continue;
    if (isOfPicture(tag, name, value) || isOfCell(tag, name, value)) continue;
    if (tag !== 'a' || name === 'dir' || !ATTRIBUTES.includes(name)) faults.push(`<${tag} ${name}>`);
    else if (name === 'href' && !isHarmless(element)) faults.push(`href=${value}`);
    else if (name !== 'href' && value !== LINK_ATTRIBUTES[name as keyof typeof LINK_ATTRIBUTES]) faults.push(name);
  }
  if (tag === 'a' && element.attributes.length !== 3) faults.push('a link without all its attributes');
  return faults;
}

const isOfPicture = (tag: string, name: string, value: string): boolean =>
  tag === 'img' &&
  ((name === 'src' && /^\/faqs\/images\/[0-9a-f]{64}$/.test(value)) ||
    name === 'alt' ||
    (['width', 'height'].includes(name) && /^\d{1,4}$/.test(value)));

const isOfCell = (tag: string, name: string, value: string): boolean =>
  ['th', 'td'].includes(tag) && ['colspan', 'rowspan'].includes(name) && /^\d{1,2}$/.test(value);

/** Whether a link is harmless, by the protocol that the browser sees. */
function isHarmless(link: Element & { protocol?: string; href?: string }): boolean {
  return PROTOCOLS.includes(link.protocol ?? '') || link.href === 'about:blank';
}
