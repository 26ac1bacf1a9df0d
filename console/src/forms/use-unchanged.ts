import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ZodForm } from '../components/form/form.tsx';
import { notify } from '../components/toast/toast.tsx';

/**
 * Keeps an edit without changes from being sent.
 * @returns a function that answers whether there is nothing to save, and then says so by a toast
 */
export function useUnchanged<Input extends FieldValues, Output>(form: ZodForm<Input, Output>): () => boolean {
  const { t } = useTranslation();
  // Read during rendering, so that the form tracks it.
  const { isDirty } = form.formState;
  return () => {
    if (!isDirty) notify.warning(t('components.form.unchanged'));
    return !isDirty;
  };
}
