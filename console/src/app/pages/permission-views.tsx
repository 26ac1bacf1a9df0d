import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { classNames } from '../../lib/class-names.ts';
import { PATHS, ROLES_PATH } from '../navigation/paths.ts';

const VIEWS = [
  { view: 'permissions', to: PATHS.permissions },
  { view: 'roles', to: ROLES_PATH },
] as const;

/** The links between the two views of Permission Management. */
export function PermissionViews({ current }: { current: 'permissions' | 'roles' }) {
  const { t } = useTranslation();
  return (
    <nav className="tabs page-views" aria-label={t('roles.views.label')}>
      {VIEWS.map(({ view, to }) => (
        <Link
          key={view}
          to={to}
          className={classNames('tab', view === current && 'active')}
          aria-current={view === current ? 'page' : undefined}
        >
          {t(`roles.views.${view}`)}
        </Link>
      ))}
    </nav>
  );
}
