import type { Backup, BackupProof as Proof } from '@apotheca/contract/backups';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../components/display/badge.tsx';
import { formatAgo } from '../../../lib/ago.ts';
import { formatDuration } from '../../../lib/duration.ts';
import { messageText } from '../../../locales/messages.ts';

/** Whether a backup can be restored, as its last proof says: in one line, which is cut off. */
export function BackupProof({ proof }: { proof: Proof | null }) {
  const { t } = useTranslation();
  if (!proof) return <span className="text-muted">{t('databases.backups.proof.none')}</span>;
  const isProved = proof.result === 'proved';
  return (
    <span className="backup-proof">
      <Badge tone={isProved ? 'success' : 'danger'}>{t(`databases.backups.proof.${proof.result}`)}</Badge>
      {proof.tables.length > 0 && <span className="code"> {proof.tables.join(', ')}</span>}
      <span className="text-muted"> {isProved ? provedText(t, proof) : messageText(proof.reason)}</span>
    </span>
  );
}

/** The proof of a backup in words, for the filter and the tooltip. */
export function proofText(t: TFunction, { proof }: Backup): string {
  if (!proof) return t('databases.backups.proof.none');
  const said = proof.result === 'proved' ? provedText(t, proof) : messageText(proof.reason);
  return [t(`databases.backups.proof.${proof.result}`), proof.tables.join(', '), said].filter(Boolean).join(' ');
}

/** '3 h ago, restores in 2 min 14 s' */
function provedText(t: TFunction, { endedOnUtc, restoreMs, comparedWith }: Proof): string {
  const duration = formatDuration((restoreMs ?? 0) / 1000);
  const proved = t('databases.backups.proof.provedAgo', { ago: formatAgo(endedOnUtc), duration });
  if (comparedWith === null || comparedWith === 'checksums') return proved;
  return `${proved}; ${t(`databases.backups.proof.compared.${comparedWith}`)}`;
}
