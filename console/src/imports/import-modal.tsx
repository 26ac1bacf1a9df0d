import { IMPORT_OUTCOMES, type ImportPlan } from '@apotheca/contract/imports';
import { FileUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Imported } from '../api/imports.ts';
import { Button } from '../components/button/button.tsx';
import { DialogButtons } from '../components/dialog/dialog-buttons.tsx';
import { Modal } from '../components/dialog/modal.tsx';
import { useFreshButtons } from '../components/dialog/use-fresh-buttons.ts';
import { Notice } from '../components/notice/notice.tsx';
import { LoadingText } from '../operations/loading-text.tsx';
import { type Counts, countsText } from './counts-text.ts';
import { ImportFile } from './import-file.tsx';
import { ImportReport } from './import-report.tsx';
import { ImportRows, type ShownRow } from './import-rows.tsx';
import { useImport } from './use-import.ts';

interface ImportModalProps {
  show: boolean;
  /** Whose records the file has. */
  what: Imported;
  /** Id of one that was done: its report is shown first. */
  report?: string;
  onClose: () => void;
}

/** Imports a CSV file: chooses it, shows what it would do, does that, and shows what became of each row. */
export function ImportModal({ show, what, report, onClose }: ImportModalProps) {
  const { t } = useTranslation();
  const state = useImport({ show, what, report, onClose });
  const { step, failed, isReading, isWriting, progress, choose, start, showReport, restart } = state;
  const isFresh = useFreshButtons(progress);
  const buttons = (
    <DialogButtons isBusy={isWriting} closeText={t('imports.close')} onClose={onClose}>
      <Button variant="secondary" disabled={isWriting || step.kind === 'file'} onClick={restart}>
        {t('imports.another')}
      </Button>
      {/* Both from the start, so that none comes where Close was. */}
      {step.kind === 'file' && (
        <Button icon={FileUp} disabled>
          {t('imports.open')}
        </Button>
      )}
      {step.kind === 'plan' && <StartButton plan={step.plan} {...{ isWriting, isFresh }} onStart={start} />}
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t(`imports.title.${what}`)}
      size="lg"
      footer={progress ?? buttons}
      busy={isWriting}
      {...failed}
      onClose={onClose}
    >
      {step.kind === 'file' && (
        <ImportFile what={what} file={step.file} error={step.error} onFile={choose} onReport={showReport} />
      )}
      {isReading && <LoadingText>{t('imports.reading')}</LoadingText>}
      {step.kind === 'plan' && <PlanView plan={step.plan} conflict={step.conflict} />}
      {step.kind === 'report' && <ImportReport what={what} id={step.id} />}
    </Modal>
  );
}

interface StartButtonProps {
  plan: ImportPlan;
  isWriting: boolean;
  /** It has only just come back. */
  isFresh: boolean;
  onStart: (plan: ImportPlan) => void;
}

/** Says what it does: 'Create 12, change 3'. */
function StartButton({ plan, isWriting, isFresh, onStart }: StartButtonProps) {
  const { t } = useTranslation();
  const { create, change } = plan.counts;
  const parts = [
    create > 0 && t('imports.start.create', { count: create }),
    change > 0 && t('imports.start.change', { count: change }),
  ];
  const text = capitalized(parts.filter((part) => part !== false).join(', '));
  return (
    <Button icon={FileUp} disabled={isFresh || text === ''} loading={isWriting} onClick={() => onStart(plan)}>
      {text || t('imports.start.nothing')}
    </Button>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function PlanView({ plan, conflict }: { plan: ImportPlan; conflict: string | undefined }) {
  const { t } = useTranslation();
  const counts: Counts = IMPORT_OUTCOMES.map((outcome) => [outcome, plan.counts[outcome]]);
  const rows = plan.rows.map(({ outcome, ...row }): ShownRow => ({ ...row, word: outcome }));
  return (
    <div className="import-step">
      {conflict !== undefined && (
        <Notice tone="warning" role="alert">
          {conflict}
        </Notice>
      )}
      <p role="status">
        <strong>{countsText(t, counts)}</strong> {t('imports.nothingYet')}
      </p>
      <ImportRows label={t('imports.rows')} rows={rows} counts={counts} />
    </div>
  );
}
