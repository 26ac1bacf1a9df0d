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

/** Inserts a picture with its description; `picture` undefined: describes the one at the caret. */
export const describePicture = (editor: Editor, alt: string, picture: Picture | undefined): void =>
  asUndoStep(editor, (chain) =>
    picture
      ? chain.insertContent({ type: 'picture', attrs: { ...picture, alt } })
      : chain.updateAttributes('picture', { alt }),
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
