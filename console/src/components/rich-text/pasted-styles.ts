/** Where a style says what a tag could say, as Word and Google Docs write it. */
const MARKS: readonly { tag: 'strong' | 'em' | 'u' | 's' | 'sub' | 'sup'; style: RegExp }[] = [
  { tag: 'strong', style: /(?:^|;)\s*font-weight\s*:\s*(?:bold|bolder|[6-9]00)/i },
  { tag: 'em', style: /(?:^|;)\s*font-style\s*:\s*(?:italic|oblique)/i },
  { tag: 'u', style: /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*underline/i },
  { tag: 's', style: /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*line-through/i },
  { tag: 'sub', style: /(?:^|;)\s*vertical-align\s*:\s*sub/i },
  { tag: 'sup', style: /(?:^|;)\s*vertical-align\s*:\s*super/i },
];
/** Google Docs puts all it copies into a <b> that is none. */
const NOT_BOLD = /(?:^|;)\s*font-weight\s*:\s*(?:normal|[1-4]00)/i;

/**
 * HTML that can be parsed: under the content security policy a browser neither takes nor bears styles and handlers, not even in a
 * document that is never shown, and reports each of them.
 */
export const withoutStyles = (html: string): string =>
  html
    .replace(/<style\b[\s\S]*?<\/style\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(/\son[a-z]+\s*=/gi, ' data-dropped=').replace(/\sstyle\s*=/gi, ' data-style='),
    );

/** The style that an element had. */
export const styleOf = (node: Element): string => node.getAttribute('data-style') ?? '';

/** Puts tags in the place of the styles that mean the same; the others go. */
export function stylesToTags(body: HTMLElement): void {
  for (const node of body.querySelectorAll('b[data-style], strong[data-style]')) {
    if (NOT_BOLD.test(styleOf(node))) node.replaceWith(...node.childNodes);
  }
  for (const node of body.querySelectorAll('span[data-style], font[data-style], a[data-style]')) {
    for (const { tag, style } of MARKS) {
      // Every link is underlined.
      if (style.test(styleOf(node)) && !(tag === 'u' && node.closest('a'))) wrapContent(node, tag);
    }
  }
  for (const node of body.querySelectorAll('[data-style]')) node.removeAttribute('data-style');
}

function wrapContent(node: Element, tag: string) {
  const mark = node.ownerDocument.createElement(tag);
  mark.append(...node.childNodes);
  node.append(mark);
}
