import { skipToken } from '@reduxjs/toolkit/query';
import { useListSessionsQuery, useListUserSessionsQuery } from '../../../api/sessions.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';

/** The open sessions of a user. @param userId absent: the signed-in user, who needs no permission for it */
export function useSessions(userId: string | undefined) {
  const isOwn = userId === undefined;
  const fresh = { refetchOnMountOrArgChange: true, ...KEPT_FRESH };
  const own = useListSessionsQuery(isOwn ? undefined : skipToken, fresh);
  const ofUser = useListUserSessionsQuery(isOwn ? skipToken : { userId }, fresh);
  return isOwn ? own : ofUser;
}
