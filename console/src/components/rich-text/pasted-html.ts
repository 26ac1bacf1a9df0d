import { adoptForeignMarkup } from '@apotheca/contract/foreign-markup';

/** Things that show something, for which the editor has nothing: a picture with an address of the web is a link by then. */
const LEFT_OUT = 'img, svg, video, audio, iframe, object, embed, canvas, input:not([type=hidden])';

/**
 * HTML from the clipboard in the editor's own words, as the server takes in what is written; the editor's schema then drops all it does
 * not know.
 * @returns the HTML, and how many things of it are left out
 */
export function cleanPasted(html: string): { html: string; leftOut: number } {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  // A field that is named like a property of its form hides that property from whoever reads the form, and from this as well.
  for (const node of body.querySelectorAll(':is([name], [id]):not(form)')) {
    node.removeAttribute('name');
    node.removeAttribute('id');
  }
  adoptForeignMarkup(body, 'data-style');
  // ProseMirror looks the name of the first tag up in a plain object, which has this one from Object.prototype.
  for (const node of body.querySelectorAll('constructor')) node.replaceWith(...node.childNodes);
  return { html: body.innerHTML, leftOut: body.querySelectorAll(LEFT_OUT).length };
}

/**
 * HTML that can be parsed: under the content security policy a browser neither takes nor bears styles and handlers, not even in a
 * document that is never shown, and reports each of them.
 */
const withoutStyles = (html: string): string =>
  html
    .replace(/<style\b[\s\S]*?<\/style\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(/\son[a-z]+\s*=/gi, ' data-dropped=').replace(/\sstyle\s*=/gi, ' data-style='),
    );
