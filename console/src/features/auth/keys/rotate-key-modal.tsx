import type { ApiKey } from '@apotheca/contract/api-keys';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRotateApiKeyMutation } from '../../../api/api-keys.ts';
import { Button } from '../../../components/button/button.tsx';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { NativeField } from '../../../components/field/native-field.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { fieldError, useZodForm, type ZodForm } from '../../../components/form/form.tsx';
import { useSaveRecord } from '../../../forms/use-save-record.ts';
import {
  dayRange,
  endOf,
  type KeyDays,
  OVERLAPS,
  type RotationFields,
  type RotationInput,
  rotationFields,
} from './key-form.ts';
import type { KeyOwner, ShownKey } from './key-owner.ts';
import { useIssuedKey } from './use-issued-key.ts';

interface RotateKeyModalProps {
  show: boolean;
  apiKey: ApiKey;
  owner: KeyOwner;
  onIssued: (key: ShownKey) => void;
  onClose: () => void;
}

/** Gives a key a new secret, and asks how long the old one stays valid. */
export function RotateKeyModal({ show, apiKey, owner, onIssued, onClose }: RotateKeyModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [days] = useState(() => dayRange(owner));
  const form = useZodForm<RotationInput, RotationFields>(rotationFields, {
    defaultValues: { overlapHours: '24', expiresOn: days.suggested },
    draft: null,
  });
  const { save, isSaving, failure } = useRotateKey({ form, apiKey, days, onIssued, onClose });
  const overlaps = OVERLAPS.map((hours) => ({ value: hours, label: t(`apiKeys.rotate.overlaps.${hours}`) }));
  const footer = (
    <DialogButtons isBusy={isSaving}>
      <Button type="submit" form={formId} loading={isSaving}>
        {t('apiKeys.rotate.confirm')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, failure, footer, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t('apiKeys.rotate.title')}
      subtitle={apiKey.name}
      dirty={form.formState.isDirty}
      busy={isSaving}
    >
      <form id={formId} className="user-names" noValidate onSubmit={form.handleSubmit(save)}>
        <p>{t('apiKeys.rotate.what')}</p>
        <SelectField
          {...form.register('overlapHours')}
          label={t('apiKeys.fields.overlapHours')}
          error={fieldError(form, 'overlapHours')}
          options={overlaps}
        />
        <NativeField
          {...form.register('expiresOn')}
          label={t('apiKeys.fields.expiresOn')}
          error={fieldError(form, 'expiresOn')}
          type="date"
          min={days.first}
          max={days.last}
        />
      </form>
    </Modal>
  );
}

interface RotateKeyOptions extends Pick<RotateKeyModalProps, 'apiKey' | 'onIssued' | 'onClose'> {
  days: KeyDays;
  form: ZodForm<RotationInput, RotationFields>;
}

function useRotateKey({ form, apiKey: { id, name }, days, ...rest }: RotateKeyOptions) {
  const [send] = useRotateApiKeyMutation();
  const issued = useIssuedKey(rest);
  return useSaveRecord({
    form,
    isNew: true,
    places: { shownAt: { expiresOnUtc: 'expiresOn' } },
    send: async ({ overlapHours, expiresOn }: RotationFields, { by }) => {
      const rotation = { id, overlapHours: Number(overlapHours), expiresOnUtc: endOf(expiresOn, days) };
      return issued.keep(name, await send({ ...rotation, updatedBy: by }));
    },
    onSaved: issued.show,
  });
}
