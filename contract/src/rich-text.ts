/**
 * The one allow-list of rich text (DECISIONS §11): the server sanitises by it when content is written, the console when content is
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

/** Attributes that stay; `href` goes through `safeHref`, the other two are always the same. */
export const RICH_TEXT_ATTRIBUTES = ['href', 'target', 'rel'] as const;

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
