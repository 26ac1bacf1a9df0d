import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { moveRoutes } from '@apotheca/contract/moves';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { CirclePause, CirclePlay, Copy, Trash2, Truck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from '../../../components/button/button.tsx';
import { Card } from '../../../components/display/card.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import { useToggleTenant } from '../screen/use-toggle-tenant.ts';
import { suspensionRules } from '../standing.ts';
import type { TenantDialog } from '../tenant-dialog.ts';

interface DangerZoneProps {
  tenant: Tenant;
  onOpen: (dialog: TenantDialog) => void;
  /** Null: the tenant has none; absent until loaded. */
  database: Database | null | undefined;
  onMove: (database: Database) => void;
}

/** What reaches far: each with what it does, in the dialogs of the list. None comes or goes while somebody may be about to press another one. */
export function DangerZone({ tenant, onOpen, database, onMove }: DangerZoneProps) {
  const { t } = useTranslation();
  const toggle = useToggleTenant();
  const refusal = useRefusal();
  const { isActive } = tenant;
  const [deactivate, activate] =
    suspensionRules().mode === 'enforce'
      ? (['deactivateAndClose', 'activateAndOpen'] as const)
      : (['deactivate', 'activate'] as const);
  return (
    <Card title={t('tenants.page.danger.title')} className="danger-zone">
      <ul>
        <DangerousDeed
          name={isActive ? deactivate : activate}
          icon={isActive ? CirclePause : CirclePlay}
          variant="secondary"
          refusal={refusal(isActive ? tenantRoutes.deactivate : tenantRoutes.activate)}
          onClick={() => toggle(tenant)}
        />
        <DangerousDeed
          name="duplicate"
          icon={Copy}
          variant="secondary"
          refusal={refusal(tenantRoutes.create, databaseRoutes.copy)}
          onClick={() => onOpen({ kind: 'duplicate', tenant })}
        />
        <DangerousDeed
          name="move"
          icon={Truck}
          variant="secondary"
          disabled={!database}
          refusal={
            refusal(moveRoutes.move) ?? (database === null ? t('tenants.page.health.findings.noDatabase') : undefined)
          }
          onClick={() => database && onMove(database)}
        />
        <DangerousDeed
          name="delete"
          icon={Trash2}
          variant="danger"
          refusal={refusal(tenantRoutes.delete)}
          onClick={() => onOpen({ kind: 'delete', tenant })}
        />
      </ul>
    </Card>
  );
}

interface DangerousDeedProps extends Pick<ButtonProps, 'icon' | 'variant' | 'disabled' | 'refusal' | 'onClick'> {
  name: keyof typeof import('../../../locales/en-pages.json')['tenants']['page']['danger']['what'];
}

function DangerousDeed({ name, ...button }: DangerousDeedProps) {
  const { t } = useTranslation();
  return (
    <li>
      <span>{t(`tenants.page.danger.what.${name}`)}</span>
      <Button {...button}>{t(`tenants.page.danger.do.${name}`)}</Button>
    </li>
  );
}
