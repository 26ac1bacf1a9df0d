import type { AuditTrailEntry } from '@apotheca/contract/audit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { recordName } from '../../features/audit/audit-columns.tsx';
import { AuditTable } from '../../features/audit/audit-table.tsx';
import { EntryModal } from '../../features/audit/entry-modal.tsx';
import { VerificationNotice } from '../../features/audit/verification-notice.tsx';
import { faqPath, PATHS, ROLES_PATH } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** The screens that show records, which their filter finds by name. */
const SCREENS: Readonly<Record<string, string>> = {
  tenants: PATHS.tenants,
  users: PATHS.users,
  databases: PATHS.databases,
  permissions: PATHS.permissions,
  menus: PATHS.menus,
  roles: ROLES_PATH,
};

function recordLink({ entity, entityId, changes }: AuditTrailEntry): string | undefined {
  if (entityId === '') return undefined;
  const name = recordName(changes);
  if (entity === 'faqs') return faqPath({ faqId: entityId, faqName: name ?? 'faq' });
  const screen = SCREENS[entity];
  if (screen === undefined || name === undefined) return screen;
  return `${screen}${screen.includes('?') ? '&' : '?'}${new URLSearchParams({ q: name })}`;
}

/** Audit Trail: everything that was done, and whether the trail is unaltered (DECISIONS §12, §13). */
export function AuditPage() {
  const { t } = useTranslation();
  const [entry, setEntry] = useState<AuditTrailEntry>();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHeader title={t('audit.title')} />
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
