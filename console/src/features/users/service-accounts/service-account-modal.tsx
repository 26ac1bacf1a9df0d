import { type ServiceAccount, serviceAccountForm, serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import type { User } from '@apotheca/contract/users';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useCreateServiceAccountMutation, useEditServiceAccountMutation } from '../../../api/service-accounts.ts';
import { useUserOptions } from '../../../api/users.ts';
import { RecordModal } from '../../../components/dialog/record-modal.tsx';
import { useKeptState } from '../../../components/form/drafts.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { FormView } from '../../../components/form/form-view.tsx';
import { type Stamp, useSaveRecord } from '../../../forms/use-save-record.ts';
import { useStaleEdit } from '../../../forms/use-stale-edit.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import { ServiceAccountFields } from './service-account-fields.tsx';

interface ServiceAccountModalProps {
  show: boolean;
  mode: 'create' | 'edit' | 'view';
  /** The service account to edit or view; absent: create one. */
  user?: User;
  onClose: () => void;
}

/** A service account: its name, role and notes (DECISIONS §13). */
export function ServiceAccountModal({ show, mode: opened, user, onClose }: ServiceAccountModalProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [mode, setMode] = useKeptState('mode', opened);
  const formId = useId();
  const { options, error, refetch } = useUserOptions(user);
  const defaultValues = useMemo(() => {
    const { userName = '', roleId = '', notes = '' } = user ?? {};
    return { userName, roleId, notes };
  }, [user]);
  const form = useZodForm<z.input<typeof serviceAccountForm>, ServiceAccount>(serviceAccountForm, { defaultValues });
  const stale = useStaleEdit({
    form,
    version: user?.version,
    labelOf: (field) => (isField(field) ? t(`users.service.fields.${field}`) : field),
    wordsOf: (field, value) =>
      field === 'roleId' ? options?.roles.find(({ id }) => id === value)?.roleName : undefined,
    // They may lack a role that was given meanwhile.
    onStale: refetch,
  });
  const [create] = useCreateServiceAccountMutation();
  const [edit] = useEditServiceAccountMutation();
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: user === undefined,
    stale,
    send: (fields: ServiceAccount, { by, version }: Stamp) =>
      user ? edit({ ...fields, id: user.id, version, updatedBy: by }) : create({ ...fields, createdBy: by }),
    onSaved: onClose,
  });
  const placeholder = {
    loadingText: t('users.modal.loading'),
    failedText: t('users.modal.optionsFailed'),
    isError: error !== undefined,
    onRetry: refetch,
  };
  return (
    <RecordModal
      {...{ show, mode, formId, isSaving, failure, placeholder, onClose }}
      edit={{ refusal: refusal(serviceAccountRoutes.edit), onClick: () => setMode('edit') }}
      title={t(`users.service.${mode}Title`)}
      subtitle={user?.userName}
      bodyHeight="18rem"
      dirty={form.formState.isDirty}
      isReady={options !== undefined}
    >
      {/* A select keeps its value only if it has the option. */}
      {options && (
        <form id={formId} className="user-names" noValidate onSubmit={form.handleSubmit(save)}>
          {stale.notice}
          <FormView form={form} isText={mode === 'view'}>
            <ServiceAccountFields form={form} roles={options.roles} />
          </FormView>
        </form>
      )}
    </RecordModal>
  );
}

const isField = (field: string): field is keyof ServiceAccount => Object.hasOwn(serviceAccountForm.shape, field);
