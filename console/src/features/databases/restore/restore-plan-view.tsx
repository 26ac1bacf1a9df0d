import { deleteDatabaseForm } from '@apotheca/contract/databases';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { TypeToConfirmField } from '../../../components/dialog/type-to-confirm-field.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { fieldError, useZodForm } from '../../../components/form/form.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { PlanFigures } from '../../../operations/plan-figures.tsx';
import { LeftOutObjects } from './left-out-objects.tsx';
import type { RestorePlanState } from './use-restore-plan.ts';

interface RestorePlanViewProps extends Omit<RestorePlanState, 'isCurrent' | 'nameRefusal'> {
  /** Why the last attempt was refused. */
  conflict?: string;
  /** Called with whether the name of the replaced database is typed correctly. */
  onConfirmedChange: (isConfirmed: boolean) => void;
}

/** The plan of a restore; where it replaces a database, the name of that one must be typed. */
export function RestorePlanView(props: RestorePlanViewProps) {
  const { message, plan, isLoading, error, onRetry, conflict, onConfirmedChange } = props;
  const { t } = useTranslation();
  if (error !== undefined) return <LoadFailed error={{ message: error }} onRetry={onRetry} />;
  if (plan === undefined) return isLoading ? <LoadingText>{t('databases.restore.loadingPlan')}</LoadingText> : null;
  return (
    <>
      {conflict !== undefined && (
        <Notice tone="danger" role="alert">
          {conflict}
        </Notice>
      )}
      <Notice tone={plan.replaces ? 'danger' : 'info'}>
        {message}
        <p className="mb-0">
          {t('databases.restore.madeOn')} <Moment moment={plan.backupOnUtc} />
        </p>
        {plan.replaces && <PlanFigures plan={plan} />}
      </Notice>
      <LeftOutObjects objects={plan.leftOut} />
      {plan.replaces && (
        <ReplacedName key={plan.databaseName} name={plan.databaseName} onConfirmedChange={onConfirmedChange} />
      )}
    </>
  );
}

/** Mounted anew for each replaced database, so that the name must be typed again. */
function ReplacedName({ name, onConfirmedChange }: { name: string } & Pick<RestorePlanViewProps, 'onConfirmedChange'>) {
  const { t } = useTranslation();
  const schema = useMemo(() => deleteDatabaseForm(name), [name]);
  const form = useZodForm(schema, { defaultValues: { typed: '' }, draft: null });
  const { isValid } = form.formState;
  useEffect(() => {
    onConfirmedChange(isValid);
    return () => onConfirmedChange(false);
  }, [isValid, onConfirmedChange]);
  return (
    <TypeToConfirmField
      expected={name}
      label={t('databases.restore.replacedLabel')}
      error={fieldError(form, 'typed')}
      {...form.register('typed')}
    />
  );
}
