import type { ChainedCommands, Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import type { Picture } from './rich-text-control.ts';

/** Runs commands as an undo step of their own, however soon others come before and after them. */
function asUndoStep(editor: Editor, add: (chain: ChainedCommands) => ChainedCommands): void {
  const begin = () => editor.view.dispatch(closeHistory(editor.state.tr));
  begin();
  add(editor.chain().focus()).run();
  begin();
}

/** Inserts a picture with its description. */
export const insertPicture = (editor: Editor, alt: string, picture: Picture): void =>
  asUndoStep(editor, (chain) => chain.insertContent({ type: 'picture', attrs: { ...picture, alt } }));

/** Describes the picture at a position, whatever is selected. */
export const describePicture = (editor: Editor, alt: string, at: number): void =>
  asUndoStep(editor, (chain) =>
    chain.command(({ tr }) => {
      tr.setNodeAttribute(at, 'alt', alt);
      return true;
    }),
  );

/** Links what is selected, or changes the link at the caret. Where there is neither, `text` is inserted as the link. */
export function setLink(editor: Editor, href: string, text: string): void {
  const isNew = editor.state.selection.empty && !editor.isActive('link');
  asUndoStep(editor, (chain) => {
    const there = chain.extendMarkRange('link');
    return isNew
      ? there.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
      : there.setMark('link', { href });
  });
}

/** Takes the link away, and leaves its text. */
export const removeLink = (editor: Editor): void =>
  asUndoStep(editor, (chain) => chain.extendMarkRange('link').unsetMark('link'));
