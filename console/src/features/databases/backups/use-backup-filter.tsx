import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { FilterField } from '../../../components/data-table/filter-field.tsx';
import { useDelayedText } from '../../../components/data-table/use-delayed-text.ts';

/**
 * Filters backups by the name of their database, in a dialog; the server does it, as there may be many.
 * @returns `search`, what it is to look for; `field`, to type in; `clear`, a button that empties it
 */
export function useBackupFilter() {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [text, setText] = useDelayedText(search, setSearch);
  const input = useRef<HTMLInputElement>(null);
  function clearAll() {
    setText('');
    // The button that was clicked disappears.
    input.current?.focus();
  }
  return {
    search,
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
