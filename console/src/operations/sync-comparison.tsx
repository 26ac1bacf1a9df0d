import type { PermissionSync, SyncedPermission } from '@apotheca/contract/permissions';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../lib/numbers.ts';

const OUTCOMES = ['added', 'changed', 'removed', 'kept'] as const;

/** The result of a sync of permissions by the three-way comparison (DECISIONS §10): counts, and the permissions. */
export function SyncComparison({ sync }: { sync: PermissionSync }) {
  const { t } = useTranslation();
  const permissionsOf = Map.groupBy(sync.permissions, ({ outcome }) => outcome);
  const counts = { ...sync, kept: sync.kept.length };
  return (
    <div className="sync-comparison" role="status">
      <dl className="sync-counts">
        {OUTCOMES.map((outcome) => (
          <div key={outcome} className={`sync-${outcome}`}>
            <dt>{t(`components.sync.counts.${outcome}`)}</dt>
            <dd className="num">{formatCount(counts[outcome])}</dd>
          </div>
        ))}
      </dl>
      {sync.permissions.length === 0 ? (
        <p className="text-muted">{t('components.sync.nothing')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
        <section className="sync-groups" aria-label={t('components.sync.permissions')} tabIndex={0}>
          {OUTCOMES.map((outcome) => (
            <SyncGroup key={outcome} outcome={outcome} permissions={permissionsOf.get(outcome) ?? []} />
          ))}
        </section>
      )}
    </div>
  );
}

interface SyncGroupProps {
  outcome: SyncedPermission['outcome'];
  permissions: SyncedPermission[];
}

function SyncGroup({ outcome, permissions }: SyncGroupProps) {
  const { t } = useTranslation();
  const titleId = useId();
  if (permissions.length === 0) return null;
  return (
    <div className={`sync-group sync-${outcome}`}>
      <h3 id={titleId}>{t(`components.sync.groups.${outcome}`)}</h3>
      <ul aria-labelledby={titleId}>
        {permissions.map(({ identifier, name }) => (
          <li key={identifier}>
            <span>{name}</span> <span className="code">{identifier}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
