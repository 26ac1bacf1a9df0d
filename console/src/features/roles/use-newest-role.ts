import type { Role } from '@apotheca/contract/roles';
import { useState } from 'react';
import { useListRolesQuery } from '../../api/roles.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';

/** A role as it is now, and the way to make sure of that. @param began as it was when its dialog was opened */
export function useNewestRole(began: Role) {
  const { data, error, isFetching, refetch } = useListRolesQuery(undefined, KEPT_FRESH);
  const [isSure, setSure] = useState(false);
  async function look() {
    setSure(false);
    const answer = await refetch();
    setSure(answer.isSuccess);
  }
  return { role: data?.find(({ id }) => id === began.id) ?? began, isSure, look, error, isFetching };
}
