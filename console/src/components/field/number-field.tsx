import { TextField, type TextFieldProps } from './text-field.tsx';

/** A field for a number from 0 on; register it with `valueAsNumber`. */
export function NumberField(props: TextFieldProps) {
  return <TextField {...props} type="number" min={0} />;
}
