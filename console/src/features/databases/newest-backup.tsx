import { useTranslation } from 'react-i18next';
import { Moment } from '../../components/display/moment.tsx';

/** The moment of a database's newest backup. */
export function NewestBackup({ moment }: { moment: string | null }) {
  const { t } = useTranslation();
  if (moment === null) return <span className="text-muted">{t('databases.columns.noBackup')}</span>;
  return <Moment moment={moment} />;
}
