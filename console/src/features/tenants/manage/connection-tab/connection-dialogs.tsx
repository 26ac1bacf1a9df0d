import { RotateLoginModal } from './rotate-login-modal.tsx';
import { ShownCredentialsModal } from './shown-credentials-modal.tsx';
import type { ConnectionTabState } from './use-connection-tab.ts';

/** The dialog about a login that is open above the Manage Tenant modal. */
export function ConnectionDialogs({ tenantId, state }: { tenantId: string; state: ConnectionTabState }) {
  const { dialog, key, show } = state.dialog;
  const shared = { show, onClose: state.close };
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'rotate':
      return <RotateLoginModal key={key} {...shared} tenantId={tenantId} login={dialog.login} />;
    case 'shown':
      return <ShownCredentialsModal key={key} {...shared} credentials={dialog.credentials} />;
  }
}
