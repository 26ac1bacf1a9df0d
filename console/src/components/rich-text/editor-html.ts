import { isEmptyRichText } from '@apotheca/contract/rich-text';
import { getSchema, type JSONContent } from '@tiptap/core';
import { DOMSerializer, type Node, DOMParser as SchemaParser } from '@tiptap/pm/model';
import { EXTENSIONS } from './extensions.ts';
import { sanitize } from './sanitize.ts';

const parser = SchemaParser.fromSchema(getSchema(EXTENSIONS));

/**
 * Converts stored HTML, sanitized, to a document of the editor. Passing HTML as Tiptap's `content` would lose line
 * breaks between words and between lines of code.
 */
export function contentOf(html: string): JSONContent {
  const { body } = new DOMParser().parseFromString(sanitize(html), 'text/html');
  return parser.parse(body).toJSON();
}

/** The HTML to store for a document of the editor; the empty string where it looks empty. */
export function htmlOf(doc: Node): string {
  const inert = document.implementation.createHTMLDocument();
  const box = inert.createElement('div');
  box.append(DOMSerializer.fromSchema(doc.type.schema).serializeFragment(doc.content, { document: inert }));
  for (const paragraph of box.querySelectorAll('p:empty')) paragraph.append(inert.createElement('br'));
  return isEmptyRichText(box.innerHTML) ? '' : box.innerHTML;
}
