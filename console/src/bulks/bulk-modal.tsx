import { BULK_OUTCOMES, type BulkPlan } from '@apotheca/contract/bulks';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { DialogButtons } from '../components/dialog/dialog-buttons.tsx';
import { Modal } from '../components/dialog/modal.tsx';
import { useFreshButtons } from '../components/dialog/use-fresh-buttons.ts';
import { Notice } from '../components/notice/notice.tsx';
import { formatList } from '../locales/formats.ts';
import { LoadingText } from '../operations/loading-text.tsx';
import { getRuntimeConfig } from '../transport/runtime-config.ts';
import type { BulkAction, Many } from './bulk-actions.ts';
import { BulkField } from './bulk-field.tsx';
import { BulkReport } from './bulk-report.tsx';
import { BulkRows } from './bulk-rows.tsx';
import { useBulkSteps } from './use-bulk-steps.ts';

interface BulkModalProps {
  show: boolean;
  /** Whose records they are. */
  what: Many;
  action: BulkAction;
  ids: readonly string[];
  /** Id of one that was done: its report is shown, and the records that failed can be tried again. */
  report?: string;
  onClose: () => void;
}

/** Does something with many records: asks what the action needs, shows what it would do, does that, and shows what became of each. */
export function BulkModal({ show, what, action, ids, report, onClose }: BulkModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const { step, plan, start, isWorking, progress, failed } = useBulkSteps({ show, action, ids, report, onClose });
  // An action without a field is planned at once, unless its end is what is asked for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog is made anew for each action.
  useEffect(() => {
    if (!action.field && report === undefined) void plan(ids);
  }, []);
  const deed = (count: number) => t(`bulks.deed.${action.name}`, { what: t(`bulks.what.${what}`, { count }) });
  const isFresh = useFreshButtons(progress);
  const variant = action.danger ? 'danger' : 'primary';
  const buttons = (
    <DialogButtons isBusy={isWorking} closeText={t('bulks.close')}>
      {step.kind === 'field' && (
        <Button type="submit" form={formId}>
          {t('bulks.next')}
        </Button>
      )}
      {/* From the start, so that it does not come where Close was. */}
      {step.kind === 'reading' && (
        <Button variant={variant} icon={action.icon} disabled>
          {deed(step.ids.length)}
        </Button>
      )}
      {step.kind === 'plan' && (
        <Button
          variant={variant}
          icon={action.icon}
          loading={isWorking}
          disabled={isFresh || step.plan.counts.change === 0}
          onClick={() => start(step.plan)}
        >
          {step.plan.counts.change === 0 ? t('bulks.nothing') : deed(step.plan.counts.change)}
        </Button>
      )}
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t(`bulks.deed.${action.name}`, { what: t(`bulks.titles.${what}`) })}
      size="lg"
      footer={progress ?? buttons}
      busy={isWorking}
      {...failed}
      {...(step.kind === 'field' && { retry: { type: 'submit', form: formId } })}
      onClose={onClose}
    >
      {step.kind === 'field' && action.field && (
        <BulkField
          formId={formId}
          field={action.field}
          step={step}
          onSubmit={(value) => void plan(step.ids, value || undefined)}
        />
      )}
      {step.kind === 'reading' && !failed && <LoadingText>{t('bulks.reading')}</LoadingText>}
      {step.kind === 'plan' && <PlanView what={what} action={action} plan={step.plan} conflict={step.conflict} />}
      {step.kind === 'report' && (
        <BulkReport calls={action.calls} id={step.id} onRetry={(failed, value) => void plan(failed, value)} />
      )}
    </Modal>
  );
}

/** Whether deactivating closes anything: databases of tenants stay open where the server only marks the tenants. */
const closes = (what: Many): what is 'tenants' | 'users' =>
  what === 'users' || (what === 'tenants' && getRuntimeConfig().suspension?.mode === 'enforce');

interface PlanViewProps {
  what: Many;
  action: BulkAction;
  plan: BulkPlan;
  conflict: string | undefined;
}

function PlanView({ what, action, plan, conflict }: PlanViewProps) {
  const { t } = useTranslation();
  const { change, same, refused } = plan.counts;
  const parts = [
    t(`bulks.will.${action.name}`, { what: t(`bulks.what.${what}`, { count: change }) }),
    same > 0 && t('bulks.same', { count: same }),
    refused > 0 && t('bulks.refused', { count: refused }),
  ];
  return (
    <div className="bulk-step">
      {conflict !== undefined && (
        <Notice tone="warning" role="alert">
          {conflict}
        </Notice>
      )}
      {action.danger && closes(what) && <Notice tone="warning">{t(`bulks.warning.${what}`)}</Notice>}
      <p role="status">
        <strong>{`${formatList(parts.filter((part) => part !== false))}.`}</strong> {t('bulks.nothingYet')}
      </p>
      <BulkRows rows={plan.rows.map(({ outcome, ...row }) => ({ ...row, word: outcome }))} words={BULK_OUTCOMES} />
    </div>
  );
}
