import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { Modal } from '../components/dialog/modal.tsx';
import { RecordHistory } from './record-history.tsx';
import type { TrailRecord } from './trail-link.ts';

interface RecordHistoryModalProps {
  show: boolean;
  record: TrailRecord;
  /** What people know the record by. */
  name: string;
  onClose: () => void;
}

/** The history of a record in a dialog of its own. */
export function RecordHistoryModal({ show, record, name, onClose }: RecordHistoryModalProps) {
  const { t } = useTranslation();
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('audit.close')}
    </Button>
  );
  return (
    <Modal
      show={show}
      title={t('audit.history.title')}
      subtitle={name}
      size="lg"
      bodyHeight="26rem"
      isText
      footer={footer}
      onClose={onClose}
    >
      <RecordHistory {...record} />
    </Modal>
  );
}
