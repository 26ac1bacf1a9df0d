import { skipToken } from '@reduxjs/toolkit/query';
import { useListSessionsQuery, useListUserSessionsQuery } from '../../../api/sessions.ts';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';

/** The open sessions as they are now. @param userId whose; absent: one's own, for which no permission is needed */
export function useSessions(userId: string | undefined) {
  const isOwn = userId === undefined;
  const fresh = { refetchOnMountOrArgChange: true, ...KEPT_FRESH };
  const own = useListSessionsQuery(isOwn ? undefined : skipToken, fresh);
  const ofUser = useListUserSessionsQuery(isOwn ? skipToken : { userId }, fresh);
  return isOwn ? own : ofUser;
}
