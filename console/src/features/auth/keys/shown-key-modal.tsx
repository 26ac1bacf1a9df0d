import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { SecretText } from '../../../components/toast/secret-text.tsx';
import { localMinute } from '../../../lib/moment.ts';
import type { ShownKey } from './key-owner.ts';

interface ShownKeyModalProps {
  show: boolean;
  shownKey: ShownKey;
  onClose: () => void;
}

/** Shows a new key, this once, with a call to try. */
export function ShownKeyModal({ show, shownKey, onClose }: ShownKeyModalProps) {
  const { t } = useTranslation();
  const { name, key, expiresOnUtc } = shownKey;
  const call = `curl -H "Authorization: Bearer ${key}" ${window.location.origin}/identity/auth/me`;
  const footer = <Button onClick={onClose}>{t('apiKeys.shown.done')}</Button>;
  return (
    <Modal
      show={show}
      isShownOnce
      title={t('apiKeys.shown.title')}
      subtitle={name}
      size="lg"
      footer={footer}
      onClose={onClose}
    >
      <Notice tone="warning">{t('apiKeys.shown.once')}</Notice>
      <SecretText label={t('apiKeys.shown.key')} copyLabel={t('apiKeys.shown.copyKey')} text={key} />
      <SecretText label={t('apiKeys.shown.call')} copyLabel={t('apiKeys.shown.copyCall')} text={call} />
      <p className="text-muted">{t('apiKeys.shown.expires', { moment: localMinute(new Date(expiresOnUtc)) })}</p>
    </Modal>
  );
}
