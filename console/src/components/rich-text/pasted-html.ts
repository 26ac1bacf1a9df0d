import { nestQuillLists, nestWordLists } from './pasted-lists.ts';
import { stylesToTags, withoutStyles } from './pasted-styles.ts';

/** Word's settings, and marks that Quill draws: they have text that nobody wrote. */
const MACHINERY = 'style, script, meta, link, title, xml, .ql-ui, .ql-clipboard';
/** Blocks that ProseMirror knows nothing of: it would run the words of two of them together. */
const UNKNOWN_BLOCKS =
  'table, caption, thead, tbody, tfoot, tr, th, td, dt, main, nav, center, details, summary, legend';

/**
 * HTML from the clipboard in the editor's own words: without what Word adds, lists of Word and Quill as lists, cells as blocks. The
 * editor's schema then drops all it does not know.
 */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  for (const node of body.querySelectorAll(MACHINERY)) node.remove();
  // A field that is named like a property of its form hides that property from whoever reads the form, and from this as well.
  for (const node of body.querySelectorAll(':is([name], [id]):not(form)')) {
    node.removeAttribute('name');
    node.removeAttribute('id');
  }
  for (const node of body.querySelectorAll('.ql-code-block-container')) joinCodeLines(node);
  nestQuillLists(body);
  nestWordLists(body);
  for (const node of body.querySelectorAll(UNKNOWN_BLOCKS)) becomeDiv(node);
  stylesToTags(body);
  return body.innerHTML;
}

/** Quill has a code block as one element a line. */
function joinCodeLines(container: Element) {
  const pre = container.ownerDocument.createElement('pre');
  const code = container.ownerDocument.createElement('code');
  code.append([...container.children].map(({ textContent }) => textContent).join('\n'));
  pre.append(code);
  container.replaceWith(pre);
}

function becomeDiv(block: Element) {
  const div = block.ownerDocument.createElement('div');
  while (block.firstChild) div.append(block.firstChild);
  block.replaceWith(div);
}
