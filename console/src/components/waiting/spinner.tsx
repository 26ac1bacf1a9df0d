import { classNames } from '../../lib/class-names.ts';
import type { Variant } from '../variants.ts';

interface SpinnerProps {
  /** Absent: the colour of the surrounding text. */
  variant?: Variant;
  type?: 'border' | 'grow';
  /** Read out by screen readers; absent: the spinner is decoration next to a text that says the same. */
  label?: string;
  large?: boolean;
}

/** A turning ring or a pulsing dot (SPEC §9: spinner types border and grow). */
export function Spinner({ variant, type = 'border', label, large }: SpinnerProps) {
  const className = classNames(
    `spinner-${type}`,
    !large && `spinner-${type}-sm`,
    variant !== undefined && `text-${variant}`,
  );
  if (label === undefined) return <span className={className} aria-hidden="true" />;
  return (
    <span role="status" className="d-inline-flex">
      <span className={className} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
