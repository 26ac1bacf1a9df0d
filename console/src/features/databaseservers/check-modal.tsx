import type { CheckedPoint, DatabaseServer } from '@apotheca/contract/databaseservers';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCheckDatabaseServerMutation } from '../../api/databaseservers.ts';
import { failureOf } from '../../api/http/answer-errors.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Badge } from '../../components/display/badge.tsx';
import { Overlay } from '../../components/waiting/overlay.tsx';
import { messageText } from '../../locales/messages.ts';
import { clientError } from '../../transport/api-error.ts';

interface CheckModalProps {
  show: boolean;
  server: DatabaseServer;
  onClose: () => void;
}

/** Checks a server now, and shows what was found, point by point. */
export function CheckModal({ show, server: { id, name }, onClose }: CheckModalProps) {
  const { t } = useTranslation();
  const [check, { data, error }] = useCheckDatabaseServerMutation();
  useEffect(() => {
    void check({ id });
  }, [check, id]);
  // Of another shape, there is no result to show.
  const problem = useMemo(() => (data && !data.result ? clientError('PARSING_ERROR') : error), [data, error]);
  // A closed dialog stays until another one is opened.
  useErrorToast(show ? problem : undefined);
  return (
    <Modal
      {...{ show, onClose }}
      failure={problem && failureOf(problem)}
      retry={{ onClick: () => void check({ id }) }}
      title={t('databaseServers.check.title')}
      subtitle={name}
      bodyHeight="34.5rem"
      isText
      footer={<Button onClick={onClose}>{t('databaseServers.check.close')}</Button>}
    >
      {data?.result && <Points points={data.result.points} />}
      {problem && <p>{t('databaseServers.check.failed')}</p>}
      {!data && !problem && <Overlay label={t('databaseServers.check.loading')} />}
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
