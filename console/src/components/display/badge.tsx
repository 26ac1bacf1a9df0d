import type { ReactNode } from 'react';

export type Tone = 'success' | 'muted' | 'warning' | 'danger' | 'info';

/** A short state in words, with a dot in the state's colour. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
