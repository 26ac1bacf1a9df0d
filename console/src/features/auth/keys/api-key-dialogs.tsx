import type { ApiKey } from '@apotheca/contract/api-keys';
import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { CreateKeyModal } from './create-key-modal.tsx';
import type { KeyOwner, ShownKey } from './key-owner.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyModal } from './rotate-key-modal.tsx';
import { ShownKeyModal } from './shown-key-modal.tsx';

/** The open dialog of a list of API keys, and its key. */
export type KeyDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'rotate' | 'revoke'; apiKey: ApiKey }
  | { kind: 'shown'; shownKey: ShownKey };

interface ApiKeyDialogsProps {
  dialog: KeyDialog;
  owner: KeyOwner;
  /** What a new key may have. */
  scopes: readonly PermissionIdentifier[];
  onOpen: (dialog: KeyDialog) => void;
  onClose: () => void;
}

/** The dialog that is open. */
export function ApiKeyDialogs({ dialog, ...rest }: ApiKeyDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} {...rest} />;
}

function DialogOf({ dialog, show, owner, scopes, onOpen, onClose }: ApiKeyDialogsProps & { show: boolean }) {
  const shared = { show, onClose };
  const showKey = (shownKey: ShownKey) => onOpen({ kind: 'shown', shownKey });
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <CreateKeyModal owner={owner} scopes={scopes} onIssued={showKey} {...shared} />;
    case 'rotate':
      return <RotateKeyModal apiKey={dialog.apiKey} owner={owner} onIssued={showKey} {...shared} />;
    case 'revoke':
      return <RevokeKeyDialog apiKey={dialog.apiKey} {...shared} />;
    case 'shown':
      return <ShownKeyModal shownKey={dialog.shownKey} {...shared} />;
  }
}
