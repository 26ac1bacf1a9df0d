import { type Role, renameRoleForm } from '@apotheca/contract/roles';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useRenameRoleMutation } from '../../api/roles.ts';
import { FormModalFooter } from '../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { useSaveRecord } from '../../forms/use-save-record.ts';
import { useStaleEdit } from '../../forms/use-stale-edit.tsx';

interface RenameRoleModalProps {
  show: boolean;
  role: Role;
  onClose: () => void;
}

/** Gives a role another name. */
export function RenameRoleModal({ show, role, onClose }: RenameRoleModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { id, roleName } = role;
  const [send] = useRenameRoleMutation();
  const form = useZodForm(renameRoleForm, { defaultValues: { roleName } });
  const stale = useStaleEdit({ form, version: role.version, labelOf: () => t('roles.fields.roleName') });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: false,
    stale,
    send: (fields, { by, version }) => send({ ...fields, id, version, updatedBy: by }),
    onSaved: onClose,
  });
  return (
    <Modal
      {...{ show, failure, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t('roles.rename.title')}
      subtitle={roleName}
      dirty={form.formState.isDirty}
      busy={isSaving}
      footer={
        <FormModalFooter
          mode="edit"
          {...{ formId, isSaving }}
          isReady
          saveText={t('roles.rename.confirm', { name: roleName })}
        />
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)}>
        {stale.notice}
        <TextField
          {...form.register('roleName')}
          label={t('roles.fields.roleName')}
          error={fieldError(form, 'roleName')}
          hint={t('roles.rename.hint')}
          autoComplete="off"
          required
          autoFocus
        />
      </form>
    </Modal>
  );
}
