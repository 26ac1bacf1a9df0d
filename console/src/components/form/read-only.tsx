import { createContext, type ReactNode, useContext } from 'react';
import { Notice } from '../notice/notice.tsx';

const ReadOnly = createContext(false);

/** For what no fieldset can disable: whether its form can only be read. */
export const useReadOnly = (): boolean => useContext(ReadOnly);

/** A form whose record the signed-in person may not save: it can be read, and says why before anything is typed. */
export function ReadOnlyForm({ refusal, children }: { refusal: string; children: ReactNode }) {
  return (
    <ReadOnly value={true}>
      <Notice tone="info">{refusal}</Notice>
      <fieldset className="read-only-form" disabled>
        {children}
      </fieldset>
    </ReadOnly>
  );
}
