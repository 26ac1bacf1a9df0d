import { lastDay } from '@apotheca/contract/tenant-access';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Card } from '../../../components/display/card.tsx';
import { Day } from '../../../components/display/day.tsx';
import { ExpiryDate } from '../../../components/display/expiry-date.tsx';
import { Fact, Facts } from '../../../components/display/facts.tsx';
import { daysBetween } from '../../../lib/expiry.ts';
import { utcDay } from '../../../lib/moment.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { statusTone } from '../../../lib/status-tone.ts';
import { useRefusal } from '../../../rights/rights.tsx';
import { StandingBadge } from '../screen/standing-badge.tsx';
import { ZoneTime } from './zone-time.tsx';

interface TenantSummaryProps {
  tenant: Tenant;
  onEdit: () => void;
}

/** Who a tenant is, as text. */
export function TenantSummary({ tenant, onEdit }: TenantSummaryProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { addressLine1, addressLine2, addressLine3, city, state, zipCode } = tenant;
  const place = [city, `${state} ${zipCode}`.trim()].filter(Boolean).join(', ');
  const address = [addressLine1, addressLine2, addressLine3, place];
  const edit = (
    <Button variant="secondary" icon={Pencil} refusal={refusal(tenantRoutes.edit)} onClick={onEdit}>
      {t('components.form.edit')}
    </Button>
  );
  return (
    <Card title={t('tenants.page.summary.title')} actions={edit}>
      <Facts>
        <FieldFact name="code">
          <span className="code">{tenant.code}</span>
        </FieldFact>
        <FieldFact name="customerCode">{tenant.customerCode}</FieldFact>
        <FieldFact name="tenantStatusId">
          <Badge tone={statusTone(tenant.tenantStatus.name)}>{tenant.tenantStatus.name}</Badge>
        </FieldFact>
        <FieldFact name="isActive">
          <StandingBadge tenant={tenant} /> {t(tenant.isActive ? 'tenants.active' : 'tenants.inactive')}
        </FieldFact>
        <FieldFact name="subscriptionLevel">{tenant.subscriptionLevel}</FieldFact>
        <FieldFact name="licenseCount">
          <span className="num">{formatCount(tenant.licenseCount)}</span>
        </FieldFact>
        <FieldFact name="subscriptionEndDate">{tenant.subscriptionEndDate && <Ends tenant={tenant} />}</FieldFact>
        <FieldFact name="emrId">{tenant.emr.name}</FieldFact>
        <FieldFact name="timezoneId" wide>
          {tenant.timezone.displayName} <ZoneTime zone={tenant.timezoneId} />
        </FieldFact>
        <Fact label={t('tenants.columns.contact')}>{`${tenant.firstName} ${tenant.lastName}`.trim()}</Fact>
        <FieldFact name="email">{tenant.email}</FieldFact>
        <FieldFact name="phone">
          <span className="num">{tenant.phone}</span>
        </FieldFact>
        <Fact label={t('tenants.columns.address')} wide>
          {address
            .map((line) => line.trim())
            .filter(Boolean)
            .join('\n')}
        </Fact>
        <Fact label={t('tenants.columns.createdOn')}>
          <Day moment={tenant.createdOnUtc} />
        </Fact>
      </Facts>
    </Card>
  );
}

type FieldName = keyof typeof import('../../../locales/en-pages.json')['tenants']['fields'];

/** A fact under the label that it has in the form. */
function FieldFact({ name, wide, children }: { name: FieldName; wide?: boolean; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Fact label={t(`tenants.fields.${name}`)} wide={wide}>
      {children}
    </Fact>
  );
}

/** The last day of a subscription, and how far it is. */
function Ends({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation();
  const day = lastDay(tenant);
  const left = daysBetween(utcDay(), day);
  const text = left < 0 ? t('tenants.page.term.ended', { count: -left }) : t('tenants.page.term.ends', { count: left });
  return (
    <>
      <ExpiryDate day={day} /> <span className="text-muted">{text}</span>
      {day !== tenant.subscriptionEndDate && (
        <div className="text-muted">
          {t('tenants.manage.connection.standing.postponed', { day: tenant.subscriptionEndDate })}
        </div>
      )}
    </>
  );
}
