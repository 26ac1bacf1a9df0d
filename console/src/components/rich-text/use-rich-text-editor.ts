import { type Editor, Extension } from '@tiptap/core';
import { useEditor } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { contentOf, htmlOf } from './editor-html.ts';
import { EXTENSIONS } from './extensions.ts';
import { cleanPasted } from './pasted-html.ts';
import type { RichTextControl } from './rich-text-control.ts';

interface EditorOptions extends Omit<RichTextControl, 'ref'> {
  /** Asked for an address by the keyboard. */
  onLink: () => void;
}

/** The editor over a form's HTML. It changes the form only by what is typed, so that opening content makes nothing dirty. */
export function useRichTextEditor({ value, onChange, onLink, ...attributes }: EditorOptions): Editor {
  // What the form began with, and the same as the editor writes it.
  const began = useRef({ value, written: '' });
  // What the form has of this editor.
  const given = useRef(value);
  const [content] = useState(() => contentOf(value));
  const linkKey = useLinkKey(onLink);
  const editorProps = useEditorProps(attributes);
  const editor = useEditor({
    extensions: [...EXTENSIONS, linkKey],
    content,
    // The content security policy has no room for styles from scripts.
    injectCSS: false,
    editorProps,
    onCreate: ({ editor: created }) => {
      began.current.written = htmlOf(created.state.doc);
    },
    onUpdate: ({ editor: { state } }) => {
      const html = htmlOf(state.doc);
      given.current = html === began.current.written ? began.current.value : html;
      onChange(given.current);
    },
  });
  useEffect(() => {
    // A reset of the form, or somebody else's value that was taken over.
    if (value === given.current) return;
    editor.commands.setContent(contentOf(value), { emitUpdate: false });
    given.current = value;
    began.current = { value, written: htmlOf(editor.state.doc) };
  }, [editor, value]);
  return editor;
}

/** Escape is the dialog's: ProseMirror would take it and do nothing. */
const isEscape = (_view: unknown, event: KeyboardEvent): boolean => event.key === 'Escape' && !event.isComposing;

function useLinkKey(onLink: () => void): Extension {
  const latest = useRef(onLink);
  useEffect(() => {
    latest.current = onLink;
  });
  const [extension] = useState(() =>
    Extension.create({
      name: 'linkKey',
      addKeyboardShortcuts: () => ({
        'Mod-k': () => {
          latest.current();
          return true;
        },
      }),
    }),
  );
  return extension;
}

function useEditorProps({ id, labelId, placeholder, ...aria }: Omit<EditorOptions, 'value' | 'onChange' | 'onLink'>) {
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
    return { attributes, transformPastedHTML: cleanPasted, handleDOMEvents: { keydown: isEscape } };
  }, [id, labelId, placeholder, invalid, required, describedBy]);
}
