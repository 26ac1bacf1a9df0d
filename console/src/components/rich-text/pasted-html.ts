import { adoptForeignMarkup } from '@apotheca/contract/foreign-markup';
import { isOwnPicture, PICTURES } from '@apotheca/contract/rich-text';

/**
 * Visible things that the editor does not support. A picture with a web address has become a link before this is used.
 */
const LEFT_OUT = `img:not([src^='${PICTURES}']), svg, video, audio, iframe, object, embed, canvas, input:not([type=hidden])`;

/**
 * Converts clipboard HTML to what the editor supports, by the same rules as the server; the editor's schema drops
 * everything else.
 * @returns the HTML, and the number of visible things left out
 */
export function cleanPasted(html: string): { html: string; leftOut: number } {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  // A field with the name of one of its form's properties hides that property from scripts, this one included.
  for (const node of body.querySelectorAll(':is([name], [id]):not(form)')) {
    node.removeAttribute('name');
    node.removeAttribute('id');
  }
  // Copied from a page of this server, where the browser writes whole addresses.
  for (const picture of body.querySelectorAll('img')) {
    const address = URL.parse(picture.src);
    if (address?.origin === location.origin && isOwnPicture(address.pathname))
      picture.setAttribute('src', address.pathname);
  }
  adoptForeignMarkup(body, 'data-style');
  // ProseMirror looks up the first tag's name in a plain object, which inherits `constructor` from Object.prototype.
  for (const node of body.querySelectorAll('constructor')) node.replaceWith(...node.childNodes);
  return { html: body.innerHTML, leftOut: body.querySelectorAll(LEFT_OUT).length };
}

/**
 * HTML without styles and handlers, which can be parsed under the content security policy: browsers report each of them
 * as a violation, even in a document that is never shown.
 */
const withoutStyles = (html: string): string =>
  html
    .replace(/<style\b[\s\S]*?<\/style\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(/\son[a-z]+\s*=/gi, ' data-dropped=').replace(/\sstyle\s*=/gi, ' data-style='),
    );
