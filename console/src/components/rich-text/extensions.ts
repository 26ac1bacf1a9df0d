import { directionOf } from '@apotheca/contract/rich-text';
import { type AnyExtension, Extension, type Extensions, Mark, Node } from '@tiptap/core';
import { StarterKit } from '@tiptap/starter-kit';
import { LinkMark } from './link-mark.ts';
import { PictureNode } from './picture-node.ts';
import { TABLE_NODES } from './table-nodes.ts';

/** The marks that are allowed in a code block: all but `code`. */
const IN_CODE_BLOCK = 'bold italic underline strike subscript superscript link';

const isAloneInParagraph = (node: HTMLElement): boolean =>
  node.parentElement?.tagName === 'P' && node.parentElement.childNodes.length === 1;

/** The kit's extension, limited to what `RICH_TEXT_TAGS` can store. */
function adjusted(extension: AnyExtension): AnyExtension {
  const { name } = extension;
  if (extension instanceof Mark) return name === 'code' ? extension.extend({ excludes: '' }) : extension;
  if (!(extension instanceof Node)) return extension;
  // Saved lists start at 1 and saved code has no language, so the editor has no attributes for them.
  if (name === 'orderedList') return extension.extend({ addAttributes: () => ({}) });
  if (name === 'codeBlock') return extension.extend({ addAttributes: () => ({}), marks: IN_CODE_BLOCK });
  if (name === 'listItem') return extension.extend({ addKeyboardShortcuts: listKeys });
  if (name === 'hardBreak') return extension.extend({ parseHTML: () => BREAK_RULES });
  return extension;
}

/** An empty paragraph is stored with a line break in it, so that it has a height everywhere. */
const BREAK_RULES = [
  { tag: 'br', ignore: true, priority: 60, getAttrs: (node: HTMLElement) => isAloneInParagraph(node) && null },
  { tag: 'br' },
];

/** Tab moves through the form, so the common alternative keys indent and outdent list items, as the toolbar does. */
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

/** Subscript or superscript. */
const scriptMark = (name: string, tag: 'sub' | 'sup', style: 'sub' | 'super') =>
  Mark.create({
    name,
    parseHTML: () => [{ tag }, { style: 'vertical-align', getAttrs: (value) => value === style && null }],
    renderHTML: () => [tag, 0],
  });

/** Keeps the direction of right-to-left blocks. */
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

/** The editor supports the tags of `RICH_TEXT_TAGS` and no others. */
export const EXTENSIONS: Extensions = [
  // The trailing paragraph would change content that nobody edited.
  Kit.configure({ link: false, trailingNode: false }),
  scriptMark('subscript', 'sub', 'sub'),
  scriptMark('superscript', 'sup', 'super'),
  LinkMark,
  PictureNode,
  ...TABLE_NODES,
  Direction,
];
