import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ZodForm } from '../components/form/form.tsx';
import { notify } from '../components/toast/toast.tsx';

/**
 * Keeps an edit that changes nothing from being sent.
 * @returns a function that tells the person so and answers true where there is nothing to save
 */
export function useUnchanged<Input extends FieldValues, Output>(form: ZodForm<Input, Output>): () => boolean {
  const { t } = useTranslation();
  // Read while rendering, so that the form keeps track of it.
  const { isDirty } = form.formState;
  return () => {
    if (!isDirty) notify.warning(t('components.form.unchanged'));
    return !isDirty;
  };
}
