import { useId } from 'react';
import { formatCount } from '../../lib/numbers.ts';

export interface ScrollListProps {
  label: string;
  items: readonly { id: string; text: string; count?: number }[];
  /** Stands in the place of a list without items. */
  emptyText?: string;
}

/** Names, and a number each where they have one, under a label in a box that scrolls when they are many. */
export function ScrollList({ label, items, emptyText }: ScrollListProps) {
  const labelId = useId();
  return (
    <div className="scroll-list">
      <p id={labelId}>{label}</p>
      {items.length === 0 && emptyText !== undefined ? (
        <p className="text-muted">{emptyText}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
        <section aria-labelledby={labelId} tabIndex={0}>
          <ul aria-labelledby={labelId}>
            {items.map(({ id, text, count }) => (
              <li key={id}>
                <span>{text}</span>
                {count !== undefined && <span className="num">{formatCount(count)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
