import { useTranslation } from 'react-i18next';
import { type Named, NameList } from './name-list.tsx';

interface RoleChangeProps {
  gains: readonly Named[];
  loses: readonly Named[];
}

/** The permissions that somebody gains and loses by a change. */
export function RoleChange({ gains, loses }: RoleChangeProps) {
  const { t } = useTranslation();
  if (gains.length + loses.length === 0) return <p>{t('roles.change.none')}</p>;
  return (
    <div className="role-change">
      <NameList label={t('roles.change.gains', { count: gains.length })} names={gains} />
      <NameList label={t('roles.change.loses', { count: loses.length })} names={loses} />
    </div>
  );
}
