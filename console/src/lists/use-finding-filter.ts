import { FINDING_KINDS, type FindingKind, type FindingSubject } from '@apotheca/contract/findings';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useListFindingRecordsQuery } from '../api/findings.ts';
import type { FilterBy } from '../components/data-table/data-table-types.ts';
import type { ListQuery } from './use-list.ts';

/** The address parameter that chooses a finding of the dashboard. */
export const FINDING_PARAM = 'finding';

const KINDS = Object.keys(FINDING_KINDS) as FindingKind[];

/** The value of the records that a finding is not about. It names the finding: in the address it may stand alone. */
const othersOf = (kind: FindingKind) => `not-${kind}`;

/** The finding that a value in the address is about. */
const kindOf = (value: string, subject: FindingSubject): FindingKind | undefined =>
  KINDS.find((kind) => (value === kind || value === othersOf(kind)) && FINDING_KINDS[kind].subject === subject);

/**
 * Filters a list by a finding of the dashboard: exactly its records, snoozed or not. Offered only where the address names one.
 * @param list the query of the list
 * @returns the filter, and the query that has no rows before it is known which records those are
 */
export function useFindingFilter<Row extends { id: string }>(subject: FindingSubject, list: ListQuery<Row>) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const kind = kindOf(params.get(FINDING_PARAM) ?? '', subject);
  const records = useListFindingRecordsQuery(
    { kind: kind ?? 'expired' },
    { skip: kind === undefined, refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  const { currentData } = records;
  const filters = useMemo((): FilterBy<Row>[] => {
    if (kind === undefined) return [];
    const ids = new Set(currentData?.map(({ id }) => id));
    const label = t(`dashboard.findings.short.${kind}`);
    return [
      {
        id: FINDING_PARAM,
        header: t('dashboard.findings.filter'),
        filterBy: ({ id }) => (ids.has(id) ? kind : othersOf(kind)),
        filterValues: { [kind]: label, [othersOf(kind)]: t('dashboard.findings.others') },
      },
    ];
  }, [t, kind, currentData]);
  return { filters, query: kind === undefined ? list : withRecords(list, records) };
}

/** A list together with the records that it is filtered by: without these it would look as if nothing matched. */
function withRecords<Row>(list: ListQuery<Row>, records: ListQuery<unknown>): ListQuery<Row> {
  const isKnown = records.currentData !== undefined;
  return {
    ...list,
    ...(!isKnown && { data: undefined, currentData: undefined }),
    error: list.error ?? records.error,
    isLoading: list.isLoading || (!isKnown && records.isFetching),
    isFetching: list.isFetching || records.isFetching,
    refetch() {
      void list.refetch();
      void records.refetch();
    },
  };
}
