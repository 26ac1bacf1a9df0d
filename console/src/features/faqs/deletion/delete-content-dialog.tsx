import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useDeleteRecord } from '../../../forms/use-delete-record.ts';

interface DeleteContentDialogProps {
  show: boolean;
  kind: 'faq' | 'section' | 'question';
  name: string;
  /** Nothing can be confirmed yet: what goes along is still being found out, or could not be. */
  disabled?: boolean;
  send: () => PromiseLike<{ data?: { message: string }; error?: unknown }>;
  /** Deals with a refusal beside the toast. */
  onRefused?: (error: unknown) => void;
  onClose: () => void;
  /** What goes along. */
  children?: ReactNode;
}

/** Asks before an FAQ, section or question is deleted (SPEC §4). */
export function DeleteContentDialog({
  kind,
  name,
  disabled,
  send,
  onRefused,
  onClose,
  ...rest
}: DeleteContentDialogProps) {
  const { t } = useTranslation();
  const { remove, isBusy, failure } = useDeleteRecord({ send, onRefused, onDeleted: onClose });
  const model = t(`faqs.models.${kind}`);
  return (
    <ConfirmDialog
      {...rest}
      title={t('faqs.delete.title', { model })}
      message={<p>{t('faqs.delete.what', { model, name })}</p>}
      confirmLabel={t('faqs.delete.confirm', { model })}
      disabled={disabled}
      busy={isBusy}
      failure={failure}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}
