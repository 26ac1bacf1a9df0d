/** What stands around the words of an element, and before those of a line. */
const AROUND: Partial<Record<string, string>> = { strong: '**', em: '*', u: '_', s: '~~', code: '`' };
const BEFORE: Partial<Record<string, string>> = { blockquote: '> ', hr: '―――' };
const LINES: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table tr'.split(' '));
/** Characters of a picture's hash that tell it from others. */
const HASH_LENGTH = 8;

/** Rich text as lines of plain text that also show headings, lists, links, pictures, tables and emphasis. */
export function richTextLines(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return textOf(body)
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

function textOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element)) return '';
  const inner = [...node.childNodes].map(textOf).join('');
  const tag = node.localName;
  const around = AROUND[tag] ?? '';
  if (tag === 'br') return '\n';
  if (tag === 'a') return `${inner} (${node.getAttribute('href')})`;
  if (tag === 'img') return `[${node.getAttribute('alt')} ${node.getAttribute('src')?.slice(-HASH_LENGTH)}]`;
  if (tag === 'td' || tag === 'th') return `${inner.trim()} | `;
  return LINES.has(tag) ? `\n${beginningOf(node)}${inner}\n` : around + inner + around;
}

function beginningOf({ localName, parentElement }: Element): string {
  if (/^h[1-6]$/.test(localName)) return `${'#'.repeat(Number(localName[1]))} `;
  if (localName === 'li') return parentElement?.localName === 'ol' ? '1. ' : '• ';
  return BEFORE[localName] ?? '';
}
