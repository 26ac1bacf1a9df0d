import type { FaqKind, FaqRevision } from '@apotheca/contract/faq-revisions';
import { useTranslation } from 'react-i18next';
import { useRestoreFaqRevisionMutation } from '../../../api/faqs.ts';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { localMinute } from '../../../lib/moment.ts';

/** The revision of a record that is restored, and the version of the record that it was compared with. */
export interface Restored extends Pick<FaqRevision, 'revision' | 'onUtc'> {
  kind: FaqKind;
  id: string;
  version: number;
}

interface RestoreDialogProps {
  show: boolean;
  restored: Restored;
  onRefused: (error: unknown) => void;
  onClose: () => void;
}

/** Asks before a record is made what it was. */
export function RestoreDialog({ restored: { onUtc, ...body }, ...dialog }: RestoreDialogProps) {
  const { t } = useTranslation();
  const [restore] = useRestoreFaqRevisionMutation();
  return (
    <DeleteRecordDialog
      {...dialog}
      title={t('faqs.revisions.dialog')}
      message={<p>{t('faqs.revisions.question', { moment: localMinute(new Date(onUtc)) })}</p>}
      variant="primary"
      confirmLabel={t('faqs.revisions.confirm')}
      send={() => restore(body)}
    />
  );
}
