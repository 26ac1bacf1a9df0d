import type { Role } from '@apotheca/contract/roles';
import { useTranslation } from 'react-i18next';
import { useSetRoleSecondFactorMutation } from '../../api/roles.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';

interface SecondFactorDialogProps {
  show: boolean;
  role: Role;
  onClose: () => void;
}

/** Asks before a role needs a second factor, or needs one no longer. */
export function SecondFactorDialog({ role, ...dialog }: SecondFactorDialogProps) {
  const { t } = useTranslation();
  const [send] = useSetRoleSecondFactorMutation();
  const change = role.requiresSecondFactor ? 'waive' : 'require';
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t(`roles.secondFactor.${change}.title`)}
      message={t(`roles.secondFactor.${change}.what`, { name: role.roleName })}
      variant="primary"
      confirmLabel={t(`roles.secondFactor.${change}.confirm`)}
      send={() => send({ id: role.id, required: !role.requiresSecondFactor })}
    />
  );
}
