import type { CheckedPoint, DatabaseServer } from '@apotheca/contract/databaseservers';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckDatabaseServerMutation } from '../../api/databaseservers.ts';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { FormPlaceholder } from '../../components/form/form-placeholder.tsx';
import { messageText } from '../../locales/messages.ts';

interface CheckModalProps {
  show: boolean;
  server: DatabaseServer;
  onClose: () => void;
}

/** Checks a server now, and shows what was found, point by point. */
export function CheckModal({ show, server: { id, name }, onClose }: CheckModalProps) {
  const { t } = useTranslation();
  const [check, { data, isError }] = useCheckDatabaseServerMutation();
  useEffect(() => {
    void check({ id });
  }, [check, id]);
  return (
    <Modal
      {...{ show, onClose }}
      title={t('databaseServers.check.title')}
      subtitle={name}
      isText
      footer={<Button onClick={onClose}>{t('databaseServers.check.close')}</Button>}
    >
      {data?.result ? (
        <Points points={data.result.points} />
      ) : (
        <FormPlaceholder
          isError={isError}
          loadingText={t('databaseServers.check.loading')}
          failedText={t('databaseServers.check.failed')}
          onRetry={() => void check({ id })}
        />
      )}
    </Modal>
  );
}

function Points({ points }: { points: readonly CheckedPoint[] }) {
  const { t } = useTranslation();
  return (
    <ul className="findings">
      {points.map(({ point, passed, detail }) => (
        <li key={point} className="finding">
          <div className="finding-text">
            <div className="finding-head">
              <Badge tone={toneOf(passed)}>{t(`databaseServers.check.results.${resultOf(passed)}`)}</Badge>
              <strong>{t(`databaseServers.check.points.${point}`)}</strong>
            </div>
            <p>{messageText(detail)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const resultOf = (passed: boolean | null) => (passed === null ? 'unknown' : passed ? 'passed' : 'failed');
const toneOf = (passed: boolean | null) => (passed === null ? 'muted' : passed ? 'success' : 'danger');
