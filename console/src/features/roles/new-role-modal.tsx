import { newRoleForm, type Role } from '@apotheca/contract/roles';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateRoleMutation, useListRolesQuery } from '../../api/roles.ts';
import { RecordModal } from '../../components/dialog/record-modal.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { useSaveRecord } from '../../forms/use-save-record.ts';

interface NewRoleModalProps {
  show: boolean;
  /** The role that is copied, if the user changes nothing; absent: a role without permissions is made. */
  source?: Role;
  onClose: () => void;
}

/** Creates a role, without permissions or with those of another one. */
export function NewRoleModal({ show, source, onClose }: NewRoleModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { data: roles, error, refetch } = useListRolesQuery();
  const [send] = useCreateRoleMutation();
  const form = useZodForm(newRoleForm, { defaultValues: { roleName: '', copyOf: source?.id ?? '' } });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: true,
    send: (fields, { by }) => send({ ...fields, createdBy: by }),
    onSaved: onClose,
  });
  const placeholder = {
    loadingText: t('roles.loading'),
    failedText: t('roles.loadFailed'),
    isError: error !== undefined,
    onRetry: refetch,
  };
  return (
    <RecordModal
      {...{ show, formId, isSaving, failure, placeholder, onClose }}
      mode="create"
      title={t(source ? 'roles.new.copyTitle' : 'roles.new.title')}
      subtitle={source?.roleName}
      bodyHeight="12.5rem"
      dirty={form.formState.isDirty}
      isReady={roles !== undefined}
    >
      {/* A select keeps its value only if it has the option. */}
      {roles && (
        <form id={formId} className="role-fields" noValidate onSubmit={form.handleSubmit(save)}>
          <TextField
            {...form.register('roleName')}
            label={t('roles.fields.roleName')}
            error={fieldError(form, 'roleName')}
            autoComplete="off"
            required
            autoFocus
          />
          <SelectField
            {...form.register('copyOf')}
            label={t('roles.fields.copyOf')}
            error={fieldError(form, 'copyOf')}
            emptyLabel={t('roles.new.nothing')}
            options={roles.map(({ id, roleName }) => ({ value: id, label: roleName }))}
            hint={t('roles.new.hint')}
          />
        </form>
      )}
    </RecordModal>
  );
}
