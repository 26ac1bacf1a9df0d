import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

/** What every form field takes besides the props of its native control. */
export interface FieldProps {
  label: string;
  /** The message under the field; absent: the field is fine, or nobody has been there yet. */
  error?: string;
  required?: boolean;
  /** A line under the field that helps to fill it in. */
  hint?: string;
}

/** The attributes that tie a control to its label, hint and error. */
interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
  'aria-describedby': string | undefined;
}

/**
 * Ids and aria attributes of a field. The native `required` stays off: its browser bubble would come before the
 * form's own messages.
 */
export function useField({ error, required, hint }: FieldProps, id?: string) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const errorId = error === undefined ? undefined : `${controlId}-error`;
  const hintId = hint === undefined ? undefined : `${controlId}-hint`;
  const control: ControlAttributes = {
    id: controlId,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-required': required || undefined,
    'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
  };
  return { control, errorId, hintId };
}

interface FieldMessagesProps {
  error?: string;
  errorId?: string;
  hint?: string;
  hintId?: string;
}

/** The lines under a control: the error first, then the hint. */
export function FieldMessages({ error, errorId, hint, hintId }: FieldMessagesProps) {
  return (
    <>
      {error !== undefined && (
        <div className="invalid-feedback" id={errorId}>
          <CircleAlert className="icon" aria-hidden="true" />
          <span>{error}</span>
        </div>
      )}
      {hint !== undefined && (
        <div className="form-text" id={hintId}>
          {hint}
        </div>
      )}
    </>
  );
}

interface FieldProperties extends FieldProps, FieldMessagesProps {
  controlId: string;
  className?: string;
  children: ReactNode;
}

/** Label above, control, messages below. */
export function Field({ label, required, controlId, className, children, ...messages }: FieldProperties) {
  return (
    <div className={classNames('field', className)}>
      <div className="field-label">
        <label className="form-label" htmlFor={controlId}>
          {label}
        </label>
        {required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </div>
      {children}
      <FieldMessages {...messages} />
    </div>
  );
}
