import { fireEvent, screen } from '@testing-library/react';
// Loaded before the first test, so that no test waits for it.
import '../components/rich-text/rich-text-editor.tsx';

/** Layout functions that the editor calls and jsdom lacks. */
export function stubLayout(): void {
  const nothing = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0, toJSON: () => ({}) };
  const rects = Object.assign([], { item: () => null });
  Range.prototype.getClientRects = () => rects;
  Range.prototype.getBoundingClientRect = () => nothing;
  document.elementFromPoint = () => null;
}

/** Waits for the editor with that label. */
export const findEditor = (label: string): Promise<HTMLElement> => screen.findByRole('textbox', { name: label });

/** Pastes HTML into an editor. */
export async function pasteHtml(label: string, html: string): Promise<HTMLElement> {
  const editor = await findEditor(label);
  editor.focus();
  fireEvent.paste(editor, {
    clipboardData: {
      getData: (type: string) => (type === 'text/html' ? html : ''),
      files: [],
      items: [],
      types: ['text/html'],
    },
  });
  return editor;
}
