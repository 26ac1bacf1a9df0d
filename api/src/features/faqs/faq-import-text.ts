import { RICH_TEXT_TAGS } from '@apotheca/contract/rich-text';

/** A tag that rich text may have. */
const TAG = new RegExp(`</?(${RICH_TEXT_TAGS.join('|')}|b|i|div|span)(\\s[^<>]*)?/?>`, 'i');
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A cell as rich text: HTML as it is, to be sanitized; plain text as paragraphs, which empty lines part. */
export function htmlOf(cell: string): string {
  if (TAG.test(cell)) return cell;
  const escaped = cell.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character);
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replaceAll('\n', '<br>')}</p>`)
    .join('');
}
