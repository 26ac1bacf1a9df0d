import { childElementsOf, childNodesOf, elementsIn, moveContent, unwrap } from './dom-elements.ts';
import { nestQuillLists, nestWordLists, type StyleOf } from './foreign-lists.ts';
import { linkMedia } from './foreign-media.ts';
import { directionOf, RICH_TEXT_ATTRIBUTES, RICH_TEXT_TAGS } from './rich-text.ts';

/** Elements that stand for one of the allowed ones. A text may name any element, `constructor` too: no plain object. */
const SYNONYMS = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['strike', 's'],
  ['del', 's'],
  ['ins', 'u'],
]);
const ALLOWED: ReadonlySet<string> = new Set(RICH_TEXT_TAGS);

/** Formatting that Word and Google Docs have as a style only. Word's `mso-bidi-font-weight` and the like are other properties. */
const STYLES: [pattern: RegExp, tag: string][] = [
  [/(?:^|;)\s*font-weight\s*:\s*(bold|[6-9]\d\d)/i, 'strong'],
  [/(?:^|;)\s*font-style\s*:\s*(italic|oblique)/i, 'em'],
  [/(?:^|;)\s*text-decoration(-line)?\s*:[^;]*underline/i, 'u'],
  [/(?:^|;)\s*text-decoration(-line)?\s*:[^;]*line-through/i, 's'],
  [/(?:^|;)\s*vertical-align\s*:\s*sub/i, 'sub'],
  [/(?:^|;)\s*vertical-align\s*:\s*super/i, 'sup'],
];
const NOT_BOLD = /(?:^|;)\s*font-weight\s*:\s*(normal|[1-4]\d\d)/i;

const ALLOWED_BLOCKS = 'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr'.split(' ');
/** Blocks that are not allowed: what stands in them becomes paragraphs, so that words of two of them do not run together. */
const FOREIGN_BLOCKS = new Set(
  (
    'div section article header footer main aside nav address hgroup center figure figcaption dl dt dd form fieldset legend ' +
    'details summary table caption colgroup thead tbody tfoot tr th td'
  ).split(' '),
);
const BLOCKS = new Set([...ALLOWED_BLOCKS, ...FOREIGN_BLOCKS]);

/**
 * Says in the tags of rich-text.ts what Quill, Word, Google Docs and web pages say otherwise: on the server in what is written, in the
 * console in what is pasted. It only keeps formatting: what must not stay is taken out afterwards.
 * @param styleAttribute where an element's style is, if the document may not have it in `style`
 */
export function adoptForeignMarkup(body: HTMLElement, styleAttribute = 'style'): void {
  const styleOf: StyleOf = (element) => element.getAttribute(styleAttribute) ?? '';
  for (const element of elementsIn(body)) if (isMachinery(element)) element.remove();
  joinCodeLines(elementsIn(body));
  linkMedia(elementsIn(body));
  nestQuillLists(elementsIn(body));
  nestWordLists(elementsIn(body), styleOf);
  for (const element of elementsIn(body)) renameElement(element, styleOf(element));
  // Inner ones first: what holds a paragraph by then is no text to be put into one.
  for (const element of elementsIn(body).reverse()) if (FOREIGN_BLOCKS.has(element.localName)) unwrapBlock(element);
}

const MACHINERY = new Set(['xml', 'script', 'style', 'title']);

/** Marks that Quill draws, Word's settings, and what is never shown: they have text that nobody wrote. */
const isMachinery = (element: Element): boolean =>
  MACHINERY.has(element.localName) || element.classList.contains('ql-ui') || element.classList.contains('ql-clipboard');

/** Quill has a code block as one element a line, or as a `pre` of its own class. */
function joinCodeLines(elements: readonly Element[]): void {
  for (const element of elements) {
    const isContainer = element.classList.contains('ql-code-block-container');
    if (!isContainer && !(element.localName === 'pre' && element.classList.contains('ql-syntax'))) continue;
    const lines = isContainer
      ? childElementsOf(element)
          .map(({ textContent }) => textContent)
          .join('\n')
      : element.textContent;
    const pre = element.ownerDocument.createElement('pre');
    const code = element.ownerDocument.createElement('code');
    code.append(lines.replace(/\n$/, ''));
    pre.append(code);
    element.replaceWith(pre);
  }
}

function renameElement(element: Element, style: string): void {
  const tag = SYNONYMS.get(element.localName);
  if (element.localName === 'a') wrapContent(element, style);
  // Google Docs puts a whole document into a <b> that is not bold.
  if ((tag === 'strong' || element.localName === 'strong') && NOT_BOLD.test(style)) unwrap(element);
  else if (tag) replaceElement(element, tag);
  else if (element.localName === 'span' || element.localName === 'font') {
    wrapContent(element, style);
    unwrap(element);
  }
  // A custom element's name would come back when the tree is written as text. What goes anyway may have a name that nothing is made by.
  else if (ALLOWED.has(element.localName) && element.hasAttribute('is')) replaceElement(element, element.localName);
}

/** Puts what an element has in it into the tags that its style stands for. */
function wrapContent(element: Element, style: string): void {
  if (style === '' || !element.hasChildNodes() || hasBlock(element)) return;
  const isLink = element.closest('a') !== null || element.firstElementChild?.localName === 'a';
  for (const [pattern, tag] of STYLES) {
    // Links are underlined anyway.
    if (!pattern.test(style) || (tag === 'u' && isLink)) continue;
    const wrapper = element.ownerDocument.createElement(tag);
    moveContent(element, wrapper);
    element.append(wrapper);
  }
}

function replaceElement(element: Element, tag: string): void {
  const replacement = element.ownerDocument.createElement(tag);
  for (const name of RICH_TEXT_ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value !== null) replacement.setAttribute(name, value);
  }
  moveContent(element, replacement);
  element.replaceWith(replacement);
}

/** Takes an element away from around its content; text between its blocks becomes paragraphs. */
function unwrapBlock(element: Element): void {
  let paragraph: Element | undefined;
  for (const node of childNodesOf(element)) {
    if (node.nodeType === node.COMMENT_NODE) {
      node.remove();
    } else if (hasBlock(node)) {
      paragraph = undefined;
    } else if (paragraph) {
      paragraph.append(node);
    } else if (node.nodeName === 'BR' || /\S/.test(node.textContent ?? '')) {
      paragraph = element.ownerDocument.createElement('p');
      node.replaceWith(paragraph);
      paragraph.append(node);
    }
  }
  handDirection(element);
  unwrap(element);
}

/** What stands in a block that is written from right to left is written so too, unless it says otherwise. */
function handDirection(element: Element): void {
  if (directionOf('p', element.getAttribute('dir')) === undefined) return;
  for (const child of childElementsOf(element)) if (!child.hasAttribute('dir')) child.setAttribute('dir', 'rtl');
}

/** Whether a node is a block or has one in it. */
function hasBlock(node: Node): boolean {
  return BLOCKS.has(node.nodeName.toLowerCase()) || childNodesOf(node).some(hasBlock);
}
