/**
 * The one allow-list of rich text (DECISIONS §11): the server sanitizes by it when content is written, the console when content is
 * shown, and the editor offers nothing beyond it.
 */
export const RICH_TEXT_TAGS = [
  'p',
  'br',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'strong',
  'em',
  'u',
  's',
  'sub',
  'sup',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'hr',
  'a',
  'img',
  'table',
  'tbody',
  'tr',
  'th',
  'td',
] as const;

/** Allowed attributes, of the elements and with the values of {@link keptAttribute}. */
export const RICH_TEXT_ATTRIBUTES = [
  'href',
  'target',
  'rel',
  'dir',
  'src',
  'alt',
  'width',
  'height',
  'colspan',
  'rowspan',
] as const;

/** The types of files that can become pictures of rich text; their content tells, not their names. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Where the server has the pictures of rich text; behind it comes the SHA-256 of one. */
export const PICTURES = '/faqs/images/';
/** Whether an address is that of a picture of this server. No other picture is shown. */
export const isOwnPicture = (src: string): boolean => /^\/faqs\/images\/[0-9a-f]{64}$/.test(src);
/** The SHA-256 of each picture in sanitized rich text, once. */
export const picturesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<img [^>]*?src="\/faqs\/images\/([0-9a-f]{64})"/g)].map(([, hash = '']) => hash)),
];

/** Tags whose text may run from right to left. */
const DIRECTED_TAGS: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre'.split(' '));

/** The direction that an element keeps; undefined: left to right. @param tag in lower case @param dir the attribute's value */
export const directionOf = (tag: string, dir: string | null): 'rtl' | undefined =>
  DIRECTED_TAGS.has(tag) && dir?.trim().toLowerCase() === 'rtl' ? 'rtl' : undefined;

/** Attributes of every link in addition to its address: it opens another tab, which learns nothing about this one. */
export const LINK_ATTRIBUTES = { target: '_blank', rel: 'noopener noreferrer' } as const;

/** Pixels of a picture. */
const PIXELS = /^[1-9]\d{0,3}$/;
/** Cells of a row or column that one cell takes. */
const SPAN = /^([2-9]|[1-4]\d|50)$/;

/** The value that an attribute keeps; undefined: it is removed. @param tag in lower case */
export function keptAttribute(tag: string, name: string, value: string): string | undefined {
  if (name === 'dir') return directionOf(tag, value);
  if (tag === 'a' && name === 'href') return safeHref(value);
  if (tag === 'a' && (name === 'target' || name === 'rel')) return value;
  if (tag === 'img' && name === 'alt') return value;
  const isKept =
    (tag === 'img' &&
      ((name === 'src' && isOwnPicture(value)) || (/^(width|height)$/.test(name) && PIXELS.test(value)))) ||
    (/^t[hd]$/.test(tag) && /^(col|row)span$/.test(name) && SPAN.test(value));
  return isKept ? value : undefined;
}

/**
 * Rich text with its tags changed, and nothing between them. They are read with their attributes: older browsers leave a < in one as it is,
 * and what were put there would end it.
 */
export const withTags = (html: string, change: (tag: string) => string): string =>
  html.replace(/<(?:"[^"]*"|[^">])*>/g, change);

const inAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Sanitized rich text whose tables scroll by themselves where they are too wide, with the keyboard too. @param label what a table is called */
export function withScrollingTables(html: string, label = 'Table'): string {
  const begin = `<div class="rich-text-table" role="group" aria-label="${inAttribute(label)}" tabindex="0"><table>`;
  return withTags(html, (tag) => {
    if (tag === '<table>') return begin;
    return tag === '</table>' ? '</table></div>' : tag;
  });
}

const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:'];

/**
 * The address that a link may have: http, https, mailto, tel and relative addresses stay, all others become about:blank (SPEC §5).
 */
export function safeHref(href: string): string {
  // Trimmed first: after a blank that only trim() removes, such as U+00A0, URL.parse would not see the protocol.
  const address = href.trim();
  // Parsed as browsers do: they ignore tabs, line breaks and leading control characters in a protocol (WHATWG URL).
  const url = URL.parse(address, 'https://relative.invalid/');
  return url && SAFE_PROTOCOLS.includes(url.protocol) ? address : 'about:blank';
}

const TYPED_EMAIL = /^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/;
const TYPED_HOST = /^(([\p{L}\p{N}-]+\.)+\p{L}{2,}|(\d+\.){3}\d+|\[[\da-f:.]+\])(:\d+)?([/?#]\S*)?$/iu;

/**
 * The address that a typed link means: email addresses, host names and IP addresses get the protocol that was left out, and all go through
 * {@link safeHref}.
 */
export function typedHref(typed: string): string {
  const address = typed.trim();
  if (TYPED_EMAIL.test(address)) return `mailto:${address}`;
  return safeHref(TYPED_HOST.test(address) ? `https://${address}` : address);
}

/** What {@link safeHref} allows, for DOMPurify, whose own rule refuses about:blank. */
const SAFE_HREFS = /^(?:about:blank$|(?:https?|mailto|tel):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;

/** The allow-list as DOMPurify takes it. */
export const RICH_TEXT_RULES = {
  ALLOWED_TAGS: [...RICH_TEXT_TAGS] as string[],
  ALLOWED_ATTR: [...RICH_TEXT_ATTRIBUTES] as string[],
  ALLOWED_URI_REGEXP: SAFE_HREFS,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Whether rich text shows nothing: it has only tags, blanks and invisible characters. */
export const isEmptyRichText = (html: string): boolean =>
  !/<(hr|img)\b/i.test(html) &&
  html
    // Stops at the next '<': else the time for a text of nothing but '<' would grow with the square of its length.
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|#160|#xa0|ZeroWidthSpace|#8203|#x200b);/gi, '')
    .replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '') === '';
