import type { Tenant } from '@apotheca/contract/tenants';
import { skipToken } from '@reduxjs/toolkit/query';
import { Building2, Eye, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../../api/databases.ts';
import { type OperationCallsState, selectOperationOfCall } from '../../api/http/operation-slice.ts';
import { useOperationState } from '../../api/operations.ts';
import { deleteTenant, TENANTS_AS_LISTED, useListTenantsQuery } from '../../api/tenants.ts';
import { Button } from '../../components/button/button.tsx';
import { useHasUnsaved } from '../../components/dialog/use-unsaved-guard.ts';
import { Card } from '../../components/display/card.tsx';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { Overlay } from '../../components/waiting/overlay.tsx';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import { DatabaseDialogs } from '../../features/databases/screen/database-dialogs.tsx';
import { TenantDialogs } from '../../features/tenants/screen/tenant-dialogs.tsx';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import { useIsGone } from '../../lib/use-is-gone.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { LoadFailed } from '../../operations/load-failed.tsx';
import { LoadingText } from '../../operations/loading-text.tsx';
import { codeInAddress, PATHS, tenantPath } from '../navigation/paths.ts';
import { useOpenTenant } from '../navigation/use-open-tenant.ts';
import { PageHeader } from './page-header.tsx';
import { TenantViews } from './tenant-views.tsx';
import './tenant-page.scss';
import { unlessForbidden } from '../../transport/api-error.ts';

/** The page's open dialog: one of the tenant, or one of its database. */
export type TenantPageDialog =
  | { kind: 'none' }
  | { kind: 'tenant'; of: TenantDialog }
  | { kind: 'database'; of: DatabaseDialog };

const NONE = { kind: 'none' } as const;

/** A tenant: how it is, and what can be done with it (SPEC §2.24). */
export function TenantPage() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { code = '' } = useParams();
  const hasUnsaved = useHasUnsaved();
  const { tenant, isRenamed, shown, query } = useTenantAt(code, hasUnsaved);
  const [dialog, setDialog] = useOpenDialog<TenantPageDialog>(NONE, shown);
  const navigate = useNavigate();
  const openPage = useOpenTenant();
  // From tenant to tenant the page stays, and a deletion may end while another's is shown.
  const isGone = useIsGone(code);
  const isBeingDeleted = useIsBeingDeleted(tenant, query.fulfilledTimeStamp);
  const openTenant = (of: TenantDialog) => setDialog({ kind: 'tenant', of });
  const openDatabase = (of: DatabaseDialog) => setDialog({ kind: 'database', of });
  const close = () => setDialog(NONE);

  return (
    <>
      {/* What is typed stays at its address, with its draft and the question before it is lost. */}
      {isRenamed && tenant && !hasUnsaved && <Navigate to={tenantPath(tenant.code) + search} replace />}
      <PageHeader
        title={tenant?.customerCode ?? code}
        subtitle={tenant?.code}
        trail={[{ label: t('tenants.title'), to: PATHS.tenants }]}
        actions={tenant && <TenantActions tenant={tenant} onOpen={openTenant} />}
      />
      {tenant && query.error && <LoadFailed error={query.error} busy={query.isFetching} onRetry={query.refetch} />}
      {tenant && isBeingDeleted && (
        <Card>
          <LoadingText>{t('tenants.page.deleting')}</LoadingText>
        </Card>
      )}
      {tenant && !isBeingDeleted && (
        <ShownTenant
          key={tenant.id}
          tenant={tenant}
          hasUnsaved={hasUnsaved}
          onOpenTenant={openTenant}
          onOpenDatabase={openDatabase}
        />
      )}
      {!tenant && <MissingTenant code={code} query={query} />}
      {/* They stay open, with what was typed in them, when another user deletes the tenant meanwhile. */}
      <TenantDialogs
        dialog={dialog.kind === 'tenant' ? dialog.of : NONE}
        onDeleted={() => !isGone() && navigate(PATHS.tenants)}
        onOpenPage={openPage}
        onClose={close}
      />
      <DatabaseDialogs dialog={dialog.kind === 'database' ? dialog.of : NONE} onOpen={openDatabase} onClose={close} />
    </>
  );
}

/**
 * The tenant with the code of an address; once it was found, also under a new code.
 * @param hasUnsaved whether something is typed, which stays with its tenant where the list is refused
 * @returns `shown`, its id, also after it was deleted; where there is none, the address
 */
