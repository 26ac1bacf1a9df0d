import { useTranslation } from 'react-i18next';
import { LoadFailed } from '../../operations/load-failed.tsx';
import type { RecordList } from './use-entries.ts';

interface PaletteNotesProps {
  lists: readonly RecordList[];
  /** How many entries were found. */
  count: number;
  typed: string;
}

/** What is said under the list: that nothing was found, that a list is still loaded or could not be, and the keys. */
export function PaletteNotes({ lists, count, typed }: PaletteNotesProps) {
  const { t } = useTranslation();
  const loading = lists.filter(({ isLoading }) => isLoading).map(({ kind }) => t(`palette.groups.${kind}`));
  const isEmpty = count === 0 && loading.length === 0;
  return (
    <div className="palette-notes">
      {isEmpty && <p className="palette-empty">{typed ? t('palette.nothing', { typed }) : t('palette.noRecords')}</p>}
      {loading.length > 0 && <p role="status">{t('palette.loading', { lists: loading })}</p>}
      {lists.map(
        ({ kind, error, isFetching, refetch }) =>
          error && (
            <div key={kind} className="palette-failure">
              <strong>{t('palette.failed', { list: t(`palette.groups.${kind}`) })}</strong>
              <LoadFailed error={error} busy={isFetching} onRetry={refetch} />
            </div>
          ),
      )}
      <p className="visually-hidden" role="status">
        {t('palette.found', { count })}
      </p>
      <p className="palette-keys" aria-hidden="true">
        {t('palette.keys')}
      </p>
    </div>
  );
}
