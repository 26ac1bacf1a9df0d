import { childElementsOf, elementsIn, isElement, unwrap } from '@apotheca/contract/dom-elements';
import { adoptForeignMarkup } from '@apotheca/contract/foreign-markup';
import { keptAttribute, LINK_ATTRIBUTES, RICH_TEXT_RULES } from '@apotheca/contract/rich-text';
import createDOMPurify, { type Config } from 'dompurify';
import { JSDOM } from 'jsdom';

/** More than anybody nests by hand. Browsers limit nesting to 512, so a deeper tree would be another one there than the sanitized one. */
const MAX_DEPTH = 100;
/** How often a text is sanitized until it stays the same. Readers parse the sanitized text again, so that must not change it. */
const MAX_PASSES = 6;

const CONFIG: Config & { RETURN_DOM: true } = {
  ...RICH_TEXT_RULES,
  // The root element itself; a parser makes no second one inside it.
  ALLOWED_TAGS: [...RICH_TEXT_RULES.ALLOWED_TAGS, 'body'],
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  RETURN_DOM: true,
};

// This document runs no scripts and loads nothing.
const { window } = new JSDOM('');
const purifier = createDOMPurify(window);
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  const kept = keptAttribute(element.localName, attribute.attrName, attribute.attrValue);
  attribute.attrValue = kept ?? '';
  attribute.keepAttr = kept !== undefined;
});

/**
 * Reduces rich text to what contract/rich-text allows, in one form: sanitizing it twice changes nothing.
 * @returns undefined if it is nested too deeply, or keeps changing
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
    if (element.localName === 'img' && !element.hasAttribute('src')) element.remove();
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

/** Removes comments, next to which DOMPurify takes text such as `<b` for a hidden tag, and drops it or refuses the whole. */
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

/** Keeps a line break right after `<pre>`: parsers drop it, and serializers do not put it back. */
function keepLineBreak({ firstChild }: Element): void {
  if (firstChild?.nodeName === '#text' && firstChild.nodeValue?.startsWith('\n')) {
    firstChild.nodeValue = `\n${firstChild.nodeValue}`;
  }
}
