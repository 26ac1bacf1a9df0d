import { EVENT_KINDS, type EventType } from '@apotheca/contract/events';
import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/field/checkbox.tsx';
import { FieldMessages } from '../../components/field/field.tsx';
import { messageText } from '../../locales/messages.ts';

interface EventChoiceProps {
  field: UseFormRegisterReturn;
  error: string | undefined;
  /** The events to choose from; absent: all. */
  offered?: readonly EventType[];
}

/** Chooses events. */
export function EventChoice({ field, error, offered }: EventChoiceProps) {
  const { t } = useTranslation();
  const errorId = useId();
  const shown = EVENT_KINDS.filter(({ type }) => offered?.includes(type) ?? true);
  return (
    <fieldset className="field-wide switch-group" aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{t('webhooks.fields.eventTypes')}</legend>
      <ul>
        {shown.map(({ type, name }) => (
          <li key={type} className="switch-row">
            <Checkbox {...field} value={type} label={messageText(name)} />
          </li>
        ))}
      </ul>
      <FieldMessages error={error} errorId={errorId} />
    </fieldset>
  );
}
