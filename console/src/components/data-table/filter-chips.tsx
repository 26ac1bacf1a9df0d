import { useTranslation } from 'react-i18next';
import { Checkbox } from '../field/checkbox.tsx';
import { Dropdown } from '../popup/dropdown.tsx';
import type { ColumnFilter, ColumnFilters } from './use-column-filters.ts';

/** The filters by columns above a list: a chip for each, with its choices and how many rows each has. */
export function FilterChips({ columns, change }: Pick<ColumnFilters, 'columns' | 'change'>) {
  if (columns.length === 0) return null;
  return (
    <div className="filter-chips">
      {columns.map((filter) => (
        <FilterChip key={filter.id} filter={filter} onChange={(values) => change(filter.id, values)} />
      ))}
    </div>
  );
}

function FilterChip({ filter, onChange }: { filter: ColumnFilter; onChange: (values: readonly string[]) => void }) {
  const { t } = useTranslation();
  const { header, chosen, choices } = filter;
  return (
    <Dropdown
      head={`${header}: ${chosenText()}`}
      headLabel={t('components.filter.by')}
      className={chosen.length > 0 ? 'filter-chip filter-chip-on' : 'filter-chip'}
    >
      {() => (
        <fieldset>
          <legend className="visually-hidden">{header}</legend>
          {choices().map(({ value, label, rows }) => (
            <Checkbox
              key={value}
              label={t('components.filter.choice', { label: label || t('components.filter.none'), rows })}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
          ))}
        </fieldset>
      )}
    </Dropdown>
  );

  function chosenText(): string {
    const [first] = chosen;
    if (first === undefined) return t('components.filter.any');
    if (chosen.length > 1) return t('components.filter.many', { count: chosen.length });
    return filter.labelOf(first) || t('components.filter.none');
  }
}
