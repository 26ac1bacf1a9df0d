import { WEBHOOK_KINDS, type Webhook, type WebhookForm, webhookForm, webhookRoutes } from '@apotheca/contract/webhooks';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useCreateWebhookMutation, useEditWebhookMutation } from '../../api/webhooks.ts';
import { FormModalFooter } from '../../components/dialog/form-modal-footer.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { CheckboxField } from '../../components/field/checkbox-field.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { Notice } from '../../components/notice/notice.tsx';
import { type Stamp, useSaveRecord } from '../../forms/use-save-record.ts';
import { messageText } from '../../locales/messages.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { EventChoice } from './event-choice.tsx';
import { useIssuedSecret } from './use-issued-secret.ts';
import { chosenEvents, useWebhookStaleEdit } from './use-webhook-stale-edit.ts';
import type { ShownSecret } from './webhook-dialog.ts';

interface WebhookModalProps {
  show: boolean;
  /** The webhook to edit; absent: create one. */
  webhook?: Webhook;
  onIssued: (shown: ShownSecret) => void;
  onClose: () => void;
}

/** Creates or edits a webhook. Its kind stays. */
export function WebhookModal({ show, webhook, onIssued, onClose }: WebhookModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const defaultValues = useMemo(() => valuesOf(webhook), [webhook]);
  const form = useZodForm<z.input<typeof webhookForm>, WebhookForm>(webhookForm, { defaultValues });
  const stale = useWebhookStaleEdit(form, webhook);
  const [create] = useCreateWebhookMutation();
  const [edit] = useEditWebhookMutation();
  const issued = useIssuedSecret({ onIssued, onClose });
  const { save, isSaving, failure } = useSaveRecord({
    form,
    isNew: webhook === undefined,
    stale,
    send: async ({ kind, ...fields }: WebhookForm, { by, version }: Stamp) =>
      webhook
        ? edit({ ...fields, id: webhook.id, version, updatedBy: by })
        : issued.keep(fields.name, await create({ ...fields, kind, createdBy: by })),
    onSaved: issued.show,
  });
  const field = (name: 'name' | 'url' | 'kind' | 'isActive') => ({
    ...form.register(name),
    label: t(`webhooks.fields.${name}`),
    error: fieldError(form, name),
  });
  const kinds = WEBHOOK_KINDS.map((kind) => ({ value: kind, label: t(`webhooks.kindsInWords.${kind}`) }));
  const mode = webhook ? 'edit' : 'create';
  const saveRefusal = useRefusal()(webhookRoutes[mode]);
  return (
    <Modal
      {...{ show, failure, saveRefusal, onClose }}
      retry={{ type: 'submit', form: formId }}
      title={t(`webhooks.${mode}.title`)}
      subtitle={webhook?.name}
      size="lg"
      dirty={form.formState.isDirty}
      busy={isSaving}
      footer={<FormModalFooter {...{ formId, isSaving, saveRefusal, mode }} isReady />}
    >
      <form id={formId} className="form-grid" noValidate onSubmit={form.handleSubmit(save)}>
        {stale.notice}
        {webhook && webhook.inactiveReason !== '' && (
          <div className="field-wide">
            <Notice tone="warning">{t('webhooks.deactivated', { reason: messageText(webhook.inactiveReason) })}</Notice>
          </div>
        )}
        <TextField {...field('name')} required autoComplete="off" />
        {webhook ? null : <SelectField {...field('kind')} required options={kinds} />}
        <TextField
          {...field('url')}
          type="url"
          required
          className="field-wide"
          hint={t('webhooks.hints.url')}
          autoComplete="off"
        />
        <EventChoice field={form.register('eventTypes')} error={fieldError(form, 'eventTypes')} />
        <CheckboxField {...field('isActive')} className="field-wide" hint={t('webhooks.hints.isActive')} />
      </form>
    </Modal>
  );
}

function valuesOf(webhook: Webhook | undefined): z.input<typeof webhookForm> {
  const { name = '', kind = 'standard', url = '', eventTypes = [], isActive = true } = webhook ?? {};
  return { name, kind, url, eventTypes: chosenEvents(eventTypes), isActive };
}
