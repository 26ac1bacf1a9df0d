import type { OpenSession } from '@apotheca/contract/auth';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/http/answer-errors.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useHeldRows } from '../../../lib/use-held-rows.ts';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { EndSessionButton } from './end-session-button.tsx';
import { sessionColumns } from './session-columns.tsx';
import { SignOutHereDialog } from './sign-out-here-dialog.tsx';
import { useSessions } from './use-sessions.ts';

/** A button with two words, and the cell's padding. */
const ACTIONS_WIDTH = 104;

const idOf = (session: OpenSession) => session.id;

/** The open sessions, last used first. @param userId the user whose sessions are shown; absent: the signed-in user */
export function SessionsTable({ userId }: { userId?: string }) {
  const { t } = useTranslation();
  const sessions = useSessions(userId);
  // Until the new user's sessions are loaded, those of the user before are hidden.
  const open = unlessForbidden(sessions.currentData, sessions.error);
  const held = useHeldRows(open, { idOf, list: userId ?? '' });
  const { rows, isGone } = held;
  const [isLeaving, setLeaving] = useState(false);
  const columns = useMemo(() => sessionColumns(t, isGone), [t, isGone]);
  const rowActions = useCallback(
    (session: OpenSession) => (
      <EndSessionButton
        session={session}
        isOwn={userId === undefined}
        hasEnded={isGone(session)}
        onLeave={() => setLeaving(true)}
      />
    ),
    [userId, isGone],
  );
  return (
    <>
      <DataTable
        name="sessions"
        label={t('sessions.title')}
        columns={columns}
        rows={rows}
        held={held}
        rowKey={idOf}
        isLoading={sessions.isFetching && !rows}
        isFetching={sessions.isFetching}
        error={sessions.error && errorText(sessions.error)}
        onRetry={sessions.refetch}
        emptyText={t('sessions.empty')}
        emptyHint={t('sessions.emptyHint')}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
      />
      <SignOutHereDialog show={isLeaving} onClose={() => setLeaving(false)} />
    </>
  );
}
