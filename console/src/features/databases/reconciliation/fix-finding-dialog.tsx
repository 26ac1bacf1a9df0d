import type { Finding } from '@apotheca/contract/reconciliation';
import { useTranslation } from 'react-i18next';
import { useFixFindingMutation } from '../../../api/reconciliation.ts';
import { notify } from '../../../components/toast/toast.tsx';
import { DeleteRecordDialog } from '../../../forms/delete-record-dialog.tsx';
import { messageText } from '../../../locales/messages.ts';
import { fixName } from './fix-name.ts';
import { useSubject } from './use-subject.ts';

interface FixFindingDialogProps {
  show: boolean;
  finding: Finding;
  onClose: () => void;
}

/** Asks before a difference between registry and server is fixed. */
export function FixFindingDialog({ show, finding, onClose }: FixFindingDialogProps) {
  const { t } = useTranslation();
  const [fix] = useFixFindingMutation();
  const { kind, server, explanation } = finding;
  const subject = useSubject(finding);
  const name = fixName(finding) ?? 'databases.reconciliation.fix';
  // An upgrade is an operation that goes on, and may fail.
  const told = finding.fix === 'upgrade' ? 'started' : 'fixed';
  return (
    <DeleteRecordDialog
      show={show}
      title={`${t(name)}: ${subject}`}
      message={messageText(explanation)}
      confirmLabel={t(name)}
      variant={DESTRUCTIVE.test(finding.fix) ? undefined : 'primary'}
      send={() => fix({ kind, subject: finding.subject, server })}
      tell={() => notify.success(t(`databases.reconciliation.${told}`, { fix: t(name), subject }))}
      onClose={onClose}
    />
  );
}

/** Fixes that delete something for good. */
const DESTRUCTIVE = /^(drop|remove|forget)/;
