import { PICTURE_TYPES } from '@apotheca/contract/rich-text';
import { EditorContent } from '@tiptap/react';
import { type Ref, useCallback, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkBar } from './link-bar.tsx';
import { PictureBar, pictureAmong } from './picture-bar.tsx';
import type { Picture, RichTextControl } from './rich-text-control.ts';
import { Toolbar } from './toolbar.tsx';
import { describePicture, insertPicture, removeLink, setLink } from './undo-steps.ts';
import { useFollowedPicture, usePictureBar } from './use-picture-bar.ts';
import { useRichTextEditor } from './use-rich-text-editor.ts';
import '../../styles/components/rich-text-editor.scss';

/** The rich text editor: toolbar, link bar and text. `RichTextField` loads it when one is first shown. */
export function RichTextEditor({ ref, labelId, uploadPicture, ...control }: RichTextControl) {
  const { t } = useTranslation();
  const [isLinking, setLinking] = useState(false);
  const [leftOut, tellLeftOut] = useLeftOut();
  const { picture, openFile, openChosen, close, follow } = usePictureBar();
  const chooser = useRef<HTMLInputElement>(null);
  const editor = useRichTextEditor({
    ...control,
    labelId,
    onLink: () => setLinking(true),
    onPictureKey: uploadPicture && handlePicture,
    onPaste: tellLeftOut,
    onPicture: uploadPicture && openFile,
  });
  useFollowedPicture(editor, follow);
  useImperativeHandle(ref, () => ({ focus: () => editor.commands.focus() }), [editor]);

  /** Describes the picture at the caret, or chooses one. */
  function handlePicture() {
    if (editor.isActive('picture')) openChosen(editor.state);
    else chooser.current?.click();
  }
  function handleChosen(file: File) {
    tellLeftOut(0, 'files');
    openFile(file);
  }
  function handleDescribed(alt: string, image: Picture | undefined) {
    close();
    if (image) insertPicture(editor, alt, image);
    else if (picture && 'at' in picture) describePicture(editor, alt, picture.at);
  }
  function handleApply(href: string, text: string) {
    setLinking(false);
    setLink(editor, href, text);
  }
  function handleRemove() {
    setLinking(false);
    removeLink(editor);
  }
  function handleLinkClosed() {
    setLinking(false);
    editor.commands.focus();
  }
  function handlePictureClosed() {
    close();
    editor.commands.focus();
  }
  return (
    <>
      <Toolbar
        editor={editor}
        editorId={control.id}
        labelId={labelId}
        onLink={() => setLinking(true)}
        onPicture={uploadPicture && handlePicture}
      />
      <PictureChooser ref={chooser} onChoose={handleChosen} />
      {picture && uploadPicture && (
        <PictureBar
          key={picture.turn}
          picture={picture}
          upload={uploadPicture}
          onApply={handleDescribed}
          onClose={handlePictureClosed}
        />
      )}
      {isLinking && (
        <LinkBar
          href={String(editor.getAttributes('link').href ?? '')}
          onApply={handleApply}
          onRemove={editor.isActive('link') ? handleRemove : undefined}
          onClose={handleLinkClosed}
        />
      )}
      <EditorContent editor={editor} />
      <p className="rich-text-left-out" role="status">
        {leftOut.count > 0 && (
          <span key={leftOut.turn}>{t(`components.richText.leftOut.${leftOut.what}`, { count: leftOut.count })}</span>
        )}
      </p>
    </>
  );
}

/** How much was left out of what was pasted, dropped or chosen last. Each has a turn of its own: the same words are read out again. */
function useLeftOut() {
  const [leftOut, setLeftOut] = useState({ turn: 0, count: 0, what: 'parts' as 'files' | 'parts' });
  const tell = useCallback(
    (count: number, what: 'files' | 'parts') => setLeftOut(({ turn }) => ({ turn: turn + 1, count, what })),
    [],
  );
  return [leftOut, tell] as const;
}

interface PictureChooserProps {
  ref: Ref<HTMLInputElement>;
  onChoose: (file: File) => void;
}

/** The dialog of the browser that chooses a picture; a click on it from a program opens it. */
function PictureChooser({ ref, onChoose }: PictureChooserProps) {
  const { t } = useTranslation();
  return (
    <input
      ref={ref}
      type="file"
      hidden
      tabIndex={-1}
      aria-label={t('components.richText.picture.choose')}
      accept={PICTURE_TYPES.join()}
      onChange={({ target }) => {
        const file = pictureAmong(target.files);
        if (file) onChoose(file);
        // The same file can be chosen again.
        target.value = '';
      }}
    />
  );
}
