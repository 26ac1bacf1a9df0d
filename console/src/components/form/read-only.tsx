import { createContext, type ReactNode, useContext } from 'react';
import { Notice } from '../notice/notice.tsx';

const ReadOnly = createContext(false);

/** For what no fieldset can disable: whether its form can only be read. */
export const useReadOnly = (): boolean => useContext(ReadOnly);

interface ReadOnlyFormProps {
  /** Why the signed-in person may not save what is typed here; absent: they may. */
  refusal: string | undefined;
  children: ReactNode;
}

/** What is typed in a form: where it may not be saved it can be read, and says why before anything is typed. */
export function ReadOnlyForm({ refusal, children }: ReadOnlyFormProps) {
  if (refusal === undefined) return children;
  return (
    <ReadOnly value={true}>
      <Notice tone="info">{refusal}</Notice>
      <fieldset className="read-only-form" disabled>
        {children}
      </fieldset>
    </ReadOnly>
  );
}
