import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ZodType } from 'zod';
import { Button } from '../button/button.tsx';
import { fieldError, useZodForm } from '../form/form.tsx';
import type { Failure } from '../notice/failure-notice.tsx';
import { Notice } from '../notice/notice.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { Modal } from './modal.tsx';
import { TypeToConfirmField } from './type-to-confirm-field.tsx';
import { useFreshButtons } from './use-fresh-buttons.ts';

export interface TypeToConfirmDialogProps {
  show: boolean;
  title: string;
  /** What the operation takes away for good. */
  warning: ReactNode;
  /** The text that must be typed, letter by letter. */
  expected: string;
  /** Label of the field. */
  label: string;
  /** Pasting is refused: the text must be typed. */
  blocksPaste?: boolean;
  /** The rule and its messages, from the contract. */
  schema: ZodType<{ typed: string }, { typed: string }>;
  confirmLabel: string;
  busy?: boolean;
  /** Replaces the buttons while the operation runs. */
  progress?: ReactNode;
  /** How often the operation was cancelled: each time the text must be typed anew. */
  cancellations?: number;
  /** Why the last attempt was refused, where no toast has told it. */
  error?: string;
  /** Why the last attempt failed; a toast has told it. */
  failure?: Failure;
  /** Replaces the form, with Close as the only button: the plan is being loaded, or nothing can be done. */
  replacement?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks to type a name before something is deleted or changed for good (SPEC §2.9, §2.13). */
export function TypeToConfirmDialog(props: TypeToConfirmDialogProps) {
  const { show, title, busy = false, progress, cancellations, failure, ...rest } = props;
  const { replacement, onCancel, ...form } = rest;
  const { t } = useTranslation();
  const formId = useId();
  const [valid, setValid] = useState(false);
  const isFresh = useFreshButtons(progress);
  const hasForm = replacement === undefined;
  const buttons = (
    <DialogButtons isBusy={busy} closeText={hasForm ? undefined : t('components.modal.close')} onClose={onCancel}>
      {hasForm && (
        <Button variant="danger" type="submit" form={formId} disabled={!valid || isFresh} loading={busy}>
          {form.confirmLabel}
        </Button>
      )}
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, title, busy, failure }}
      retry={valid ? { type: 'submit', form: formId } : undefined}
      footer={progress ?? buttons}
      onClose={onCancel}
    >
      {replacement ?? (
        <ConfirmForm key={cancellations} {...form} formId={formId} busy={busy} onValidChange={setValid} />
      )}
    </Modal>
  );
}

interface ConfirmFormProps
  extends Pick<
    TypeToConfirmDialogProps,
    'warning' | 'expected' | 'label' | 'blocksPaste' | 'schema' | 'error' | 'busy' | 'onConfirm'
  > {
  formId: string;
  onValidChange: (valid: boolean) => void;
}

/** Mounted with the dialog, so that every opening starts with an empty field. */
function ConfirmForm({
  formId,
  warning,
  expected,
  label,
  blocksPaste,
  schema,
  error,
  busy,
  onConfirm,
  ...rest
}: ConfirmFormProps) {
  const { onValidChange } = rest;
  const form = useZodForm(schema, { defaultValues: { typed: '' }, draft: null });
  const { isValid } = form.formState;
  useEffect(() => onValidChange(isValid), [isValid, onValidChange]);
  return (
    <form id={formId} noValidate onSubmit={form.handleSubmit(() => busy || onConfirm())}>
      <Notice tone="danger">{warning}</Notice>
      {error !== undefined && (
        <Notice tone="danger" role="alert">
          {error}
        </Notice>
      )}
      <TypeToConfirmField
        expected={expected}
        label={label}
        blocksPaste={blocksPaste}
        autoFocus
        error={fieldError(form, 'typed')}
        {...form.register('typed')}
      />
    </form>
  );
}
