import type { Backup } from '@apotheca/contract/backups';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../components/display/badge.tsx';
import { localMinute } from '../../../lib/moment.ts';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';

interface BackupOptionsProps {
  backups: Backup[];
  chosen: Backup | undefined;
  onChoose: (backup: Backup) => void;
}

/** A radio button for a backup. */
export function BackupOptions({ backups, chosen, onChoose }: BackupOptionsProps) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className="backup-options">
      <legend className="visually-hidden">{t('databases.restore.backup')}</legend>
      {backups.map((backup) => (
        <label key={backup.id} className="backup-option">
          <input
            type="radio"
            className="form-check-input"
            name={group}
            checked={backup.id === chosen?.id}
            onChange={() => onChoose(backup)}
          />
          <BackupInWords backup={backup} />
        </label>
      ))}
    </fieldset>
  );
}

function BackupInWords({ backup }: { backup: Backup }) {
  const { t } = useTranslation();
  const { databaseName, createdOnUtc, sizeBytes, rows, createdBy, origin } = backup;
  const facts = [
    formatBytes(sizeBytes),
    rows !== null && t('databases.restore.rows', { count: rows, rows: formatCount(rows) }),
    createdBy !== null && t('databases.restore.by', { name: createdBy }),
  ].filter((fact) => fact !== false);
  return (
    <>
      <span className="backup-option-name">
        <span className="code">{databaseName}</span>
        {origin === 'uploaded' && <Badge tone="info">{t('databases.backups.origins.uploaded')}</Badge>}
      </span>
      <time className="num" dateTime={createdOnUtc}>
        {localMinute(new Date(createdOnUtc))}
      </time>
      <span className="backup-option-facts num">{facts.join(' · ')}</span>
    </>
  );
}
