import { PICTURE_TYPES } from '@apotheca/contract/rich-text';
import { EditorContent } from '@tiptap/react';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkBar } from './link-bar.tsx';
import { type BarPicture, PictureBar, pictureAmong } from './picture-bar.tsx';
import type { Picture, RichTextControl } from './rich-text-control.ts';
import { Toolbar } from './toolbar.tsx';
import { describePicture, removeLink, setLink } from './undo-steps.ts';
import { useRichTextEditor } from './use-rich-text-editor.ts';
import '../../styles/components/rich-text-editor.scss';

/** The rich text editor: toolbar, link bar and text. `RichTextField` loads it when one is first shown. */
export function RichTextEditor({ ref, labelId, uploadPicture, ...control }: RichTextControl) {
  const { t } = useTranslation();
  const [isLinking, setLinking] = useState(false);
  const [leftOut, setLeftOut] = useState(0);
  const [picture, setPicture] = useState<BarPicture>();
  const chooser = useRef<HTMLInputElement>(null);
  const [handleFile] = useState(
    () => (file: File) => setPicture((last) => ({ file, turn: last && 'turn' in last ? last.turn + 1 : 0 })),
  );
  const editor = useRichTextEditor({
    ...control,
    labelId,
    onLink: () => setLinking(true),
    onPictureKey: uploadPicture && handlePicture,
    onPaste: setLeftOut,
    onPicture: uploadPicture && handleFile,
  });
  useImperativeHandle(ref, () => ({ focus: () => editor.commands.focus() }), [editor]);

  /** Describes the picture at the caret, or chooses one. */
  function handlePicture() {
    if (editor.isActive('picture')) setPicture({ alt: String(editor.getAttributes('picture').alt ?? '') });
    else chooser.current?.click();
  }
  function handleDescribed(alt: string, image: Picture | undefined) {
    setPicture(undefined);
    describePicture(editor, alt, image);
  }
  function handleApply(href: string, text: string) {
    setLinking(false);
    setLink(editor, href, text);
  }
  function handleRemove() {
    setLinking(false);
    removeLink(editor);
  }
  function handleClose() {
    setLinking(false);
    setPicture(undefined);
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
      <PictureChooser ref={chooser} onChoose={handleFile} />
      {picture && uploadPicture && (
        <PictureBar
          key={'turn' in picture ? picture.turn : 'alt'}
          picture={picture}
          upload={uploadPicture}
          onApply={handleDescribed}
          onClose={handleClose}
        />
      )}
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
