import type { Role } from '@apotheca/contract/roles';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useDeleteRoleMutation, useListRolesQuery } from '../../api/roles.ts';
import { SelectField } from '../../components/field/select-field.tsx';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { selectSession } from '../../session/session-slice.ts';
import { RoleChange } from './role-change.tsx';
import { usePermissions } from './use-permissions.ts';

interface DeleteRoleDialogProps {
  show: boolean;
  role: Role;
  onClose: () => void;
}

/** Asks before a role is deleted, and which role its people get. */
export function DeleteRoleDialog({ role, ...dialog }: DeleteRoleDialogProps) {
  const { t } = useTranslation();
  const { id: deletedBy } = useSelector(selectSession);
  const [send] = useDeleteRoleMutation();
  const [moveTo, setMoveTo] = useState('');
  const { data: roles, error, isFetching, refetch } = useListRolesQuery();
  // As it is now: people may have got the role since the dialog was opened, and the role permissions.
  const newest = roles?.find((one) => one.id === role.id) ?? role;
  const { id, roleName, users } = newest;
  const others = roles?.filter((one) => one.id !== role.id) ?? [];
  const target = others.find((one) => one.id === moveTo);
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('roles.delete.title')}
      message={
        <>
          <p>{t('roles.delete.what', { name: roleName })}</p>
          <p>{t('roles.delete.people', { count: users })}</p>
        </>
      }
      confirmLabel={t('roles.delete.confirm')}
      disabled={target === undefined}
      send={() => send({ id, moveTo, deletedBy })}
    >
      {roles && (
        <SelectField
          label={t('roles.fields.moveTo')}
          options={others.map((one) => ({ value: one.id, label: one.roleName }))}
          value={moveTo}
          required
          onChange={(event) => setMoveTo(event.target.value)}
        />
      )}
      {!roles && error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />}
      {!roles && !error && <LoadingText>{t('roles.loading')}</LoadingText>}
      {target && users > 0 && <Moved from={newest} to={target} />}
    </DeleteRecordDialog>
  );
}

/** What people gain and lose by another role. */
function Moved({ from, to }: { from: Role; to: Role }) {
  const { permissions, error, isFetching, refetch } = usePermissions();
  if (!permissions) return error && <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  const without = (ids: readonly string[], others: readonly string[]) =>
    permissions.filter(({ id }) => ids.includes(id) && !others.includes(id));
  return (
    <RoleChange
      gains={without(to.permissionIds, from.permissionIds)}
      loses={without(from.permissionIds, to.permissionIds)}
    />
  );
}
