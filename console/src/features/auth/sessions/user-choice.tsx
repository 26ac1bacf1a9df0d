import { useTranslation } from 'react-i18next';
import { USERS_AS_LISTED, useListUsersQuery } from '../../../api/users.ts';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import type { SessionOwner } from './session-owner.ts';
import { UserPicker } from './user-picker.tsx';

/** Chooses the user whose sessions are shown, once the users are loaded. */
export function UserChoice({ onPick }: { onPick: (user: SessionOwner) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListUsersQuery(USERS_AS_LISTED);
  if (data) return <UserPicker users={data} onPick={onPick} />;
  if (!error || isFetching) return <Spinner label={t('sessions.loadingUsers')} />;
  return <LoadFailed error={error} onRetry={refetch} />;
}
