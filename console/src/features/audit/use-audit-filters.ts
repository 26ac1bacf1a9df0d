import { type AuditFilters, OUTCOMES } from '@apotheca/contract/audit';
import { hasKnownYear } from '@apotheca/contract/text';
import { useCallback, useMemo } from 'react';
import { useAddressParams } from '../../components/data-table/use-address-params.ts';

/** The filters that are texts as typed. */
export const TEXT_FILTERS = ['actor', 'action', 'entity', 'entityId', 'address'] as const;
type FilterName = (typeof TEXT_FILTERS)[number] | 'text' | 'outcome' | 'from' | 'to';

/** The filters of the audit trail. They are part of the address, so that a link or a reload shows the same entries. */
export function useAuditFilters() {
  const [params, changeParams] = useAddressParams<FilterName | 'before'>();
  // Another filter begins at the newest entry again.
  const change = useCallback(
    (values: Partial<Record<FilterName, string>>) => changeParams({ ...values, before: '' }),
    [changeParams],
  );
  const query = useMemo(() => queryOf(params), [params]);
  const clear = useCallback(() => change(NOTHING), [change]);
  const set = useMemo(() => FILTERS.filter((name) => params.get(name)?.trim()), [params]);
  return {
    ...{ params, query, change, clear },
    isOn: set.length > 0,
    /** How many filters besides the text have something in them. */
    count: set.filter((name) => name !== 'text').length,
    /** A filter has something in it that cannot be searched for. */
    isIgnored: (name: FilterName) => set.includes(name) && query[name] === undefined,
  };
}

export type AuditFilterState = ReturnType<typeof useAuditFilters>;

const FILTERS: readonly FilterName[] = [...TEXT_FILTERS, 'text', 'outcome', 'from', 'to'];
const NOTHING = Object.fromEntries(FILTERS.map((name) => [name, '']));

interface AuditQuery extends AuditFilters {
  before?: string;
}

/** The query of an address; what is missing or wrong there is missing here. */
function queryOf(params: URLSearchParams): AuditQuery {
  const given = (name: FilterName | 'before') => params.get(name)?.trim() || undefined;
  const query: AuditQuery = {};
  for (const name of ['text', ...TEXT_FILTERS] as const) {
    const value = given(name);
    if (value !== undefined) query[name] = value;
  }
  const outcome = OUTCOMES.find((each) => each === given('outcome'));
  if (outcome !== undefined) query.outcome = outcome;
  for (const name of ['from', 'to'] as const) {
    const moment = momentOf(given(name));
    if (moment !== undefined) query[name] = moment;
  }
  const before = given('before');
  if (before !== undefined && /^\d{1,18}$/.test(before)) query.before = before;
  return query;
}

/** @param local as the browser's field for day and time has it, in its own time zone */
function momentOf(local: string | undefined): string | undefined {
  const moment = new Date(local ?? '');
  if (Number.isNaN(moment.getTime())) return undefined;
  const utc = moment.toISOString();
  return hasKnownYear(utc) ? utc : undefined;
}
