import { type Editor, Extension } from '@tiptap/core';
import type { Slice } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { useEditor } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useReadOnly } from '../form/read-only.tsx';
import { contentOf, htmlOf } from './editor-html.ts';
import { EXTENSIONS } from './extensions.ts';
import { cleanPasted } from './pasted-html.ts';
import { pictureAmong } from './picture-bar.tsx';
import type { RichTextControl } from './rich-text-control.ts';

interface EditorOptions extends Omit<RichTextControl, 'ref'> {
  /** The user has asked for a link by the keyboard. */
  onLink: () => void;
  /** The same for a picture; absent: the text has none. */
  onPictureKey: (() => void) | undefined;
  /**
   * Called after every paste, and where files were dropped. It stays the same function.
   * @param leftOut number of visible things that were left out
   * @param what files, or parts of HTML
   */
  onPaste: (leftOut: number, what: 'files' | 'parts') => void;
  /** Called with a picture that was pasted or dropped. Absent: the text has none. It stays the same function. */
  onPicture: ((file: File) => void) | undefined;
}

/**
 * The editor of a form's HTML. It changes the form's value only after typing, so that opening content makes nothing
 * dirty.
 */
export function useRichTextEditor({ value, onChange, onLink, onPictureKey, ...attributes }: EditorOptions): Editor {
  // The form's initial HTML, and the same content as the editor writes it.
  const initial = useRef({ value, written: '' });
  // The HTML that the editor passed to the form last.
  const passed = useRef(value);
  const [content] = useState(() => contentOf(value));
  const ownKeys = useOwnKeys({ 'Mod-k': onLink, 'Mod-Alt-p': onPictureKey });
  const editorProps = useEditorProps(attributes);
  const editor = useEditor({
    extensions: [...EXTENSIONS, ownKeys],
    content,
    editable: !useReadOnly(),
    // The content security policy forbids styles from scripts.
    injectCSS: false,
    editorProps,
    onCreate: ({ editor: created }) => {
      initial.current.written = htmlOf(created.state.doc);
    },
    onUpdate: ({ editor: { state } }) => {
      const html = htmlOf(state.doc);
      passed.current = html === initial.current.written ? initial.current.value : html;
      onChange(passed.current);
    },
  });
  useEffect(() => {
    // The form was reset, or took over another user's value.
    if (value === passed.current) return;
    editor.commands.setContent(contentOf(value), { emitUpdate: false });
    passed.current = value;
    initial.current = { value, written: htmlOf(editor.state.doc) };
  }, [editor, value]);
  return editor;
}

/** Escape belongs to the dialog: ProseMirror would swallow it without effect. */
const isEscape = (_view: unknown, event: KeyboardEvent): boolean => event.key === 'Escape' && !event.isComposing;

/** The keys of what the editor's component does itself. */
function useOwnKeys(keys: Record<string, (() => void) | undefined>): Extension {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  const [extension] = useState(() =>
    Extension.create({
      name: 'ownKeys',
      addKeyboardShortcuts: () =>
        Object.fromEntries(
          Object.keys(keys).map((key) => [
            key,
            () => {
              latest.current[key]?.();
              return latest.current[key] !== undefined;
            },
          ]),
        ),
    }),
  );
  return extension;
}

function useEditorProps({
  id,
  labelId,
  placeholder,
  onPaste,
  onPicture,
  ...aria
}: Omit<EditorOptions, 'value' | 'onChange' | 'onLink' | 'onPictureKey'>) {
  const { 'aria-invalid': invalid, 'aria-required': required, 'aria-describedby': describedBy } = aria;
  return useMemo(() => {
    const attributes: Record<string, string> = {
      id,
      role: 'textbox',
      tabindex: '0',
      'aria-multiline': 'true',
      'aria-labelledby': labelId,
      class: 'rich-text',
    };
    if (invalid) attributes['aria-invalid'] = 'true';
    if (required) attributes['aria-required'] = 'true';
    if (describedBy) attributes['aria-describedby'] = describedBy;
    if (placeholder) attributes['aria-placeholder'] = placeholder;
    const transformPastedHTML = (html: string) => {
      const pasted = cleanPasted(html);
      onPaste(pasted.leftOut, 'parts');
      return pasted.html;
    };
    /** Takes one that is a picture, and says how many others are left out. */
    const takeFiles = (files: FileList) => {
      const picture = onPicture && pictureAmong(files);
      if (picture) onPicture(picture);
      onPaste(files.length - (picture ? 1 : 0), 'files');
    };
    const handlePaste = (view: EditorView, { clipboardData }: ClipboardEvent, slice: Slice) => {
      // A file together with text is a picture of that text.
      const isFiles = clipboardData && !clipboardData.types.some((type) => type.startsWith('text/'));
      if (isFiles && clipboardData.files.length > 0) {
        takeFiles(clipboardData.files);
        // Else ProseMirror lets the browser paste, and calls this a second time a moment later.
        return true;
      }
      // Plain text leaves nothing out; HTML was counted as it was cleaned.
      if (!clipboardData?.types.includes('text/html')) onPaste(0, 'parts');
      takeDirection(view, slice);
      return false;
    };
    const handleDrop = (view: EditorView, { dataTransfer, clientX, clientY }: DragEvent) => {
      // Chromium lists a picture of the text itself among the files, too: that one is moved.
      if (view.dragging || !dataTransfer || dataTransfer.files.length === 0) return false;
      // A file together with HTML is a picture of a page, which may become a link.
      const isOfPage = dataTransfer.types.includes('text/html');
      const hasPicture = onPicture !== undefined && pictureAmong(dataTransfer.files) !== undefined;
      if (isOfPage && !hasPicture) return false;
      // It is inserted at the caret, once it is described.
      if (hasPicture) setCaret(view, view.posAtCoords({ left: clientX, top: clientY })?.pos);
      takeFiles(dataTransfer.files);
      return true;
    };
    return { attributes, transformPastedHTML, handlePaste, handleDrop, handleDOMEvents: { keydown: isEscape } };
  }, [id, labelId, placeholder, onPaste, onPicture, invalid, required, describedBy]);
}

function setCaret(view: EditorView, at: number | undefined): void {
  const { doc, tr } = view.state;
  if (at !== undefined) view.dispatch(tr.setSelection(Selection.near(doc.resolve(at))));
}

/**
 * The first pasted block goes into the block at the caret and keeps that block's direction; an empty block takes over
 * the pasted direction.
 */
function takeDirection(view: EditorView, { content }: Slice): void {
  const { tr, selection } = view.state;
  const { $from } = selection;
  const dir: unknown = content.firstChild?.attrs.dir;
  if (!dir || !$from.parent.isTextblock || $from.parent.content.size > 0) return;
  view.dispatch(tr.setNodeMarkup($from.before(), undefined, { ...$from.parent.attrs, dir }));
}
