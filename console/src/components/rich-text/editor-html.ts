import { isEmptyRichText } from '@apotheca/contract/rich-text';
import { DOMSerializer, type Node } from '@tiptap/pm/model';

/** A document of the editor as it is stored; the empty string where it looks empty. */
export function htmlOf(doc: Node): string {
  const inert = document.implementation.createHTMLDocument();
  const box = inert.createElement('div');
  box.append(DOMSerializer.fromSchema(doc.type.schema).serializeFragment(doc.content, { document: inert }));
  for (const paragraph of box.querySelectorAll('p:empty')) paragraph.append(inert.createElement('br'));
  return isEmptyRichText(box.innerHTML) ? '' : box.innerHTML;
}
