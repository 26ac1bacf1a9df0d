import type { ChangeEvent, CompositionEvent } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface UpperCaseFieldProps extends Omit<TextFieldProps, 'onChange'> {
  onChange: (event: { target: HTMLInputElement }) => void;
}

/** A text field that puts its text in upper case while it is typed (SPEC §5) and leaves the caret where it was. */
export function UpperCaseField({ onChange, ...props }: UpperCaseFieldProps) {
  function handleChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    // An input method takes back a text that changes under it, so such a text waits until it is composed.
    if (!(nativeEvent instanceof InputEvent && nativeEvent.isComposing)) putInUpperCase(target);
    onChange({ target });
  }
  function handleComposed({ currentTarget: target }: CompositionEvent<HTMLInputElement>) {
    putInUpperCase(target);
    onChange({ target });
  }
  return (
    <TextField
      {...props}
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      onChange={handleChange}
      onCompositionEnd={handleComposed}
    />
  );
}

function putInUpperCase(input: HTMLInputElement) {
  const upper = input.value.toUpperCase();
  if (upper === input.value) return;
  // A letter may grow ('ß' becomes 'SS'), so the caret moves with the text before it.
  const caret = input.value.slice(0, input.selectionStart ?? undefined).toUpperCase().length;
  input.value = upper;
  input.setSelectionRange(caret, caret);
}
