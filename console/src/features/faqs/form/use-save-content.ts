import type { FieldValues } from 'react-hook-form';
import { useSaveRecord } from '../../../forms/use-save-record.ts';

export type SaveContentOptions<Input extends FieldValues, Output> = Parameters<typeof useSaveRecord<Input, Output>>[0];

/**
 * Saves an FAQ, section or question and shows the server's message. A refusal is shown at the fields that it names; a
 * toast shows only messages of no field (SPEC §8).
 */
export function useSaveContent<Input extends FieldValues, Output>(options: SaveContentOptions<Input, Output>) {
  const { form, onSaved } = options;
  function handleSaved() {
    form.reset();
    onSaved();
  }
  return useSaveRecord({ ...options, isShownAtFieldsOnly: true, onSaved: handleSaved });
}
