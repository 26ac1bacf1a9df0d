import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../components/notice/notice.tsx';

const NAMES_SHOWN = 5;

interface BackupWarningProps {
  tone: 'warning' | 'danger';
  title: string;
  /** Of the databases that it is about; nothing is shown where there are none. */
  names: readonly string[];
  databasesLink: string;
}

/** Warns that something is wrong with the backups of databases. */
export function BackupWarning({ tone, title, names, databasesLink }: BackupWarningProps) {
  const { t } = useTranslation();
  if (names.length === 0) return null;
  const more = names.length - NAMES_SHOWN;
  return (
    <Notice tone={tone} title={title}>
      <p>
        <span className="code">{names.slice(0, NAMES_SHOWN).join(', ')}</span>
        {more > 0 && ` ${t('dashboard.lateBackups.more', { count: more })}`}
      </p>
      <Link to={databasesLink}>{t('dashboard.lateBackups.open')}</Link>
    </Notice>
  );
}
