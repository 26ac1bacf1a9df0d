import type { Database } from '@apotheca/contract/databases';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressParams } from '../../../components/data-table/use-address-params.ts';
import { ChipSelect } from '../../../components/field/chip-select.tsx';

const KINDS = ['unproved', 'outdated'] as const;
type Kind = (typeof KINDS)[number];

/** The filter of the databases list in the address (`?shows=unproved`), its chip, and which databases pass it. */
export function useShownDatabases() {
  const { t } = useTranslation();
  const [params, change] = useAddressParams<'q' | 'shows'>();
  const asked = params.get('shows');
  const kind: Kind | '' = KINDS.find((each) => each === asked) ?? '';
  const passes = useCallback(
    ({ isOutdated, hasProvedBackup }: Database) => {
      if (kind === '') return true;
      return kind === 'outdated' ? isOutdated : !hasProvedBackup;
    },
    [kind],
  );
  const fields = (
    <ChipSelect
      label={t('databases.shows.label')}
      value={kind}
      options={KINDS.map((value) => ({ value, label: t(`databases.shows.${value}`) }))}
      onChange={(shows) => change({ shows })}
    />
  );
  return { passes, moreFilters: { fields, isOn: kind !== '', clearAll: () => change({ q: '', shows: '' }) } };
}
