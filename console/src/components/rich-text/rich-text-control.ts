import type { Ref } from 'react';

/** A stored picture, as rich text names it. */
export interface Picture {
  src: string;
  width: number;
  height: number;
}

/** Stores a picture, or says why it cannot be. It stays the same function. */
export type UploadPicture = (file: File) => Promise<Picture | { failure: string }>;

/** The props of the editor; value and handlers are those of React Hook Form's `useController`. */
export interface RichTextControl {
  id: string;
  labelId: string;
  /** HTML; empty for none. */
  value: string;
  onChange: (html: string) => void;
  ref?: Ref<{ focus: () => void }>;
  placeholder?: string;
  /** Absent: the text has no pictures. */
  uploadPicture?: UploadPicture | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
  'aria-describedby': string | undefined;
}
