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
] as const;

/** Attributes that stay: of links `href`, which goes through `safeHref`, and the two that are always the same; of blocks `dir`. */
export const RICH_TEXT_ATTRIBUTES = ['href', 'target', 'rel', 'dir'] as const;

/** Tags that may be written from right to left. */
const DIRECTED_TAGS: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre'.split(' '));

/** The direction that stays of an element, whose lack is from left to right. @param tag in lower case @param dir as it is written */
export const directionOf = (tag: string, dir: string | null): 'rtl' | undefined =>
  DIRECTED_TAGS.has(tag) && dir?.trim().toLowerCase() === 'rtl' ? 'rtl' : undefined;

/** What every link carries beside its address: it opens another tab, which learns nothing of this one. */
export const LINK_ATTRIBUTES = { target: '_blank', rel: 'noopener noreferrer' } as const;

const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:'];

/**
 * The address that a link may have: http, https, mailto, tel and whatever is relative stay as they are, all else becomes about:blank
 * (SPEC §5).
 */
export function safeHref(href: string): string {
  // Trimmed before it is judged: a blank that only trim() takes away would hide a protocol.
  const address = href.trim();
  // As a browser reads it: tabs, line breaks and leading control characters count for nothing in a protocol (WHATWG URL).
  const url = URL.parse(address, 'https://relative.invalid/');
  return url && SAFE_PROTOCOLS.includes(url.protocol) ? address : 'about:blank';
}

const TYPED_EMAIL = /^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/;
const TYPED_HOST = /^([\p{L}\p{N}-]+\.)+\p{L}{2,}(:\d+)?([/?#]\S*)?$/u;

/**
 * The address that somebody means who types a link: an email address and the name of a host get the protocol that they were typed
 * without, all else is as {@link safeHref} has it.
 */
export function typedHref(typed: string): string {
  const address = typed.trim();
  if (TYPED_EMAIL.test(address)) return `mailto:${address}`;
  if (TYPED_HOST.test(address)) return `https://${address}`;
  return safeHref(address);
}

/** What {@link safeHref} lets through, for DOMPurify, whose own rule knows no about:blank. */
export const SAFE_HREFS = /^(?:about:blank$|(?:https?|mailto|tel):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;

/** Whether rich text shows nothing: tags, blanks and characters without a shape only. */
export const isEmptyRichText = (html: string): boolean =>
  !/<hr\b/i.test(html) &&
  html
    // Up to the next '<' at most: a text of nothing but '<' would take time that grows with its square.
    .replace(/<[^<>]*>/g, '')
    .replace(/&(nbsp|#160|#xa0|ZeroWidthSpace|#8203|#x200b);/gi, '')
    .replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '') === '';
