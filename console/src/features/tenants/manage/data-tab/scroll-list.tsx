import { useId } from 'react';
import { formatCount } from '../../../../lib/numbers.ts';

interface ScrollListProps {
  label: string;
  items: readonly { name: string; text: string; count: number }[];
}

/** Names with a number each, in a box that scrolls when they are many. */
export function ScrollList({ label, items }: ScrollListProps) {
  const labelId = useId();
  return (
    <div className="scroll-list">
      <p id={labelId}>{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys. */}
      <section aria-labelledby={labelId} tabIndex={0}>
        <ul>
          {items.map(({ name, text, count }) => (
            <li key={name}>
              <span>{text}</span>
              <span className="num">{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
