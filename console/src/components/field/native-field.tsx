import { type Ref, useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from './text-field.tsx';
import { useIncomplete } from './use-incomplete.ts';

interface NativeFieldProps extends TextFieldProps {
  type: 'number' | 'date' | 'datetime-local';
}

/**
 * A field whose text the browser itself reads. Of one that it cannot read, such as a date without a time or '60 s', it says that it is
 * empty: that would take away what was there. So the field refuses it.
 */
export function NativeField({ ref, error, onChange, onKeyUp, onBlur, ...rest }: NativeFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { isRefused, look } = useIncomplete(input);
  const setRef = useCallback(
    (node: HTMLInputElement | null) => {
      input.current = node;
      passTo(ref, node);
    },
    [ref],
  );
  const refusal = t(rest.type === 'number' ? 'components.native.number' : 'components.native.moment');
  return (
    <TextField
      {...rest}
      ref={setRef}
      error={isRefused ? refusal : error}
      onChange={(event) => {
        look('typed');
        onChange?.(event);
      }}
      onKeyUp={(event) => {
        // No change is told of while the value stays empty.
        look('typed');
        onKeyUp?.(event);
      }}
      onBlur={(event) => {
        look('left');
        onBlur?.(event);
      }}
    />
  );
}

function passTo(ref: Ref<HTMLInputElement> | undefined, node: HTMLInputElement | null) {
  if (typeof ref === 'function') ref(node);
  else if (ref) ref.current = node;
}
