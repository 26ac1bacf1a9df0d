import type { PermissionIdentifier } from '@apotheca/contract/permission-catalogue';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCreateApiKeyMutation } from '../../../api/api-keys.ts';
import { FormModalFooter } from '../../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { NativeField } from '../../../components/field/native-field.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { useSaveRecord } from '../../../forms/use-save-record.ts';
import {
  dayRange,
  endOf,
  type KeyDays,
  linesOf,
  type NewKeyFields,
  type NewKeyForm,
  type NewKeyInput,
  newKeyFields,
} from './key-form.ts';
import type { KeyOwner, ShownKey } from './key-owner.ts';
import { ScopeField } from './scope-field.tsx';
import { useIssuedKey } from './use-issued-key.ts';

interface CreateKeyModalProps {
  show: boolean;
  owner: KeyOwner;
  /** What the key may have. */
  scopes: readonly PermissionIdentifier[];
  onIssued: (key: ShownKey) => void;
  onClose: () => void;
}

/** Makes an API key with permissions, an end and addresses. */
export function CreateKeyModal({ show, owner, scopes, onIssued, onClose }: CreateKeyModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [days] = useState(() => dayRange(owner));
  const defaultValues: NewKeyInput = { name: '', scopes: [], addresses: '', expiresOn: days.suggested };
  const form = useZodForm(newKeyFields, { defaultValues, draft: null });
  const { save, isSaving, failure } = useCreateKey({ form, owner, days, onIssued, onClose });
  const field = (name: 'name' | 'addresses' | 'expiresOn') => ({
    ...form.register(name),
    label: t(`apiKeys.fields.${name}`),
    error: fieldError(form, name),
    autoComplete: 'off',
  });
  return (
    <Modal
      {...{ show, failure, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t('apiKeys.create.title')}
      subtitle={owner.name}
      size="lg"
      dirty={form.formState.isDirty}
      busy={isSaving}
      footer={<FormModalFooter {...{ formId, isSaving }} mode="create" isReady />}
    >
      <form id={formId} className="form-grid" noValidate onSubmit={form.handleSubmit(save)}>
        <TextField {...field('name')} required hint={t('apiKeys.hints.name')} />
        <NativeField {...field('expiresOn')} type="date" required min={days.first} max={days.last} />
        <ScopeField form={form} scopes={scopes} />
        <TextAreaField {...field('addresses')} className="field-wide" hint={t('apiKeys.hints.addresses')} />
      </form>
    </Modal>
  );
}

interface CreateKeyOptions extends Pick<CreateKeyModalProps, 'owner' | 'onIssued' | 'onClose'> {
  form: NewKeyForm;
  days: KeyDays;
}

function useCreateKey({ form, owner, days, ...rest }: CreateKeyOptions) {
  const [send] = useCreateApiKeyMutation();
  const issued = useIssuedKey(rest);
  return useSaveRecord({
    form,
    isNew: true,
    places: { shownAt: { expiresOnUtc: 'expiresOn' } },
    send: async ({ name, scopes, addresses, expiresOn }: NewKeyFields, { by }) => {
      const fields = { name, scopes, addresses: linesOf(addresses), expiresOnUtc: endOf(expiresOn, days) };
      return issued.keep(name, await send({ ...fields, userId: owner.userId, createdBy: by }));
    },
    onSaved: issued.show,
  });
}
