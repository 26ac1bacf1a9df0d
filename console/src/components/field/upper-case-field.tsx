import type { ChangeEvent, CompositionEvent } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface UpperCaseFieldProps extends Omit<TextFieldProps, 'onChange'> {
  onChange: (event: { target: HTMLInputElement }) => void;
}

/** A text field that changes its text to upper case during typing (SPEC §5) and keeps the caret's position. */
export function UpperCaseField({ onChange, ...props }: UpperCaseFieldProps) {
  function handleChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    // An input method discards a text that changes during composition, so the text changes afterwards.
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
  // Upper case may be longer ('ß' becomes 'SS'), so the caret moves with the text before it.
  const caret = input.value.slice(0, input.selectionStart ?? undefined).toUpperCase().length;
  input.value = upper;
  input.setSelectionRange(caret, caret);
}
