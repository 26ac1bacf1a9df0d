import type { Editor } from '@tiptap/core';
import {
  BetweenHorizontalStart,
  BetweenVerticalStart,
  Bold,
  Code,
  Columns2,
  Heading1,
  Heading2,
  Heading3,
  ImagePlus,
  Italic,
  Link,
  List,
  ListIndentDecrease,
  ListIndentIncrease,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  Rows2,
  SquareCode,
  Strikethrough,
  Table,
  Trash2,
  Underline,
  Undo2,
} from 'lucide-react';
import { addColumn, addRow, insertTable, isTableAtCaret, removeColumn, removeRow, removeTable } from './table-nodes.ts';

type ToolName = keyof typeof import('../../locales/en-pages.json')['components']['richText']['tools'];

/** One button of the editor's toolbar. */
export interface Tool {
  name: ToolName;
  icon: LucideIcon;
  /** The value of `aria-keyshortcuts`, with Control in place of a Mac's Meta; absent: the toolbar alone has it. */
  keys?: string;
  /** Absent for what the editor's component does itself. */
  run?: (editor: Editor) => void;
  /** Whether it is on at the caret; absent for a tool that has no on and off. */
  isOn?: (editor: Editor) => boolean;
  /** Absent: it is always possible. */
  isPossible?: (editor: Editor) => boolean;
}

const heading = (level: 1 | 2 | 3, icon: LucideIcon): Tool => ({
  name: `heading${level}`,
  icon,
  keys: `Control+Alt+${level}`,
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  isOn: (editor) => editor.isActive('heading', { level }),
});

/** The groups of the toolbar. */
export const TOOLS: readonly (readonly Tool[])[] = [
  [heading(1, Heading1), heading(2, Heading2), heading(3, Heading3)],
  [
    {
      name: 'bold',
      icon: Bold,
      keys: 'Control+B',
      run: (editor) => editor.chain().focus().toggleBold().run(),
      isOn: (editor) => editor.isActive('bold'),
    },
    {
      name: 'italic',
      icon: Italic,
      keys: 'Control+I',
      run: (editor) => editor.chain().focus().toggleItalic().run(),
      isOn: (editor) => editor.isActive('italic'),
    },
    {
      name: 'underline',
      icon: Underline,
      keys: 'Control+U',
      run: (editor) => editor.chain().focus().toggleUnderline().run(),
      isOn: (editor) => editor.isActive('underline'),
    },
    {
      name: 'strike',
      icon: Strikethrough,
      keys: 'Control+Shift+S',
      run: (editor) => editor.chain().focus().toggleStrike().run(),
      isOn: (editor) => editor.isActive('strike'),
    },
  ],
  [
    {
      name: 'bulletList',
      icon: List,
      keys: 'Control+Shift+8',
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
      isOn: (editor) => editor.isActive('bulletList'),
    },
    {
      name: 'orderedList',
      icon: ListOrdered,
      keys: 'Control+Shift+7',
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
      isOn: (editor) => editor.isActive('orderedList'),
    },
    {
      name: 'indent',
      icon: ListIndentIncrease,
      keys: 'Control+]',
      run: (editor) => editor.chain().focus().sinkListItem('listItem').run(),
      isPossible: (editor) => editor.can().sinkListItem('listItem'),
    },
    {
      name: 'outdent',
      icon: ListIndentDecrease,
      keys: 'Control+[',
      run: (editor) => editor.chain().focus().liftListItem('listItem').run(),
      isPossible: (editor) => editor.can().liftListItem('listItem'),
    },
    {
      name: 'quote',
      icon: Quote,
      keys: 'Control+Shift+B',
      run: (editor) => editor.chain().focus().toggleBlockquote().run(),
      isOn: (editor) => editor.isActive('blockquote'),
    },
  ],
  [
    {
      name: 'code',
      icon: Code,
      keys: 'Control+E',
      run: (editor) => editor.chain().focus().toggleCode().run(),
      isOn: (editor) => editor.isActive('code'),
    },
    {
      name: 'codeBlock',
      icon: SquareCode,
      keys: 'Control+Alt+C',
      run: (editor) => editor.chain().focus().toggleCodeBlock().run(),
      isOn: (editor) => editor.isActive('codeBlock'),
    },
    { name: 'link', icon: Link, keys: 'Control+K', isOn: (editor) => editor.isActive('link') },
    { name: 'picture', icon: ImagePlus, keys: 'Control+Alt+P', isOn: (editor) => editor.isActive('picture') },
  ],
  [
    { name: 'table', icon: Table, keys: 'Control+Alt+T', run: insertTable },
    { name: 'addRow', icon: BetweenHorizontalStart, run: addRow, isPossible: isTableAtCaret },
    { name: 'addColumn', icon: BetweenVerticalStart, run: addColumn, isPossible: isTableAtCaret },
    { name: 'removeRow', icon: Rows2, run: removeRow, isPossible: isTableAtCaret },
    { name: 'removeColumn', icon: Columns2, run: removeColumn, isPossible: isTableAtCaret },
    { name: 'removeTable', icon: Trash2, run: removeTable, isPossible: isTableAtCaret },
  ],
  [
    {
      name: 'undo',
      icon: Undo2,
      keys: 'Control+Z',
      run: (editor) => editor.chain().focus().undo().run(),
      isPossible: (editor) => editor.can().undo(),
    },
    {
      name: 'redo',
      icon: Redo2,
      keys: 'Control+Shift+Z',
      run: (editor) => editor.chain().focus().redo().run(),
      isPossible: (editor) => editor.can().redo(),
    },
  ],
];
