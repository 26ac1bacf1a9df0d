import { directionOf } from '@apotheca/contract/rich-text';
import { type AnyExtension, Extension, type Extensions, Mark, Node } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { LinkMark } from './link-mark.ts';

/** What may be formatted in a block of code: all but as code, which it is. */
const IN_CODE_BLOCK = 'bold italic underline strike subscript superscript link';

const isAloneInParagraph = (node: HTMLElement): boolean =>
  node.parentElement?.tagName === 'P' && node.parentElement.childNodes.length === 1;

/** The kit's extension, held to what `RICH_TEXT_TAGS` can keep. */
function adjusted(extension: AnyExtension): AnyExtension {
  const { name } = extension;
  if (extension instanceof Mark) return name === 'code' ? extension.extend({ excludes: '' }) : extension;
  if (!(extension instanceof Node)) return extension;
  // Without attributes a list begins with 1 and code is in no language, as it will be once it is saved.
  if (name === 'orderedList') return extension.extend({ addAttributes: () => ({}) });
  if (name === 'codeBlock') return extension.extend({ addAttributes: () => ({}), marks: IN_CODE_BLOCK });
  if (name === 'listItem') return extension.extend({ addKeyboardShortcuts: listKeys });
  if (name === 'hardBreak') return extension.extend({ parseHTML: () => BREAK_RULES });
  return extension;
}

/** An empty paragraph is stored with a break in it, so that it has a height wherever it is shown. */
const BREAK_RULES = [
  { tag: 'br', ignore: true, priority: 60, getAttrs: (node: HTMLElement) => isAloneInParagraph(node) && null },
  { tag: 'br' },
];

/** Tab belongs to the form: the keys that other editors have for it set list items in and out. */
function listKeys(this: Pick<ThisParameterType<NonNullable<Node['config']['addKeyboardShortcuts']>>, 'editor'>) {
  return {
    Enter: () => this.editor.commands.splitListItem('listItem'),
    'Mod-]': () => this.editor.commands.sinkListItem('listItem'),
    'Mod-[': () => this.editor.commands.liftListItem('listItem'),
  };
}

const Kit = StarterKit.extend({
  addExtensions() {
    return (this.parent?.() ?? []).map(adjusted);
  },
});

/** Below or above the line. */
const scriptMark = (name: string, tag: 'sub' | 'sup', style: 'sub' | 'super') =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }, { style: 'vertical-align', getAttrs: (value) => value === style && null }],
    renderHTML: () => [tag, 0],
  });

/** Blocks that are written from right to left stay so. */
const Direction = Extension.create({
  name: 'direction',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'bulletList', 'orderedList', 'listItem', 'blockquote', 'codeBlock'],
      attributes: {
        dir: {
          default: null,
          parseHTML: (element) => directionOf(element.localName, element.getAttribute('dir')) ?? null,
          renderHTML: ({ dir }) => (dir ? { dir } : {}),
        },
      },
    },
  ],
});

/** What the editor knows: the tags of `RICH_TEXT_TAGS`, and nothing beyond them. */
export const EXTENSIONS: Extensions = [
  // The trailing paragraph would be added to content that nobody touched.
  Kit.configure({ link: false, trailingNode: false }),
  scriptMark('subscript', 'sub', 'sub'),
  scriptMark('superscript', 'sup', 'super'),
  LinkMark,
  Direction,
];
