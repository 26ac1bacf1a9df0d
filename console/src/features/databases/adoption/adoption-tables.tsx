import type { AdoptedTable, AdoptionPlan, SourceTable } from '@apotheca/contract/adoptions';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../components/display/badge.tsx';
import { Select } from '../../../components/field/select.tsx';
import { formatCount } from '../../../lib/numbers.ts';

const TONES: Record<AdoptedTable['state'], Tone> = { fits: 'success', mapped: 'info', missing: 'muted' };

interface AdoptionTablesProps {
  plan: AdoptionPlan;
  /** Chooses the table that one of the platform's gets its rows from. */
  onTable: (table: AdoptedTable, source: string | null) => void;
  onColumn: (table: AdoptedTable, column: string, source: string | null) => void;
}

/** What becomes of each table, with another choice for each; then what stays behind. */
export function AdoptionTables({ plan, onTable, onColumn }: AdoptionTablesProps) {
  const { t } = useTranslation();
  const sources = new Map(plan.sourceTables.map((table) => [table.id, table]));
  const extra = plan.extra.flatMap((id) => sources.get(id) ?? []);
  return (
    <>
      <Summary plan={plan} />
      <ul className="adoption-tables" aria-label={t('databases.adoption.tables')}>
        {plan.tables.map((table) => (
          <li key={table.table}>
            <TableChoice
              table={table}
              source={sources.get(table.source ?? '')}
              free={[...extra, ...plan.sourceTables.filter(({ id }) => id === table.source)]}
              onTable={(source) => onTable(table, source)}
            />
            <ColumnChoices
              table={table}
              source={sources.get(table.source ?? '')}
              onColumn={(column, source) => onColumn(table, column, source)}
            />
          </li>
        ))}
      </ul>
      {plan.hasLargeObjects && <p className="form-text">{t('databases.adoption.largeObjects')}</p>}
      {extra.length > 0 && (
        <div>
          <h3 className="adoption-heading">
            {t('databases.adoption.extra')} <Badge tone="warning">{t('databases.adoption.states.extra')}</Badge>
          </h3>
          <p className="form-text">{t('databases.adoption.extraHint')}</p>
          <ul className="left-out">
            {extra.map((table) => (
              <li key={table.id}>
                <span className="code">{table.name}</span> <Amount rows={table.rows} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** How many tables are in each state. */
function Summary({ plan }: { plan: AdoptionPlan }) {
  const { t } = useTranslation();
  const count = (state: AdoptedTable['state']) => plan.tables.filter((table) => table.state === state).length;
  return (
    <p className="adoption-summary" role="status">
      {(['fits', 'mapped', 'missing'] as const).map((state) => (
        <Badge key={state} tone={TONES[state]}>
          {count(state)} {t(`databases.adoption.states.${state}`)}
        </Badge>
      ))}
      <Badge tone="warning">
        {plan.extra.length} {t('databases.adoption.states.extra')}
      </Badge>
    </p>
  );
}

interface TableChoiceProps {
  table: AdoptedTable;
  source: SourceTable | undefined;
  /** The tables that can be chosen. */
  free: readonly SourceTable[];
  onTable: (source: string | null) => void;
}

function TableChoice({ table: { table, state }, source, free, onTable }: TableChoiceProps) {
  const { t } = useTranslation();
  return (
    <div className="adoption-table">
      <span className="code">{table}</span>
      <Badge tone={TONES[state]}>{t(`databases.adoption.states.${state}`)}</Badge>
      <Select
        aria-label={t('databases.adoption.sourceOf', { table })}
        size="small"
        emptyLabel={t('databases.adoption.none')}
        value={source?.id ?? ''}
        options={free.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={({ target }) => onTable(target.value === '' ? null : target.value)}
      />
      {source && <Amount rows={source.rows} />}
    </div>
  );
}

interface ColumnChoicesProps {
  table: AdoptedTable;
  source: SourceTable | undefined;
  onColumn: (column: string, source: string | null) => void;
}

/** The columns of a table that does not simply fit, folded at first. */
function ColumnChoices({ table: { table, state, columns, leftOut }, source, onColumn }: ColumnChoicesProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!source || state === 'fits') return null;
  const unfilled = columns.filter((column) => column.source === null);
  const lacking = unfilled.filter(({ isRequired }) => isRequired);
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ');
  return (
    <div className="adoption-columns">
      {lacking.length > 0 && (
        <p className="adoption-danger">{t('databases.adoption.lacking', { columns: names(lacking) })}</p>
      )}
      {unfilled.length > lacking.length && (
        <p>{t('databases.adoption.unfilled', { columns: names(unfilled.filter((one) => !one.isRequired)) })}</p>
      )}
      {leftOut.length > 0 && <p>{t('databases.adoption.leftOut', { columns: leftOut.join(', ') })}</p>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('databases.adoption.columns', { table })}</summary>
        {isOpen &&
          columns.map((column) => (
            <div key={column.name} className="adoption-column">
              <label className="code" htmlFor={`${id}-${column.name}`}>
                {column.name}
              </label>
              <Select
                id={`${id}-${column.name}`}
                size="small"
                emptyLabel={t('databases.adoption.none')}
                value={column.source ?? ''}
                options={[...new Set(source.columns)].map((name) => ({ value: name, label: name }))}
                onChange={({ target }) => onColumn(column.name, target.value === '' ? null : target.value)}
              />
            </div>
          ))}
      </details>
    </div>
  );
}

function Amount({ rows }: { rows: number | null }) {
  const { t } = useTranslation();
  const amount =
    rows === null
      ? t('databases.restore.notCounted')
      : t('databases.restore.rows', { count: rows, rows: formatCount(rows) });
  return <span className="adoption-amount num">{amount}</span>;
}
