import { keptAttribute } from '@apotheca/contract/rich-text';
import { type Editor, type Extensions, Node } from '@tiptap/core';
import type { Command } from '@tiptap/pm/state';
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  tableEditing,
} from '@tiptap/pm/tables';

/** What ProseMirror's tables call each node. */
const ROLES: Record<string, string> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

const spanOf = (name: string) => ({
  default: 1,
  parseHTML: (element: HTMLElement) =>
    Number(keptAttribute(element.localName, name, element.getAttribute(name) ?? '') ?? 1),
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
});

const cell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: spanOf('colspan'),
      rowspan: spanOf('rowspan'),
      // ProseMirror's tables want it; saved tables have no widths.
      colwidth: { default: null, rendered: false },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** A table or row without cells is none: ProseMirror's tables count on some. */
const ifItHasCells = (element: HTMLElement) => (element.querySelector('td, th') === null ? false : null);

/** Tables, by ProseMirror's own module. Tab leaves the field as everywhere; the arrow keys move between cells. */
export const TABLE_NODES: Extensions = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    parseHTML: () => [{ tag: 'table', getAttrs: ifItHasCells }],
    renderHTML: () => ['table', ['tbody', 0]],
    extendNodeSchema: ({ name }) => (ROLES[name] ? { tableRole: ROLES[name] } : {}),
    addProseMirrorPlugins: () => [tableEditing()],
    addKeyboardShortcuts() {
      return { 'Mod-Alt-t': () => insertTable(this.editor) };
    },
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)*',
    parseHTML: () => [{ tag: 'tr', getAttrs: ifItHasCells }],
    renderHTML: () => ['tr', 0],
  }),
  cell('tableCell', 'td'),
  cell('tableHeader', 'th'),
];

const ROWS = 3;
const COLUMNS = 3;

/** Inserts an empty table whose first row is its heading. */
export function insertTable(editor: Editor): boolean {
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    type: 'tableRow',
    content: Array.from({ length: COLUMNS }, () => ({
      type: row === 0 ? 'tableHeader' : 'tableCell',
      content: [{ type: 'paragraph' }],
    })),
  }));
  const at = editor.state.selection.from;
  return editor
    .chain()
    .focus()
    .insertContent({ type: 'table', content: rows })
    .command(({ tr, commands }) => commands.setTextSelection(Math.min(at + 1, tr.doc.content.size)))
    .run();
}

export const isTableAtCaret = ({ state }: Editor): boolean => isInTable(state);

const runOn =
  (command: Command) =>
  (editor: Editor): void => {
    command(editor.state, editor.view.dispatch);
    editor.commands.focus();
  };

export const addRow = runOn(addRowAfter);
export const addColumn = runOn(addColumnAfter);
export const removeRow = runOn(deleteRow);
export const removeColumn = runOn(deleteColumn);
export const removeTable = runOn(deleteTable);
