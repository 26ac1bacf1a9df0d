import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ZodType } from 'zod';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { type NameValues, useSendName } from './use-send-name.ts';

interface DatabaseNameModalProps {
  show: boolean;
  title: string;
  /** Name of the database that the dialog is about. */
  subject: string;
  /** What the field holds at first. */
  initialName?: string;
  /** Label of the field. */
  label: string;
  confirmLabel: string;
  /** The rules and their messages, from the contract. */
  schema: ZodType<NameValues, NameValues>;
  /** Name of the mutation that `send` runs. */
  endpoint: string;
  /** Sends the checked name; resolves to the message to show. */
  send: (name: string) => Promise<string>;
  onClose: () => void;
  /** Says what will happen. */
  children: ReactNode;
}

/** Asks for a database's new name. */
export function DatabaseNameModal(props: DatabaseNameModalProps) {
  const { show, title, subject, initialName = '', label, confirmLabel, schema, send, endpoint, onClose } = props;
  const { t } = useTranslation();
  const formId = useId();
  const form = useZodForm(schema, { defaultValues: { databaseName: initialName } });
  const { sendName, isSending, progress, failure } = useSendName({ form, send, endpoint, onClose });
  const { isDirty } = form.formState;
  const footer = (
    <>
      <Button variant="secondary" disabled={isSending} onClick={onClose}>
        {t('databases.modal.cancel')}
      </Button>
      <Button type="submit" form={formId} disabled={initialName !== '' && !isDirty} loading={isSending}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Modal
      show={show}
      title={title}
      subtitle={<span className="code">{subject}</span>}
      dirty={isDirty}
      footer={progress ?? footer}
      busy={isSending}
      failure={failure}
      onClose={onClose}
    >
      <form id={formId} className="database-name-form" noValidate onSubmit={form.handleSubmit(sendName)}>
        {props.children}
        <UpperCaseField
          {...form.register('databaseName')}
          label={label}
          error={fieldError(form, 'databaseName')}
          className="field-code"
          required
          autoFocus
        />
      </form>
    </Modal>
  );
}
