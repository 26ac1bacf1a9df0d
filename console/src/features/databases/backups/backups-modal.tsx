import type { Backup } from '@apotheca/contract/backups';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import { BackupsTable } from './backups-table.tsx';

interface BackupsModalProps {
  show: boolean;
  onOpen: (dialog: DatabaseDialog) => void;
  onClose: () => void;
}

/** All backups of all databases, deleted databases included. */
export function BackupsModal({ show, onOpen, onClose }: BackupsModalProps) {
  const { t } = useTranslation();
  const restore = useCallback((backup: Backup) => onOpen({ kind: 'restore', backup }), [onOpen]);
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('databases.modal.close')}
    </Button>
  );
  return (
    <Modal
      show={show}
      title={t('databases.backups.title')}
      size="xl"
      bodyHeight="26rem"
      footer={footer}
      onClose={onClose}
    >
      <BackupsTable onRestore={restore} />
    </Modal>
  );
}
