import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';

interface DeleteContentDialogProps {
  show: boolean;
  kind: 'faq' | 'section' | 'question';
  name: string;
  /** Nothing can be confirmed yet: the plan is still loaded, or could not be. */
  disabled?: boolean;
  send: () => PromiseLike<{ data?: { message: string }; error?: unknown }>;
  /** Called on a refusal, in addition to the toast. */
  onRefused?: (error: unknown) => void;
  onClose: () => void;
  /** The plan. */
  children?: ReactNode;
}

/** Asks before an FAQ, section or question is deleted (SPEC §4). */
export function DeleteContentDialog({ kind, name, ...dialog }: DeleteContentDialogProps) {
  const { t } = useTranslation();
  const model = t(`faqs.models.${kind}`);
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('faqs.delete.title', { model })}
      message={<p>{t('faqs.delete.what', { model, name })}</p>}
      confirmLabel={t('faqs.delete.confirm', { model })}
    />
  );
}
