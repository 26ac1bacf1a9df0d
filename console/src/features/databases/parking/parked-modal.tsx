import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { ParkedTable } from './parked-table.tsx';

interface ParkedModalProps {
  show: boolean;
  onClose: () => void;
}

/** The databases that were deleted or replaced, and can still be put back. */
export function ParkedModal({ show, onClose }: ParkedModalProps) {
  const { t } = useTranslation();
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('databases.modal.close')}
    </Button>
  );
  return (
    <Modal
      show={show}
      title={t('databases.parking.title')}
      size="xl"
      bodyHeight="22rem"
      footer={footer}
      onClose={onClose}
    >
      <ParkedTable />
    </Modal>
  );
}
