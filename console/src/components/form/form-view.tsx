import { createContext, type ReactNode, useContext } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { classNames } from '../../lib/class-names.ts';
import { Facts } from '../display/facts.tsx';
import type { ZodForm } from './form.tsx';

/** The value of a form's field by its name. */
type ReadValue = (name: string) => unknown;

const ShownValues = createContext<ReadValue | undefined>(undefined);

interface FormViewProps<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  /** Whether the fields are shown as text. */
  isText: boolean;
  children: ReactNode;
}

/** The fields of a form: as controls, or their labels over their values as text. */
export function FormView<Input extends FieldValues, Output>({ form, isText, children }: FormViewProps<Input, Output>) {
  const readValue: ReadValue = (name) => form.watch(name as FieldPath<Input>);
  return <ShownValues value={isText ? readValue : undefined}>{children}</ShownValues>;
}

/** For fields: reads values by their name where they are shown as text; undefined where they are controls. */
export const useShownValues = (): ReadValue | undefined => useContext(ShownValues);

/** Fields in columns. Where they are text, what stands directly in it is a field and nothing else. */
export function FormGrid({ className, children }: { className?: string; children: ReactNode }) {
  if (useShownValues()) return <Facts className={classNames('form-facts', className)}>{children}</Facts>;
  return <div className={classNames('form-grid', className)}>{children}</div>;
}
