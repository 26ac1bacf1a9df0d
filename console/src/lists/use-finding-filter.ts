import { FINDING_KINDS, type FindingKind, type FindingSubject } from '@apotheca/contract/findings';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useListFindingRecordsQuery } from '../api/findings.ts';
import type { FilterBy } from '../components/data-table/data-table-types.ts';

/** The address parameter that chooses a finding of the dashboard. */
export const FINDING_PARAM = 'finding';

const isKind = (value: string | null, subject: FindingSubject): value is FindingKind =>
  value !== null && Object.hasOwn(FINDING_KINDS, value) && FINDING_KINDS[value as FindingKind].subject === subject;

/** Filters a list by a finding of the dashboard: exactly its records, snoozed or not. Offered only where the address names one. */
export function useFindingFilter<Row extends { id: string }>(subject: FindingSubject): FilterBy<Row>[] {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const named = params.get(FINDING_PARAM);
  const kind = isKind(named, subject) ? named : undefined;
  const { data } = useListFindingRecordsQuery(
    { kind: kind ?? 'expired' },
    { skip: kind === undefined, refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  return useMemo(() => {
    if (kind === undefined) return [];
    const ids = new Set(data?.map(({ id }) => id));
    const label = t(`dashboard.findings.short.${kind}`);
    return [
      {
        id: FINDING_PARAM,
        header: t('dashboard.findings.filter'),
        filterBy: ({ id }) => (ids.has(id) ? kind : 'other'),
        filterValues: { [kind]: label, other: t('dashboard.findings.others') },
      },
    ];
  }, [t, kind, data]);
}
