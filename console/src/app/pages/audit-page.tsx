import type { AuditTrailEntry } from '@apotheca/contract/audit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { recordName } from '../../features/audit/audit-columns.tsx';
import { AuditTable } from '../../features/audit/audit-table.tsx';
import { EntryModal } from '../../features/audit/entry-modal.tsx';
import { VerificationNotice } from '../../features/audit/verification-notice.tsx';
import { CreateWebhookButton } from '../../features/webhooks/create-webhook-button.tsx';
import type { WebhookDialog } from '../../features/webhooks/webhook-dialog.ts';
import { WebhookDialogs } from '../../features/webhooks/webhook-dialogs.tsx';
import { WebhooksTable } from '../../features/webhooks/webhooks-table.tsx';
import { faqPath, PATHS, ROLES_PATH, tenantPath, VIEW, WEBHOOKS_PATH } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';
import { PageViews } from './page-views.tsx';

/** The screens that show records, which their filter finds by name. */
const SCREENS: Readonly<Record<string, string>> = {
  tenants: PATHS.tenants,
  users: PATHS.users,
  databases: PATHS.databases,
  permissions: PATHS.permissions,
  roles: ROLES_PATH,
  webhooks: WEBHOOKS_PATH,
  databaseservers: PATHS.databaseServers,
};

function recordLink({ action, entity, entityId, changes }: AuditTrailEntry): string | undefined {
  if (entityId === '') return undefined;
  const name = recordName(changes);
  if (entity === 'tenants' && changes.code !== undefined && name !== undefined) return tenantPath(name);
  if (entity === 'faqs') return faqPath({ faqId: entityId, faqName: name ?? 'faq' });
  // Menus are permissions, but stand in a tree of their own, which has no filter.
  if (action.startsWith('menus.')) return PATHS.menus;
  const screen = SCREENS[entity];
  if (screen === undefined || name === undefined) return screen;
  return `${screen}${screen.includes('?') ? '&' : '?'}${new URLSearchParams({ q: name })}`;
}

/** Audit Trail: everything that was done, and beside it who is told of it (DECISIONS §12, §13). */
export function AuditPage() {
  const [params] = useSearchParams();
  return params.get(VIEW.param) === VIEW.webhooks ? <WebhooksView /> : <TrailView />;
}

function AuditViews({ current }: { current: 'trail' | 'webhooks' }) {
  const { t } = useTranslation();
  const views = [
    { to: PATHS.audit, text: t('webhooks.views.trail'), isCurrent: current === 'trail' },
    { to: WEBHOOKS_PATH, text: t('webhooks.views.webhooks'), isCurrent: current === 'webhooks' },
  ];
  return <PageViews label={t('webhooks.views.label')} views={views} />;
}

function WebhooksView() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<WebhookDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader title={t('audit.title')} actions={<CreateWebhookButton onOpen={setDialog} />} />
      <AuditViews current="webhooks" />
      <WebhooksTable onOpen={setDialog} />
      <WebhookDialogs dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}

/** Everything that was done, and whether the trail is unaltered. */
function TrailView() {
  const { t } = useTranslation();
  const [entry, setEntry] = useState<AuditTrailEntry>();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHeader title={t('audit.title')} />
      <AuditViews current="trail" />
      <VerificationNotice />
      <AuditTable
        recordLink={recordLink}
        onOpen={(opened) => {
          setEntry(opened);
          setOpen(true);
        }}
      />
      {entry && (
        <EntryModal key={entry.id} show={isOpen} entry={entry} recordLink={recordLink} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
