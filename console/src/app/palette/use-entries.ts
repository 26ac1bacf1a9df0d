import { databaseRoutes } from '@apotheca/contract/databases';
import { faqRoutes } from '@apotheca/contract/faqs';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { skipToken } from '@reduxjs/toolkit/query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../../api/databases.ts';
import { useListFaqsQuery } from '../../api/faqs.ts';
import { TENANTS_AS_LISTED, useListTenantsQuery } from '../../api/tenants.ts';
import { USERS_AS_LISTED, useListUsersQuery } from '../../api/users.ts';
import { useListViewsQuery } from '../../api/views.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';
import type { RecordKind } from './entry.ts';
import { KINDS, recordEntries } from './record-kinds.ts';
import { actionEntries, screenEntries, viewEntries } from './screens-and-actions.ts';
import { type Searchable, searchable } from './search.ts';

/** How the loading of a kind of records goes. */
export interface RecordList {
  kind: RecordKind;
  isLoading: boolean;
  isFetching: boolean;
  error?: { message?: string; status?: unknown };
  refetch: () => unknown;
}

/** Everything that can be chosen: what is there already, and how the loading of the rest goes. */
export function useEntries() {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const fixed = useMemo(
    () => [searchable('screens', screenEntries(t)), searchable('actions', actionEntries(t, refusal))],
    [t, refusal],
  );
  const ifAllowed = <Args>(call: ContractRoute, args: Args) => (refusal(call) === undefined ? args : skipToken);
  const tenants = unlessRefused(useListTenantsQuery(ifAllowed(tenantRoutes.list, TENANTS_AS_LISTED)));
  const users = unlessRefused(useListUsersQuery(ifAllowed(userRoutes.list, USERS_AS_LISTED)));
  const databases = unlessRefused(useListDatabasesQuery(ifAllowed(databaseRoutes.list, DATABASES_AS_LISTED)));
  const faqs = unlessRefused(useListFaqsQuery(ifAllowed(faqRoutes.list, undefined)));
  const ofTenants = useMemo(() => recordsOf('tenants', KINDS.tenants, tenants.data), [tenants.data]);
  const ofUsers = useMemo(() => recordsOf('users', KINDS.users, users.data), [users.data]);
  const ofDatabases = useMemo(() => recordsOf('databases', KINDS.databases, databases.data), [databases.data]);
  const ofFaqs = useMemo(() => recordsOf('faqs', KINDS.faqs, faqs.data), [faqs.data]);
  const views = useViewEntries();
  const groups = useMemo(
    () => [...fixed, views, ofTenants, ofUsers, ofDatabases, ofFaqs],
    [fixed, views, ofTenants, ofUsers, ofDatabases, ofFaqs],
  );
  const lists: RecordList[] = [
    { kind: 'tenants', ...tenants },
    { kind: 'users', ...users },
    { kind: 'databases', ...databases },
    { kind: 'faqs', ...faqs },
  ];
  return { groups, lists };
}

const unlessRefused = <Query extends { data?: unknown; error?: unknown }>(query: Query): Query => ({
  ...query,
  data: unlessForbidden(query.data, query.error),
});

/** The views of the lists that the user may read. */
function useViewEntries(): Searchable {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { data: tenants } = useListViewsQuery({ list: 'tenants' });
  const { data: databases } = useListViewsQuery({ list: 'databases' });
  const { data: users } = useListViewsQuery({ list: 'users' });
  return useMemo(() => {
    const lists = [
      ['tenants', tenantRoutes.list, tenants],
      ['databases', databaseRoutes.list, databases],
      ['users', userRoutes.list, users],
    ] as const;
    const readable = lists.filter(([, call]) => refusal(call) === undefined);
    return searchable(
      'views',
      readable.flatMap(([list, , saved = []]) => viewEntries(t, list, saved)),
    );
  }, [t, refusal, tenants, databases, users]);
}

function recordsOf<Row extends { id: string }>(
  group: RecordKind,
  kind: Parameters<typeof recordEntries<Row>>[1],
  rows: readonly Row[] | undefined,
): Searchable {
  return searchable(group, recordEntries(group, kind, rows ?? []));
}
