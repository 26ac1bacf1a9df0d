import { useTranslation } from 'react-i18next';
import { PATHS, ROLES_PATH } from '../navigation/paths.ts';
import { PageViews } from './page-views.tsx';

const VIEWS = [
  { view: 'permissions', to: PATHS.permissions },
  { view: 'roles', to: ROLES_PATH },
] as const;

/** The links between the two views of Permission Management. */
export function PermissionViews({ current }: { current: 'permissions' | 'roles' }) {
  const { t } = useTranslation();
  const views = VIEWS.map(({ view, to }) => ({ to, text: t(`roles.views.${view}`), isCurrent: view === current }));
  return <PageViews label={t('roles.views.label')} views={views} />;
}
