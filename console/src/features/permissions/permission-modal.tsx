import { editPermissionForm, type Permission, permissionForm, permissionRoutes } from '@apotheca/contract/permissions';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { useListAvailableIdsQuery } from '../../api/permissions.ts';
import { RecordModal } from '../../components/dialog/record-modal.tsx';
import { useZodForm } from '../../components/form/form.tsx';
import { useSavePermission } from '../../forms/use-save-permission.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { PermissionForm } from './permission-form.tsx';
import type { PermissionFields, PermissionFormInput } from './permission-form-types.ts';
import { newPermissionValues, permissionValues } from './permission-form-values.ts';
import { usePermissionStaleEdit } from './use-permission-stale-edit.ts';

interface PermissionModalProps {
  show: boolean;
  /** The permission to edit; absent: create one. */
  permission?: Permission;
  onClose: () => void;
}

/** Creates or edits a permission (SPEC §2.14). */
export function PermissionModal({ show, permission, onClose }: PermissionModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const isNew = permission === undefined;
  // Not loaded while the dialog closes, so that the next one gets new ids.
  const { data: ids, error, isFetching, refetch } = useListAvailableIdsQuery(undefined, { skip: !isNew || !show });
  useErrorToast(error);
  const values = useMemo(
    () => (permission ? permissionValues(permission) : ids && newPermissionValues(ids)),
    [permission, ids],
  );
  const schema = isNew ? permissionForm : editPermissionForm;
  const form = useZodForm<PermissionFormInput, PermissionFields>(schema, { values });
  const stale = usePermissionStaleEdit(form, permission);
  const bodyOf = (fields: PermissionFields) => ({ ...fields, isMenu: false as const });
  const { save, isSaving, failure } = useSavePermission({ form, isNew, stale, bodyOf, onSaved: onClose });
  const placeholder = {
    loadingText: t('permissions.modal.loading'),
    failedText: t('permissions.modal.loadFailed'),
    isError: error !== undefined && !isFetching,
    onRetry: refetch,
  };
  const mode = isNew ? 'create' : 'edit';
  const saveRefusal = useRefusal()(permissionRoutes[mode]);
  return (
    <RecordModal
      {...{ show, mode, formId, isSaving, saveRefusal, failure, placeholder, onClose }}
      title={t(`permissions.modal.${mode}Title`)}
      subtitle={permission?.name}
      size="lg"
      // High enough for messages: a dialog that grows when a field is left would move the element that is being
      // clicked.
      bodyHeight="26rem"
      dirty={form.formState.isDirty}
      isReady={values !== undefined && !isFetching}
    >
      {values && (
        <PermissionForm
          id={formId}
          form={form}
          permission={permission}
          availableIds={ids ?? []}
          notice={stale.notice}
          onSubmit={form.handleSubmit(save)}
        />
      )}
    </RecordModal>
  );
}
