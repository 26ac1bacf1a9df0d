import type { AuditTrailEntry } from '@apotheca/contract/audit';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Moment } from '../../components/display/moment.tsx';
import { EntryChanges } from '../../history/entry-changes.tsx';
import { OutcomeBadge } from '../../history/outcome-badge.tsx';
import { type RecordLink, recordText } from './audit-columns.tsx';
import '../../history/history.scss';

interface EntryModalProps {
  show: boolean;
  entry: AuditTrailEntry;
  recordLink: RecordLink;
  onClose: () => void;
}

/** All that an entry of the audit trail says. */
export function EntryModal({ show, entry, recordLink, onClose }: EntryModalProps) {
  const { t } = useTranslation();
  const to = recordLink(entry);
  const facts: [string, ReactNode][] = [
    [t('audit.columns.when'), <Moment key="when" moment={entry.onUtc} />],
    [t('audit.columns.who'), entry.actorName],
    [
      t('audit.columns.action'),
      <span key="action" className="code">
        {entry.action}
      </span>,
    ],
    [t('audit.columns.result'), <OutcomeBadge key="result" outcome={entry.outcome} />],
    [
      t('audit.columns.record'),
      to === undefined ? (
        recordText(entry)
      ) : (
        <Link key="record" to={to}>
          {recordText(entry)}
        </Link>
      ),
    ],
    [t('audit.filters.entityId'), entry.entityId],
    [t('audit.columns.address'), entry.address],
  ];
  const footer = (
    <Button variant="secondary" onClick={onClose}>
      {t('audit.close')}
    </Button>
  );
  return (
    <Modal show={show} title={t('audit.entry', { id: entry.id })} size="lg" footer={footer} onClose={onClose}>
      <dl className="audit-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <EntryChanges changes={entry.changes} />
    </Modal>
  );
}
