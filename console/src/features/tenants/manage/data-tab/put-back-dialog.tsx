import type { Purge } from '@apotheca/contract/purges';
import { labelOfTable } from '@apotheca/contract/tenant-tables';
import { useTranslation } from 'react-i18next';
import { failureOf } from '../../../../api/http/answer-errors.ts';
import { ConfirmDialog } from '../../../../components/dialog/confirm-dialog.tsx';
import { Moment } from '../../../../components/display/moment.tsx';
import { ChecklistHead } from '../checklist/checklist-head.tsx';
import { TickRow } from '../checklist/tick-row.tsx';
import { useTicks } from '../checklist/use-ticks.ts';
import type { PutBack } from './use-data-tab.ts';
import { usePutBack } from './use-put-back.ts';

interface PutBackDialogProps {
  show: boolean;
  databaseName: string;
  purge: Purge;
  onPutBack: (outcome: PutBack) => void;
  onClose: () => void;
}

/** Puts back what a purge removed: all of it, or the tables that stay ticked (DECISIONS §9). */
export function PutBackDialog({ show, databaseName, purge, onPutBack, onClose }: PutBackDialogProps) {
  const { t } = useTranslation();
  const left = purge.tables.filter((table) => !table.putBack);
  const names = left.map(({ name }) => name);
  const ticks = useTicks(names, names);
  const { operationId } = purge;
  const { putBack, isBusy, progress, refusal } = usePutBack({ databaseName, operationId, onPutBack, onClose });
  return (
    <ConfirmDialog
      show={show}
      title={t('tenants.manage.putBack.dialog')}
      message={
        <p>
          {t('tenants.manage.putBack.message', { database: databaseName })} <Moment moment={purge.purgedOnUtc} />
        </p>
      }
      variant="primary"
      confirmLabel={t('tenants.manage.putBack.confirm', { count: ticks.names.length })}
      disabled={ticks.names.length === 0}
      busy={isBusy}
      progress={progress}
      failure={refusal && failureOf(refusal)}
      onConfirm={() => putBack(ticks.names)}
      onCancel={onClose}
    >
      <ChecklistHead names={names} ticks={ticks} />
      <ul className="tick-list">
        {left.map(({ name, rows }) => (
          <TickRow key={name} name={name} label={labelOfTable(name)} rows={rows} ticks={ticks} />
        ))}
      </ul>
    </ConfirmDialog>
  );
}
