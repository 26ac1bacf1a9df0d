import type { DatabaseLogin } from '@apotheca/contract/credentials';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useRotateCredentialsMutation } from '../../../../api/credentials.ts';
import { Button } from '../../../../components/button/button.tsx';
import { DialogButtons } from '../../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../../components/dialog/modal.tsx';
import { SelectField } from '../../../../components/field/select-field.tsx';
import { fieldError, useZodForm } from '../../../../components/form/form.tsx';
import { useSaveRecord } from '../../../../forms/use-save-record.ts';

/** For how many minutes the old login may stay valid. */
const OVERLAPS = ['0', '15', '60', '1440', '10080'] as const;

const rotationFields = z.object({ overlapMinutes: z.enum(OVERLAPS, { error: 'Required' }) });
type RotationFields = z.output<typeof rotationFields>;

interface RotateLoginModalProps {
  show: boolean;
  tenantId: string;
  login: DatabaseLogin;
  onClose: () => void;
}

/** Gives a tenant a new login, and asks how long the old one stays valid. */
export function RotateLoginModal({ show, tenantId, login, onClose }: RotateLoginModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [send] = useRotateCredentialsMutation();
  const form = useZodForm<RotationFields, RotationFields>(rotationFields, {
    defaultValues: { overlapMinutes: '60' },
    draft: null,
  });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: true,
    send: ({ overlapMinutes }, { by }) =>
      send({
        id: tenantId,
        access: login.access,
        loginId: login.id,
        overlapMinutes: Number(overlapMinutes),
        updatedBy: by,
      }),
    onSaved: onClose,
  });
  const footer = (
    <DialogButtons isBusy={isSaving}>
      <Button type="submit" form={formId} loading={isSaving}>
        {t('tenants.manage.connection.rotation.confirm')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, failure, footer, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t('tenants.manage.connection.rotation.title')}
      subtitle={login.role}
      busy={isSaving}
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit(save)}>
        <p>{t('tenants.manage.connection.rotation.what')}</p>
        <SelectField
          {...form.register('overlapMinutes')}
          label={t('tenants.manage.connection.rotation.overlap')}
          error={fieldError(form, 'overlapMinutes')}
          options={OVERLAPS.map((minutes) => ({
            value: minutes,
            label: t(`tenants.manage.connection.rotation.overlaps.${minutes}`),
          }))}
        />
      </form>
    </Modal>
  );
}
