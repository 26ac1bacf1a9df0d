import { Checkbox } from '../../../../components/field/checkbox.tsx';
import type { Ticks } from './use-ticks.ts';

interface TickAllProps<Name extends string> {
  label: string;
  /** The tables that the box ticks. */
  names: readonly Name[];
  ticks: Ticks<Name>;
}

/** Ticks all of them, or none. */
export function TickAll<Name extends string>({ label, names, ticks }: TickAllProps<Name>) {
  const count = names.filter(ticks.isTicked).length;
  return (
    <Checkbox
      label={label}
      checked={count === names.length}
      indeterminate={count > 0 && count < names.length}
      onChange={(event) => ticks.tick(names, event.target.checked)}
    />
  );
}
