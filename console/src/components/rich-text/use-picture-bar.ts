import type { EditorEvents } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';

/** A picture in the text. */
interface TextPicture {
  /** Its position. */
  at: number;
  src: string;
  alt: string;
}

/** The picture to describe: a file that is uploaded first, or one that is in the text. `turn` tells those that follow each other apart. */
export type BarPicture = { turn: number } & ({ file: File } | TextPicture);

/** Which picture the bar is open for, if it is. All its functions stay the same. */
export function usePictureBar() {
  const [picture, setPicture] = useState<BarPicture>();
  const [handlers] = useState(() => ({
    openFile: (file: File) => setPicture((last) => ({ file, turn: turnAfter(last) })),
    /** Asked for again, the bar of a picture stays as it is. */
    openChosen: (state: EditorState) =>
      setPicture((last) => {
        const chosen = chosenIn(state);
        if (!chosen || (last && 'at' in last && last.at === chosen.at)) return last;
        return { ...chosen, turn: turnAfter(last) };
      }),
    close: () => setPicture(undefined),
    follow: ({ transaction: { mapping, doc, docChanged } }: EditorEvents['transaction']) =>
      setPicture((last) => {
        if (!docChanged || !last || !('at' in last)) return last;
        const at = placeOf(last, mapping.map(last.at), doc);
        return at === undefined ? undefined : { ...last, at };
      }),
  }));
  return { picture, ...handlers };
}

/** Keeps the bar with its picture while the text around that changes; it goes with its picture. */
export function useFollowedPicture(editor: Editor, follow: (event: EditorEvents['transaction']) => void): void {
  useEffect(() => {
    editor.on('transaction', follow);
    return () => void editor.off('transaction', follow);
  }, [editor, follow]);
}

const turnAfter = (last: BarPicture | undefined): number => (last ? last.turn + 1 : 0);

function chosenIn({ doc, selection: { from, to } }: EditorState): TextPicture | undefined {
  let chosen: TextPicture | undefined;
  doc.nodesBetween(from, to, ({ type, attrs }, at) => {
    if (type.name === 'picture') chosen ??= { at, src: String(attrs.src), alt: String(attrs.alt ?? '') };
  });
  return chosen;
}

/** Where a picture is: at its old place, or where it was moved to; undefined: it is gone. */
function placeOf({ src }: TextPicture, before: number, doc: Node): number | undefined {
  const isIt = (node: Node | null) => node?.type.name === 'picture' && node.attrs.src === src;
  if (isIt(doc.nodeAt(before))) return before;
  let found: number | undefined;
  doc.descendants((node, at) => {
    if (isIt(node)) found ??= at;
  });
  return found;
}
