import { Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from '../button/button.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface FormModalFooterProps {
  mode: 'create' | 'edit' | 'view';
  /** Id of the form that is submitted. */
  formId: string;
  /** The form can be submitted. */
  isReady: boolean;
  isSaving: boolean;
  /** The text of the button that saves an edit; absent: 'Save'. */
  saveText?: string;
  /** Why the signed-in person may not save; absent: they may. */
  saveRefusal?: string | undefined;
  /** The button that turns a view into an edit. */
  edit?: Pick<ButtonProps, 'onClick' | 'refusal'>;
}

/** The buttons of a modal that creates, edits or shows a record. */
export function FormModalFooter({
  mode,
  formId,
  isReady,
  isSaving,
  saveText,
  saveRefusal,
  edit,
}: FormModalFooterProps) {
  const { t } = useTranslation();
  if (mode === 'view') {
    return (
      <DialogButtons isBusy={false} closeText={t('components.form.close')}>
        {edit && (
          <Button icon={Pencil} {...edit}>
            {t('components.form.edit')}
          </Button>
        )}
      </DialogButtons>
    );
  }
  return (
    <>
      <span className="modal-footer-note">{t('components.form.required')}</span>
      <DialogButtons isBusy={isSaving}>
        <Button type="submit" form={formId} disabled={!isReady} loading={isSaving} refusal={saveRefusal}>
          {mode === 'create' ? t('components.form.create') : (saveText ?? t('components.form.save'))}
        </Button>
      </DialogButtons>
    </>
  );
}
