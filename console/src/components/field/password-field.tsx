import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from '../button/icon-button.tsx';
import { Field, type FieldProps, useField } from './field.tsx';

export type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'required' | 'size' | 'type'> & {
    /** Stands between the field and its messages, such as the strength of a new password. */
    below?: ReactNode;
  };

/** A password field with a button that shows the password (SPEC §2.3). */
export function PasswordField({ label, error, required, hint, id, className, below, ...rest }: PasswordFieldProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const field = { label, error, required, hint };
  const { control, errorId, hintId } = useField(field, id);
  return (
    <Field {...field} controlId={control.id} errorId={errorId} hintId={hintId} className={className}>
      <div className="password-control">
        <input
          {...rest}
          {...control}
          type={shown ? 'text' : 'password'}
          className={classNames('form-control', error !== undefined && 'is-invalid')}
        />
        <IconButton
          label={t(shown ? 'components.password.hide' : 'components.password.show')}
          icon={shown ? EyeOff : Eye}
          disabled={rest.disabled}
          onClick={() => setShown(!shown)}
        />
      </div>
      {below}
    </Field>
  );
}
