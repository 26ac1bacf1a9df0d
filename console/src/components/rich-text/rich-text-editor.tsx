import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { EditorContent } from '@tiptap/react';
import { useImperativeHandle, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkBar } from './link-bar.tsx';
import type { RichTextControl } from './rich-text-control.ts';
import { Toolbar } from './toolbar.tsx';
import { useRichTextEditor } from './use-rich-text-editor.ts';
import '../../styles/components/rich-text-editor.scss';

/** Makes the next change an undo step of its own, however soon it follows the one before. */
const beginUndoStep = (editor: Editor) => editor.view.dispatch(closeHistory(editor.state.tr));

/** The rich text editor: toolbar, link bar and text. `RichTextField` loads it when one is first shown. */
export function RichTextEditor({ ref, labelId, ...control }: RichTextControl) {
  const { t } = useTranslation();
  const [isLinking, setLinking] = useState(false);
  const [leftOut, setLeftOut] = useState(0);
  const editor = useRichTextEditor({ ...control, labelId, onLink: () => setLinking(true), onPaste: setLeftOut });
  useImperativeHandle(ref, () => ({ focus: () => editor.commands.focus() }), [editor]);

  function handleApply(href: string, text: string) {
    setLinking(false);
    beginUndoStep(editor);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && !editor.isActive('link')) {
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }).run();
    } else chain.setMark('link', { href }).run();
    beginUndoStep(editor);
  }
  function handleRemove() {
    setLinking(false);
    beginUndoStep(editor);
    editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
    beginUndoStep(editor);
  }
  function handleClose() {
    setLinking(false);
    editor.commands.focus();
  }
  return (
    <>
      <Toolbar editor={editor} editorId={control.id} labelId={labelId} onLink={() => setLinking(true)} />
      {isLinking && (
        <LinkBar
          href={String(editor.getAttributes('link').href ?? '')}
          onApply={handleApply}
          onRemove={editor.isActive('link') ? handleRemove : undefined}
          onClose={handleClose}
        />
      )}
      <EditorContent editor={editor} />
      <p className="rich-text-left-out" role="status">
        {leftOut > 0 && t('components.richText.leftOut', { count: leftOut })}
      </p>
    </>
  );
}
