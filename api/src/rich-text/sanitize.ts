import { childElementsOf, elementsIn, isElement, unwrap } from '@apotheca/contract/dom-elements';
import { adoptForeignMarkup } from '@apotheca/contract/foreign-markup';
import {
  directionOf,
  LINK_ATTRIBUTES,
  RICH_TEXT_ATTRIBUTES,
  RICH_TEXT_TAGS,
  SAFE_HREFS,
  safeHref,
} from '@apotheca/contract/rich-text';
import createDOMPurify, { type Config } from 'dompurify';
import { JSDOM } from 'jsdom';

/** Nobody nests deeper by hand. Browsers cut nesting off at 512, which would be another tree than the one that was looked at. */
const MAX_DEPTH = 100;
/** What was sanitized is written as text and read again, by readers too, so it has to come back as it is. */
const MAX_PASSES = 6;

const CONFIG: Config & { RETURN_DOM: true } = {
  // The root that is handed over; a parser makes no second one inside it.
  ALLOWED_TAGS: [...RICH_TEXT_TAGS, 'body'],
  ALLOWED_ATTR: [...RICH_TEXT_ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOWED_URI_REGEXP: SAFE_HREFS,
  RETURN_DOM: true,
};

// Nothing runs and nothing is loaded in it.
const { window } = new JSDOM('');
const purifier = createDOMPurify(window);
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  if (attribute.attrName === 'dir') attribute.keepAttr = keepDirection(element, attribute);
  else if (element.nodeName !== 'A') attribute.keepAttr = false;
  else if (attribute.attrName === 'href') attribute.attrValue = safeHref(attribute.attrValue);
});

function keepDirection(element: Element, attribute: { attrValue: string }): boolean {
  const direction = directionOf(element.localName, attribute.attrValue);
  attribute.attrValue = direction ?? '';
  return direction !== undefined;
}

/**
 * Leaves of rich text what contract/rich-text allows, in one form: sanitizing twice changes nothing.
 * @returns undefined where it is nested too deeply, or does not come to rest
 */
export function sanitize(html: string): string | undefined {
  let before = html;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const after = sanitizeOnce(before);
    if (after === undefined || after === before) return after;
    before = after;
  }
  return undefined;
}

function sanitizeOnce(html: string): string | undefined {
  const { body } = new window.DOMParser().parseFromString(html, 'text/html');
  if (isTooDeep(body)) return undefined;
  dropComments(body);
  adoptForeignMarkup(body);
  const clean = purifier.sanitize(body, CONFIG);
  if (!isElement(clean)) return undefined;
  for (const element of elementsIn(clean)) {
    if (element.localName === 'a') finishLink(element);
    if (element.localName === 'pre') keepLineBreak(element);
  }
  return clean.innerHTML;
}

function isTooDeep(body: Element): boolean {
  let level = childElementsOf(body);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(childElementsOf);
  }
  return false;
}

/** DOMPurify takes text such as `<b` for a hidden tag where a comment stands beside it, and drops it or refuses the whole. */
function dropComments(body: Element): void {
  const comments = body.ownerDocument.createNodeIterator(body, window.NodeFilter.SHOW_COMMENT);
  for (let comment = comments.nextNode(); comment; comment = comments.nextNode()) {
    comment.parentNode?.removeChild(comment);
  }
}

function finishLink(link: Element): void {
  if (link.hasAttribute('href')) {
    for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) link.setAttribute(name, value);
  } else {
    unwrap(link);
  }
}

/** A parser drops a line break right after `<pre>`, and a serialiser does not put it back. */
function keepLineBreak({ firstChild }: Element): void {
  if (firstChild?.nodeName === '#text' && firstChild.nodeValue?.startsWith('\n')) {
    firstChild.nodeValue = `\n${firstChild.nodeValue}`;
  }
}
