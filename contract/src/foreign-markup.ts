import { childElementsOf, childNodesOf, elementsIn, moveContent, unwrap } from './dom-elements.ts';
import { nestQuillLists, nestWordLists, type StyleOf } from './foreign-lists.ts';
import { linkMedia } from './foreign-media.ts';
import { directionOf, RICH_TEXT_ATTRIBUTES, RICH_TEXT_TAGS } from './rich-text.ts';

/** Elements that mean the same as an allowed one. A Map, because a text may contain an element named `constructor`. */
const SYNONYMS = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['strike', 's'],
  ['del', 's'],
  ['ins', 'u'],
  ['thead', 'tbody'],
  ['tfoot', 'tbody'],
]);
const ALLOWED: ReadonlySet<string> = new Set(RICH_TEXT_TAGS);

/** Formatting that Word and Google Docs write as a style only. Word's `mso-bidi-font-weight` and the like are other properties. */
const STYLES: [pattern: RegExp, tag: string][] = [
  [/(?:^|;)\s*font-weight\s*:\s*(bold|[6-9]\d\d)/i, 'strong'],
  [/(?:^|;)\s*font-style\s*:\s*(italic|oblique)/i, 'em'],
  [/(?:^|;)\s*text-decoration(-line)?\s*:[^;]*underline/i, 'u'],
  [/(?:^|;)\s*text-decoration(-line)?\s*:[^;]*line-through/i, 's'],
  [/(?:^|;)\s*vertical-align\s*:\s*sub/i, 'sub'],
  [/(?:^|;)\s*vertical-align\s*:\s*super/i, 'sup'],
];
const NOT_BOLD = /(?:^|;)\s*font-weight\s*:\s*(normal|[1-4]\d\d)/i;

const ALLOWED_BLOCKS = 'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table tbody thead tfoot tr th td'.split(' ');
/** Blocks that are not allowed. Their content becomes paragraphs, so that words of two blocks do not run together. */
const FOREIGN_BLOCKS = new Set(
  (
    'div section article header footer main aside nav address hgroup center figure figcaption dl dt dd form fieldset legend ' +
    'details summary caption colgroup'
  ).split(' '),
);
const BLOCKS = new Set([...ALLOWED_BLOCKS, ...FOREIGN_BLOCKS]);

/**
 * Turns the markup of Quill, Word, Google Docs and web pages into the tags of rich-text.ts: on the server for text that is saved, in the
 * console for text that is pasted. It only preserves formatting; what is not allowed is removed afterwards.
 * @param styleAttribute the attribute that holds an element's style, where the document cannot have `style`
 */
export function adoptForeignMarkup(body: HTMLElement, styleAttribute = 'style'): void {
  const styleOf: StyleOf = (element) => element.getAttribute(styleAttribute) ?? '';
  for (const element of elementsIn(body)) if (isUnwritten(element)) element.remove();
  joinCodeLines(elementsIn(body));
  linkMedia(elementsIn(body));
  nestQuillLists(elementsIn(body));
  nestWordLists(elementsIn(body), styleOf);
  for (const element of elementsIn(body)) renameElement(element, styleOf(element));
  // Inner blocks first: by then their text is in paragraphs, and is not put into another one.
  for (const element of elementsIn(body).reverse()) if (FOREIGN_BLOCKS.has(element.localName)) unwrapBlock(element);
}

const WITHOUT_TEXT = new Set(['xml', 'script', 'style', 'title']);

/** Whether no author wrote an element's text: Quill's list markers, Word's settings, scripts and styles. */
const isUnwritten = (element: Element): boolean =>
  WITHOUT_TEXT.has(element.localName) ||
  element.classList.contains('ql-ui') ||
  element.classList.contains('ql-clipboard');

/** Makes one `pre` of each code block of Quill: these are an element a line, or a `pre` with a class of Quill's. */
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
  // A customized element (`is`) is replaced, else its name would return when the tree is written as text. Only allowed elements
  // are: others are removed later, and may have names that createElement refuses.
  else if (ALLOWED.has(element.localName) && element.hasAttribute('is')) replaceElement(element, element.localName);
}

/** Wraps an element's content in the tags that its style stands for. */
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

/** Replaces a block by its content; text between inner blocks becomes paragraphs. */
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
  passOnDirection(element);
  unwrap(element);
}

/** Passes right-to-left direction on to the blocks inside, unless they name a direction. */
function passOnDirection(element: Element): void {
  if (directionOf('p', element.getAttribute('dir')) === undefined) return;
  for (const child of childElementsOf(element)) if (!child.hasAttribute('dir')) child.setAttribute('dir', 'rtl');
}

/** Whether a node is a block or has one in it. */
function hasBlock(node: Node): boolean {
  return BLOCKS.has(node.nodeName.toLowerCase()) || childNodesOf(node).some(hasBlock);
}
