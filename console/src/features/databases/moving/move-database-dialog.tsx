import type { Database } from '@apotheca/contract/databases';
import type { MovePlan } from '@apotheca/contract/moves';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useListDatabaseServersQuery } from '../../../api/databaseservers.ts';
import { moveDatabase, usePlanMoveQuery } from '../../../api/moves.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { useOperation } from '../../../operations/use-operation.tsx';
import { selectSession } from '../../../session/session-slice.ts';
import { isConflict } from '../../../transport/api-error.ts';

interface MoveDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Asks to which server a database is moved, shows what that would do, and does it (SPEC §2.31). */
export function MoveDatabaseDialog({ show, database, onClose }: MoveDatabaseDialogProps) {
  const { t } = useTranslation();
  const { id: updatedBy } = useSelector(selectSession);
  const [serverId, setServerId] = useState('');
  const { id, databaseName } = database;
  const wanted = { id, ...(serverId !== '' && { databaseServerId: serverId }) };
  const planQuery = usePlanMoveQuery(wanted, { refetchOnMountOrArgChange: true });
  const { failure, fail } = useFailure();
  const { start, isBusy, progress } = useOperation(moveDatabase, {
    onRefused: (error) => {
      fail(error);
      if (isConflict(error)) void planQuery.refetch();
    },
    onClose,
  });
  const { currentData: answer, isFetching, error } = planQuery;
  const plan = answer?.result;
  const move = () => {
    if (plan) start({ id, databaseServerId: plan.databaseServerId, plan: plan.digest, updatedBy });
  };
  return (
    <ConfirmDialog
      {...{ show, failure, progress }}
      title={t('databases.moving.title')}
      message={
        <div className="manage-stack">
          <ServerChoice database={database} value={serverId} busy={isBusy} onChange={setServerId} />
          {error && <LoadFailed error={error} busy={isFetching} onRetry={planQuery.refetch} />}
          {!error && !plan && <LoadingText>{t('databases.moving.loadingPlan')}</LoadingText>}
          {!error && plan && <PlanView message={answer.message} plan={plan} />}
        </div>
      }
      confirmLabel={t('databases.moving.confirm', { name: databaseName })}
      variant="primary"
      disabled={plan === undefined || isFetching || error !== undefined}
      busy={isBusy}
      onConfirm={move}
      onCancel={onClose}
    />
  );
}

interface ServerChoiceProps {
  database: Database;
  value: string;
  busy: boolean;
  onChange: (serverId: string) => void;
}

/** Who may not see the servers leaves the choice to the server. */
function ServerChoice({ database: { databaseName, serverName }, value, busy, onChange }: ServerChoiceProps) {
  const { t } = useTranslation();
  const { data: servers = [] } = useListDatabaseServersQuery();
  const others = servers.filter(({ state, name }) => state === 'active' && name !== serverName);
  return (
    <>
      <p>{t('databases.moving.what', { name: databaseName, server: serverName })}</p>
      <SelectField
        label={t('databases.moving.server')}
        value={value}
        disabled={busy}
        onChange={(event) => onChange(event.target.value)}
        emptyLabel={t('tenants.modal.roomiestServer')}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </>
  );
}

function PlanView({ message, plan }: { message: string; plan: MovePlan }) {
  const { t } = useTranslation();
  const { way, toServer, sizeBytes, connections } = plan;
  return (
    <>
      <Notice tone={way === 'dump' ? 'warning' : 'info'}>{message}</Notice>
      <dl className="plan-figures">
        <div>
          <dt>{t('databases.moving.server')}</dt>
          <dd>{toServer}</dd>
        </div>
        <div>
          <dt>{t('databases.plan.size')}</dt>
          <dd className="num">{formatBytes(sizeBytes)}</dd>
        </div>
        <div>
          <dt>{t('databases.plan.sessions')}</dt>
          <dd className="num">{formatCount(connections)}</dd>
        </div>
      </dl>
    </>
  );
}
