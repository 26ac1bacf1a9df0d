import type { Tenant } from '@apotheca/contract/tenants';
import { Columns3 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../components/data-table/data-table.tsx';
import { Checkbox } from '../../../components/field/checkbox.tsx';
import { Dropdown } from '../../../components/popup/dropdown.tsx';

interface ColumnChooserProps {
  columns: Column<Tenant>[];
  shown: Column<Tenant>[];
  onToggle: (id: string) => void;
}

/** Hides and shows columns of the list. */
export function ColumnChooser({ columns, shown, onToggle }: ColumnChooserProps) {
  const { t } = useTranslation();
  const icon = (
    <span className="icon-button" title={t('tenants.chooseColumns')}>
      <Columns3 className="icon" aria-hidden="true" />
    </span>
  );
  return (
    <Dropdown head={icon} headLabel={t('tenants.chooseColumns')} hideArrow align="end" className="column-chooser">
      {() => (
        <fieldset>
          <legend>{t('tenants.chooseColumns')}</legend>
          {columns
            .filter(({ pinned }) => !pinned)
            .map((column) => (
              <Checkbox
                key={column.id}
                label={column.header}
                checked={shown.includes(column)}
                onChange={() => onToggle(column.id)}
              />
            ))}
        </fieldset>
      )}
    </Dropdown>
  );
}
