import type { ReactNode } from 'react';
import { Spinner } from '../components/waiting/spinner.tsx';

/** Says what is being loaded. */
export function LoadingText({ children }: { children: ReactNode }) {
  return (
    <p className="loading-text" role="status">
      <Spinner />
      {children}
    </p>
  );
}
