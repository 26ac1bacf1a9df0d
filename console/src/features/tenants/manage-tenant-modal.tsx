import type { Tenant } from '@apotheca/contract/tenants';
import { Hammer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Modal } from '../../components/modal.tsx';
import { TenantSubtitle } from './tenant-subtitle.tsx';

interface ManageTenantModalProps {
  show: boolean;
  tenant: Tenant;
  onClose: () => void;
}

/** The Manage Tenant modal of SPEC §2.8, whose tabs are not there yet. */
export function ManageTenantModal({ show, tenant, onClose }: ManageTenantModalProps) {
  const { t } = useTranslation();
  return (
    <Modal
      show={show}
      title={t('tenants.manage.title')}
      subtitle={<TenantSubtitle tenant={tenant} />}
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('tenants.modal.close')}
        </Button>
      }
      onClose={onClose}
    >
      <EmptyState icon={Hammer} text={t('main.notBuilt')} />
    </Modal>
  );
}
