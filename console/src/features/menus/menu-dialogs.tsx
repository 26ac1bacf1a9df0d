import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { DeleteMenuDialog } from './delete-menu-dialog.tsx';
import type { MenuDialog } from './menu-dialog.ts';
import { MenuModal } from './menu-modal.tsx';

interface MenuDialogsProps {
  dialog: MenuDialog;
  onClose: () => void;
}

/** The dialog that is open. */
export function MenuDialogs({ dialog, onClose }: MenuDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} onClose={onClose} />;
}

function DialogOf({ dialog, ...shared }: { dialog: MenuDialog; show: boolean; onClose: () => void }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <MenuModal parent={dialog.parent} {...shared} />;
    case 'edit':
      return <MenuModal menu={dialog.menu} {...shared} />;
    case 'delete':
      return <DeleteMenuDialog menu={dialog.menu} {...shared} />;
  }
}
