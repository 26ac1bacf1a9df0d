/** The text of some HTML, on one line. */
export function plainText(html: string): string {
  // A tag ends a word, as paragraphs and line breaks do.
  const { body } = new DOMParser().parseFromString(html.replace(/<[^>]*>/g, ' '), 'text/html');
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}