function useTenantAt(address: string, hasUnsaved: boolean) {
  const query = useListTenantsQuery(TENANTS_AS_LISTED, KEPT_FRESH);
  const [seen, setSeen] = useState<{ id: string; addresses: readonly string[] }>();
  const tenants = hasUnsaved ? query.data : unlessForbidden(query.data, query.error);
  const named = tenants?.find((one) => codeInAddress(one.code) === address.toUpperCase());
  const seenId = seen?.addresses.includes(address) ? seen.id : undefined;
  const tenant = named ?? tenants?.find(({ id }) => id === seenId);
  if (tenant) {
    // Of a renamed one also the new address, to which the page is led: it may be deleted before that is shown.
    const known = seen?.id === tenant.id ? seen.addresses : [];
    const more = [address, codeInAddress(tenant.code)].filter((one) => !known.includes(one));
    if (more.length > 0) setSeen({ id: tenant.id, addresses: [...known, ...more] });
  }
  const shown = named?.id ?? seenId ?? (tenants && address);
  return { tenant, isRenamed: tenant !== named, shown, query };
}

/**
 * Whether somebody deletes the tenant here, or has just done so: what its page shows is not asked for any more then, as there is
 * nothing left to answer. One that is listed after that was put back, or is another one.
 * @param listedAt when the tenant was loaded, in milliseconds
 */
function useIsBeingDeleted(tenant: Tenant | undefined, listedAt = 0): boolean {
  const id = useSelector((state: OperationCallsState) => selectOperationOfCall(state, deleteTenant.name));
  const { data, fulfilledTimeStamp: toldAt = 0 } = useOperationState(id === undefined ? skipToken : { id });
  if (data === undefined || data.databaseName !== tenant?.databaseName) return false;
  if (data.state === 'succeeded') return listedAt <= toldAt;
  return data.state !== 'failed' && data.state !== 'cancelled';
}

function TenantActions({ tenant, onOpen }: { tenant: Tenant; onOpen: (dialog: TenantDialog) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Button variant="secondary" icon={Eye} onClick={() => onOpen({ kind: 'view', tenant })}>
        {t('tenants.modal.viewTitle')}
      </Button>
      <Button variant="secondary" icon={SlidersHorizontal} onClick={() => onOpen({ kind: 'manage', tenant })}>
        {t('tenants.manage.title')}
      </Button>
    </>
  );
}

interface ShownTenantProps {
  tenant: Tenant;
  /** Whether something is typed: a refusal does not take its view away. */
  hasUnsaved: boolean;
  onOpenTenant: (dialog: TenantDialog) => void;
  onOpenDatabase: (dialog: DatabaseDialog) => void;
}

/** The tenant's view that the address names, with what the list of databases says of its database. */
function ShownTenant({ tenant, hasUnsaved, ...on }: ShownTenantProps) {
  const databases = useListDatabasesQuery(DATABASES_AS_LISTED, KEPT_FRESH);
  const listed = hasUnsaved ? databases.data : unlessForbidden(databases.data, databases.error);
  const found = listed?.find(({ databaseName }) => databaseName === tenant.databaseName);
  const database = listed && (found ?? (databases.isFetching ? undefined : null));
  return (
    <>
      {databases.isError && (
        <LoadFailed error={databases.error} busy={databases.isFetching} onRetry={databases.refetch} />
      )}
      <TenantViews tenant={tenant} database={database} databases={databases} {...on} />
    </>
  );
}

interface MissingTenantProps {
  code: string;
  query: { error?: { message?: string }; isFetching: boolean; refetch: () => unknown };
}

/** Stands in place of a tenant while it is loaded, or where there is none of that code. */
function MissingTenant({ code, query: { error, isFetching, refetch } }: MissingTenantProps) {
  const { t } = useTranslation();
  if (error) return <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  if (isFetching) {
    return (
      <Card className="tenant-loading">
        <Overlay label={t('tenants.page.loading')} />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        icon={Building2}
        title={t('tenants.page.missing.title', { code })}
        text={t('tenants.page.missing.text')}
        action={
          <Link className="btn btn-secondary" to={PATHS.tenants}>
            {t('tenants.page.missing.back')}
          </Link>
        }
      />
    </Card>
  );
}
