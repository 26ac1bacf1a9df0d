import { EVENT_KINDS, type EventType } from '@apotheca/contract/events';
import { type Webhook, type WebhookForm, webhookForm } from '@apotheca/contract/webhooks';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { ZodForm } from '../../components/form/form.tsx';
import { type StaleEdit, useStaleEdit } from '../../forms/use-stale-edit.tsx';
import { messageText } from '../../locales/messages.ts';

/** Merges other users' changes to a webhook into its form, and names them in the form's words. */
export function useWebhookStaleEdit(
  form: ZodForm<z.input<typeof webhookForm>, WebhookForm>,
  webhook: Webhook | undefined,
): StaleEdit {
  const { t } = useTranslation();
  function labelOf(field: string): string {
    const name = webhookForm.keyof().options.find((one) => one === field);
    if (name) return t(`webhooks.fields.${name}`);
    return field === 'host' ? t('webhooks.columns.host') : field;
  }
  function wordsOf(field: string, value: unknown): string | undefined {
    if (field === 'eventTypes') return eventsOf(value).map(nameOf).join(', ');
    if (field === 'isActive') return t(value === true ? 'webhooks.filters.on' : 'webhooks.filters.off');
    return undefined;
  }
  const formValueOf = (field: string, value: unknown) => (field === 'eventTypes' ? chosenEvents(value) : value);
  return useStaleEdit({ form, version: webhook?.version, labelOf, wordsOf, formValueOf });
}

/** The events that are chosen, in the order of the form's boxes: in another one the form would count as changed. */
export function chosenEvents(value: unknown): EventType[] {
  const chosen = eventsOf(value);
  return EVENT_KINDS.map(({ type }) => type).filter((type) => chosen.includes(type));
}

/** The audit trail has the events before the change as one text. */
const eventsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : String(value).split(', ').filter(Boolean);

function nameOf(type: string): string {
  const kind = EVENT_KINDS.find((one) => one.type === type);
  return kind ? messageText(kind.name) : type;
}
