import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ZodType } from 'zod';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { type OperationMutation, useOperation } from '../../operations/use-operation.tsx';

interface NameValues {
  databaseName: string;
}

/** The one field stands for the new name, whatever the call's parameter for it is called. */
const AT_THE_NAME = { shownAt: { newName: 'databaseName' } };

interface DatabaseNameModalProps<Arg, Result> {
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
  /** What is done with the name. */
  mutation: OperationMutation<Arg, Result>;
  /** What is sent with the checked name. */
  argOf: (name: string) => NoInfer<Arg>;
  onClose: () => void;
  /** Says what will happen. */
  children: ReactNode;
}

/** Asks for a database's new name. */
export function DatabaseNameModal<Arg, Result>(props: DatabaseNameModalProps<Arg, Result>) {
  const { show, title, subject, initialName = '', label, confirmLabel, schema, mutation, argOf, onClose } = props;
  const { t } = useTranslation();
  const formId = useId();
  const form = useZodForm(schema, { defaultValues: { databaseName: initialName } });
  const { failure, fail } = useFailure(form, AT_THE_NAME);
  const { start, isBusy, progress } = useOperation(mutation, { onRefused: fail, onClose });
  const send = ({ databaseName }: NameValues) => start(argOf(databaseName));
  const { isDirty } = form.formState;
  const footer = (
    <>
      <Button variant="secondary" disabled={isBusy} onClick={onClose}>
        {t('databases.modal.cancel')}
      </Button>
      <Button type="submit" form={formId} disabled={initialName !== '' && !isDirty} loading={isBusy}>
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
      busy={isBusy}
      failure={failure}
      onClose={onClose}
    >
      <form id={formId} className="database-name-form" noValidate onSubmit={form.handleSubmit(send)}>
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
