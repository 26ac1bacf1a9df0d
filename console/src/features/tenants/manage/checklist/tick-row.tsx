import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../../components/field/checkbox.tsx';
import { formatCount } from '../../../../lib/numbers.ts';
import type { Ticks } from './use-ticks.ts';

interface TickRowProps<Name extends string> {
  name: Name;
  label: string;
  /** Rows of the table; undefined until they are loaded. */
  rows: number | undefined;
  ticks: Ticks<Name>;
}

/** One table of a checklist, with its number of rows. */
export function TickRow<Name extends string>({ name, label, rows, ticks }: TickRowProps<Name>) {
  const { t } = useTranslation();
  const rowsId = useId();
  return (
    <li className="tick-row">
      <Checkbox
        label={label}
        checked={ticks.isTicked(name)}
        aria-describedby={rowsId}
        onChange={(event) => ticks.tick([name], event.target.checked)}
      />
      <span id={rowsId} className="num text-muted">
        {rows !== undefined && (
          <>
            {formatCount(rows)} <span className="visually-hidden">{t('tenants.manage.rows')}</span>
          </>
        )}
      </span>
    </li>
  );
}
