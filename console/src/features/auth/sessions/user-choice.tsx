import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/http/answer-errors.ts';
import { useListUsersQuery } from '../../../api/users.ts';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import { Spinner } from '../../../components/waiting/spinner.tsx';
import type { SessionOwner } from './session-owner.ts';
import { UserPicker } from './user-picker.tsx';

/** The user whose sessions to show, once the users are loaded. */
export function UserChoice({ onPick }: { onPick: (user: SessionOwner) => void }) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useListUsersQuery({});
  if (data) return <UserPicker users={data} onPick={onPick} />;
  if (!error || isFetching) return <Spinner label={t('sessions.loadingUsers')} />;
  return (
    <RetryNotice retryText={t('components.dataTable.retry')} onRetry={refetch}>
      {errorText(error)}
    </RetryNotice>
  );
}
