import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Fact } from '../display/facts.tsx';
import { useShownValues } from '../form/form-view.tsx';

/** What every form field takes besides the props of its native control. */
export interface FieldProps {
  label: string;
  /** The message under the field; absent: the field is valid, or was not touched yet. */
  error?: string;
  required?: boolean;
  /** A line under the field that explains it. */
  hint?: string;
  /** A doubt about the value, which is no error. */
  warning?: string;
}

/** The attributes that link a control to its label, hint, warning and error. */
interface ControlAttributes {
  id: string;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
  'aria-describedby': string | undefined;
}

/**
 * Ids and aria attributes of a field. The native `required` attribute is not set: the browser's bubble would precede
 * the form's own messages.
 */
export function useField({ error, required, hint, warning }: FieldProps, id?: string) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const errorId = error === undefined ? undefined : `${controlId}-error`;
  const hintId = hint === undefined ? undefined : `${controlId}-hint`;
  const warningId = warning === undefined ? undefined : `${controlId}-warning`;
  const control: ControlAttributes = {
    id: controlId,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-required': required || undefined,
    'aria-describedby': [errorId, warningId, hintId].filter(Boolean).join(' ') || undefined,
  };
  return { control, errorId, warningId, hintId };
}

interface FieldMessagesProps {
  error?: string;
  errorId?: string;
  warning?: string;
  warningId?: string;
  hint?: string;
  hintId?: string;
}

/** The lines under a control: first the error, one line per message, then the warning, then the hint. */
export function FieldMessages({ error, errorId, warning, warningId, hint, hintId }: FieldMessagesProps) {
  return (
    <>
      {error !== undefined && (
        <div className="invalid-feedback" id={errorId}>
          <CircleAlert className="icon" aria-hidden="true" />
          <div>
            {error.split('\n').map((message) => (
              <div key={message}>{message}</div>
            ))}
          </div>
        </div>
      )}
      {warning !== undefined && (
        <div className="field-warning" id={warningId}>
          <TriangleAlert className="icon" aria-hidden="true" />
          {warning}
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

/** What a field shows where its form is shown as text. */
interface ShownProps {
  name?: string;
  /** Absent: the form's value of that name. */
  value?: unknown;
  /** The words for a value; absent: the value itself. */
  textOf?: (value: unknown) => string | undefined;
}

interface FieldProperties extends FieldProps, FieldMessagesProps {
  controlId: string;
  shown?: ShownProps;
  className?: string;
  children: ReactNode;
}

/** Label above, control below it, messages last; where its form is shown as text, label and value. */
export function Field({ label, required, controlId, shown = {}, className, children, ...messages }: FieldProperties) {
  const readValue = useShownValues();
  if (readValue) {
    const { name = '', value = readValue(name), textOf = asText } = shown;
    return (
      <Fact label={label} className={className}>
        {textOf(value)}
      </Fact>
    );
  }
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

const asText = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
