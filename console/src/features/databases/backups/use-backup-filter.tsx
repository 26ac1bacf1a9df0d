import type { Backup } from '@apotheca/contract/backups';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { FilterField } from '../../../components/data-table/filter-field.tsx';
import { textSearch } from '../../../lib/text-search.ts';

const search = textSearch<Backup>(({ databaseName }) => [databaseName]);

/**
 * Filters backups by the name of their database, in a dialog.
 * @returns `found`, the backups that match; `text`, what is typed; `field`, to type in; `clear`, a button that empties it
 */
export function useBackupFilter(backups: Backup[] | undefined) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const found = useMemo(() => backups?.filter(search(text)), [backups, text]);
  function clearAll() {
    setText('');
    // The button that was clicked disappears.
    input.current?.focus();
  }
  return {
    found,
    text,
    field: (
      <FilterField ref={input} label={t('databases.backups.filter')} value={text} onChange={setText} hasKey={false} />
    ),
    clear: (
      <Button variant="secondary" size="small" onClick={clearAll}>
        {t('components.filter.clear')}
      </Button>
    ),
  };
}
