import type { Ref } from 'react';

/** The props of the editor; value and handlers are those of React Hook Form's `useController`. */
export interface RichTextControl {
  id: string;
  labelId: string;
  /** HTML; empty for none. */
  value: string;
  onChange: (html: string) => void;
  ref?: Ref<{ focus: () => void }>;
  placeholder?: string;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
  'aria-describedby': string | undefined;
}
