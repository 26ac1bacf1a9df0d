import { databaseRoutes } from '@apotheca/contract/databases';
import type { DatabaseAccess } from '@apotheca/contract/tenant-access';
import { skipToken } from '@reduxjs/toolkit/query';
import { useTranslation } from 'react-i18next';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../../../../api/databases.ts';
import { Notice } from '../../../../components/notice/notice.tsx';
import { KEPT_FRESH } from '../../../../lists/list-freshness.ts';
import { useRefusal } from '../../../../rights/rights.tsx';
import { unlessForbidden } from '../../../../transport/api-error.ts';

interface PendingAccessProps {
  databaseName: string;
  /** What the programs may do by the tenant's record. */
  access: DatabaseAccess;
}

/**
 * Says what programs can still do, or not yet, where PostgreSQL was not told what the record says: an operation that works on the
 * database may hold that up for an hour, and whoever closes a leak believes it closed. Nothing while the list is loaded, as it may be older
 * than the record.
 */
export function PendingAccess({ databaseName, access }: PendingAccessProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const isAllowed = refusal(databaseRoutes.list) === undefined;
  const { data, error, isFetching } = useListDatabasesQuery(isAllowed ? DATABASES_AS_LISTED : skipToken, {
    ...KEPT_FRESH,
    refetchOnMountOrArgChange: true,
  });
  const told = isFetching
    ? undefined
    : unlessForbidden(data, error)?.find((database) => database.databaseName === databaseName)?.access;
  if (told === undefined || told === access) return null;
  return <Notice tone="warning">{t(`tenants.manage.connection.standing.pending.${told}`)}</Notice>;
}
