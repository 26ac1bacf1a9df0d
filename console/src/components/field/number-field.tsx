import { NativeField } from './native-field.tsx';
import type { TextFieldProps } from './text-field.tsx';

/** A field for numbers from 0; register it with `valueAsNumber`. */
export function NumberField(props: TextFieldProps) {
  return <NativeField {...props} type="number" min={0} />;
}
