import { lastDay } from '@apotheca/contract/tenant-access';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../../../../api/http/answer-errors.ts';
import { usePostponeExpiryMutation } from '../../../../api/tenants.ts';
import { Button } from '../../../../components/button/button.tsx';
import { notify } from '../../../../components/toast/toast.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import { selectSession } from '../../../../session/session-slice.ts';
import { standingToday, suspensionRules } from '../../standing.ts';
import { PendingAccess } from './pending-access.tsx';

/** Which text says what the programs of a tenant may do. */
function textOf(tenant: Tenant) {
  const { mode, readOnlyDays } = suspensionRules();
  if (mode !== 'enforce') return 'flag';
  const { state } = standingToday(tenant);
  if (state === 'active' && lastDay(tenant) === '') return 'open';
  if (state === 'grace' && readOnlyDays === 0) return 'graceThenClosed';
  // To activate it would not be enough.
  if (state === 'deactivated' && standingToday({ ...tenant, isActive: true }).access !== 'open')
    return 'deactivatedAndEnded';
  return state;
}

/** What the tenant's programs may do and until when, and a button that puts off the end of the subscription. */
export function AccessCard({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const by = useSelector(selectSession).id || null;
  const [postpone, { isLoading }] = usePostponeExpiryMutation();
  const [answered, setAnswered] = useState<{ of: Tenant; postponedTo: string }>();
  // A dialog goes on with the record with which it was opened. A newer one knows better than the answer.
  const postponedTo = answered?.of === tenant ? answered.postponedTo : tenant.postponedTo;
  const counted = { ...tenant, postponedTo };
  const { state, access, nextOn } = standingToday(counted);
  const end = lastDay(counted);
  const isEnforced = suspensionRules().mode === 'enforce';
  const what = textOf(counted);

  async function handlePostpone() {
    const outcome = await postpone({ id: tenant.id, updatedBy: by });
    if (outcome.error) return void showError(outcome.error);
    const { message, result } = outcome.data;
    if (result) setAnswered({ of: tenant, postponedTo: result.postponedTo });
    notify.success(message);
  }
  return (
    <section className="manage-card" aria-label={t('tenants.manage.connection.standing.title')}>
      <div className="manage-head">
        <h3>{t('tenants.manage.connection.standing.title')}</h3>
        {isEnforced && state !== 'active' && state !== 'deactivated' && (
          <Button
            variant="secondary"
            icon={CalendarPlus}
            loading={isLoading}
            refusal={refusal(tenantRoutes.postponeExpiry)}
            onClick={handlePostpone}
          >
            {t('tenants.manage.connection.standing.postpone')}
          </Button>
        )}
      </div>
      <p>{t(`tenants.manage.connection.standing.${what}`, { end, nextOn: nextOn ?? '' })}</p>
      <PendingAccess databaseName={tenant.databaseName} access={access} />
      {end !== tenant.subscriptionEndDate && (
        <p className="text-muted">
          {t('tenants.manage.connection.standing.postponed', { day: tenant.subscriptionEndDate })}
        </p>
      )}
    </section>
  );
}
