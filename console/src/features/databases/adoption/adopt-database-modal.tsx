import type { AdoptionPlan } from '@apotheca/contract/adoptions';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { SubmitModal } from '../../../components/dialog/submit-modal.tsx';
import { Tabs } from '../../../components/display/tabs.tsx';
import { UpperCaseField } from '../../../components/field/upper-case-field.tsx';
import { fieldError } from '../../../components/form/form.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { AdoptionReport } from './adoption-report.tsx';
import { AdoptionTables } from './adoption-tables.tsx';
import { InspectionForm } from './inspection-form.tsx';
import { ServerForm } from './server-form.tsx';
import { useAdoption } from './use-adoption.ts';
import { useInspection } from './use-inspection.ts';
import { useServerInspection } from './use-server-inspection.ts';

interface AdoptDatabaseModalProps {
  show: boolean;
  onClose: () => void;
}

/** Makes a database of the rows of one that is not of this platform: inspect, choose, adopt, report (SPEC §2.13). */
export function AdoptDatabaseModal({ show, onClose }: AdoptDatabaseModalProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [inspected, setInspected] = useState<AdoptionPlan>();
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
  if (!plan) return <InspectDatabase {...shared} onInspected={setInspected} />;
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

interface InspectDatabaseProps extends AdoptDatabaseModalProps {
  title: string;
  size: 'lg';
  onInspected: (plan: AdoptionPlan) => void;
}

/** The first step: which database is to be adopted, in an archive or on a server. */
function InspectDatabase({ onInspected, ...shared }: InspectDatabaseProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [tab, setTab] = useState('archive');
  const inspection = useInspection(shared.show, onInspected);
  const server = useServerInspection(onInspected);
  const isSending = inspection.sent !== undefined;
  const isDirty = inspection.form.formState.isDirty || server.form.formState.isDirty;
  return (
    <SubmitModal
      {...shared}
      formId={`${formId}-${tab}`}
      confirmLabel={t('databases.adoption.inspect')}
      dirty={isDirty || isSending || inspection.file !== undefined}
      busy={server.isBusy}
      failure={tab === 'server' ? server.failure : undefined}
      disabled={isSending}
      progress={undefined}
    >
      <p>{t('databases.adoption.what')}</p>
      <div className="backup-chooser">
        <Tabs
          label={t('databases.adoption.source')}
          selected={tab}
          onSelect={setTab}
          tabs={[
            {
              id: 'archive',
              label: t('databases.adoption.fromFile'),
              panel: <InspectionForm formId={`${formId}-archive`} inspection={inspection} />,
            },
            {
              id: 'server',
              label: t('databases.adoption.fromServer'),
              panel: <ServerForm formId={`${formId}-server`} form={server.form} onSubmit={server.send} />,
            },
          ]}
        />
      </div>
    </SubmitModal>
  );
}
