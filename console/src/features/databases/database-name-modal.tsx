import { type ReactNode, useId } from 'react';
import type { ZodType } from 'zod';
import { SubmitModal } from '../../components/dialog/submit-modal.tsx';
import { UpperCaseField } from '../../components/field/upper-case-field.tsx';
import { fieldError, useZodForm } from '../../components/form/form.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { type OperationMutation, useOperation } from '../../operations/use-operation.tsx';

interface NameValues {
  databaseName: string;
}

/** The form has one field for the new name; the calls have several names for it. */
const AT_THE_NAME = { shownAt: { newName: 'databaseName' } };

interface DatabaseNameModalProps<Arg, Result> {
  show: boolean;
  title: string;
  /** Name of the database that is cloned or renamed. */
  subject: string;
  /** Initial value of the field. */
  initialName?: string;
  /** Label of the field. */
  label: string;
  confirmLabel: string;
  /** The rules and their messages, from the contract. */
  schema: ZodType<NameValues, NameValues>;
  /** The operation that gets the name. */
  mutation: OperationMutation<Arg, Result>;
  /** The operation's argument for a valid name. */
  argOf: (name: string) => NoInfer<Arg>;
  onClose: () => void;
  /** Says what will happen; stands above the field. */
  children: ReactNode;
}

/** Asks for a database's new name. */
export function DatabaseNameModal<Arg, Result>(props: DatabaseNameModalProps<Arg, Result>) {
  const { show, title, subject, initialName = '', label, confirmLabel, schema, mutation, argOf, onClose } = props;
  const formId = useId();
  const form = useZodForm(schema, { defaultValues: { databaseName: initialName } });
  const { failure, fail } = useFailure(form, AT_THE_NAME);
  const { start, isBusy, progress } = useOperation(mutation, { onRefused: fail, onClose });
  const send = ({ databaseName }: NameValues) => start(argOf(databaseName));
  const { isDirty } = form.formState;
  return (
    <SubmitModal
      {...{ show, title, formId, confirmLabel, progress, failure, onClose }}
      subtitle={<span className="code">{subject}</span>}
      dirty={isDirty}
      disabled={initialName !== '' && !isDirty}
      busy={isBusy}
    >
      <form id={formId} className="database-name-form" noValidate onSubmit={form.handleSubmit(send)}>
        {props.children}
        <UpperCaseField
          label={label}
          error={fieldError(form, 'databaseName')}
          className="field-code"
          required
          autoFocus
          {...form.register('databaseName')}
        />
      </form>
    </SubmitModal>
  );
}
