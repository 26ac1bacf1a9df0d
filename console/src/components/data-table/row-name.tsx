import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** What the name of a row opens: an address, or a dialog. */
export type RowTarget = string | (() => void);

/** The name of a row, which opens its record. */
export function RowName({ opens, children }: { opens: RowTarget; children: ReactNode }) {
  if (typeof opens === 'string') {
    return (
      <Link className="row-open" to={opens}>
        {children}
      </Link>
    );
  }
  return (
    <button type="button" className="row-open" onClick={opens}>
      {children}
    </button>
  );
}
