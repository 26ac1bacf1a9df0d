import type { DatabaseLogin, LoginAccess, TenantCredentials } from '@apotheca/contract/credentials';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { useRevealCredentialsMutation } from '../../../../api/credentials.ts';
import { showError } from '../../../../api/http/answer-errors.ts';
import { useLastingDialog } from '../../../../components/dialog/use-lasting-dialog.ts';
import { useIsGone } from '../../../../lib/use-is-gone.ts';
import { useOneAtATime } from '../../../../lib/use-one-at-a-time.ts';
import { selectSession } from '../../../../session/session-slice.ts';

type ConnectionDialog =
  | { kind: 'none' }
  | { kind: 'rotate'; login: DatabaseLogin }
  | { kind: 'shown'; credentials: TenantCredentials };

/**
 * State of the tab Connection: the dialog above it, and the login that is being revealed.
 * @param isShown what has the tab is open: a closed one stays until another one is opened, and takes no password then
 */
export function useConnectionTab(tenantId: string, isShown = true) {
  const [dialog, setDialog] = useState<ConnectionDialog>({ kind: 'none' });
  const [revealing, setRevealing] = useState<LoginAccess>();
  const [send] = useRevealCredentialsMutation();
  const { run } = useOneAtATime();
  const isGone = useIsGone(isShown ? tenantId : undefined);
  const by = useSelector(selectSession).id || null;
  async function show(access: LoginAccess) {
    setRevealing(access);
    const call = send({ id: tenantId, access, updatedBy: by });
    const { data, error } = await call;
    // The password is kept by its dialog alone.
    call.reset();
    setRevealing(undefined);
    if (isGone()) return;
    if (error) return void showError(error);
    if (data.result) setDialog({ kind: 'shown', credentials: data.result });
  }
  return {
    dialog: useLastingDialog(dialog),
    revealing,
    // A second answer would put another password in the place of the one that is being copied.
    reveal: (access: LoginAccess) => run(() => show(access)),
    rotate: (login: DatabaseLogin) => setDialog({ kind: 'rotate', login }),
    close: () => setDialog({ kind: 'none' }),
  };
}

export type ConnectionTabState = ReturnType<typeof useConnectionTab>;
