/** What a mail says. */
export interface MailText {
  subject: string;
  /** Sentences, and links, which stand alone. */
  paragraphs: readonly (string | { link: string })[];
}

/** The same text twice: plain, and as simple HTML. */
export function bodyOf({ subject, paragraphs }: MailText): { text: string; html: string } {
  const plain = paragraphs.map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.link));
  const marked = paragraphs.map((paragraph) => `<p>${markedUp(paragraph)}</p>`);
  return {
    text: `${plain.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${marked.join('\n')}
</body>
</html>
`,
  };
}

function markedUp(paragraph: MailText['paragraphs'][number]): string {
  if (typeof paragraph === 'string') return escaped(paragraph);
  const link = escaped(paragraph.link);
  return `<a href="${link}">${link}</a>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
