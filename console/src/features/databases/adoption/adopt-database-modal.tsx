import type { AdoptionPlan } from '@apotheca/contract/adoptions';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { AdoptionReport } from './adoption-report.tsx';
import { AdoptionTables } from './adoption-tables.tsx';
import { InspectionForm } from './inspection-form.tsx';
import { useAdoption } from './use-adoption.ts';
import { useInspection } from './use-inspection.ts';

interface AdoptDatabaseModalProps {
  show: boolean;
  onClose: () => void;
}

/** Makes a database of the rows of one that is not of this platform: inspect, choose, adopt, report (SPEC §2.13). */
export function AdoptDatabaseModal({ show, onClose }: AdoptDatabaseModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [inspected, setInspected] = useState<AdoptionPlan>();
  const inspection = useInspection(setInspected);
  const adoption = useAdoption(inspected, onClose);
  const { form, plan, report } = adoption;
  const shared = { show, title: t('databases.adoption.title'), size: 'lg', onClose } as const;
  if (report) {
    const close = <Button onClick={onClose}>{t('databases.modal.close')}</Button>;
    return (
      <Modal {...shared} footer={close}>
        <AdoptionReport message={report.message} report={report.result} />
      </Modal>
    );
  }
  if (!plan) {
    const isSending = inspection.sent !== undefined;
    return (
      <SubmitModal
        {...shared}
        formId={formId}
        confirmLabel={t('databases.adoption.inspect')}
        dirty={isSending || inspection.file !== undefined || inspection.form.formState.isDirty}
        busy={false}
        disabled={isSending}
        progress={undefined}
      >
        <InspectionForm formId={formId} inspection={inspection} />
      </SubmitModal>
    );
  }
  return (
    <SubmitModal
      {...shared}
      formId={formId}
      confirmLabel={t('databases.adoption.confirm')}
      dirty
      busy={adoption.isBusy}
      progress={adoption.progress}
      failure={adoption.failure}
      disabled={adoption.isPlanning || adoption.planError !== undefined}
    >
      <form id={formId} className="restore-form" noValidate onSubmit={form.handleSubmit(adoption.send)}>
        <UpperCaseField
          {...form.register('databaseName')}
          label={t('databases.adoption.label')}
          hint={t('databases.adoption.labelHint')}
          error={fieldError(form, 'databaseName')}
          className="field-code"
          required
          autoFocus
        />
        {adoption.planError && <LoadFailed error={adoption.planError} onRetry={adoption.onRetry} />}
        <AdoptionTables plan={plan} onTable={adoption.chooseTable} onColumn={adoption.chooseColumn} />
      </form>
    </SubmitModal>
  );
}
