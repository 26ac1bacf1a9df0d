import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ScreenHelp } from '../guide/guide-button.tsx';
import { PATHS } from '../navigation/paths.ts';
import { usePageTitle } from './page-title.ts';

interface PageHeaderProps {
  title: string;
  /** What the page is about, under its heading. */
  subtitle?: string;
  /** The pages above this one, from the outermost. */
  trail?: readonly { label: string; to: string }[];
  /** The page's main actions, on the right. */
  actions?: ReactNode;
}

/** Breadcrumb, heading and actions of a page; also sets the title of the browser's tab. */
export function PageHeader({ title, subtitle, trail = [], actions }: PageHeaderProps) {
  const { t } = useTranslation();
  usePageTitle(title);
  return (
    <div className="content-header">
      <div>
        <nav aria-label={t('layout.breadcrumb')}>
          <ol className="crumbs">
            <li>
              <Link to={PATHS.dashboard}>{t('header.label.home')}</Link>
            </li>
            {trail.map(({ label, to }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
            <li aria-current="page">{title}</li>
          </ol>
        </nav>
        <div className="content-header-title">
          <h1>{title}</h1>
          <ScreenHelp screen={title} />
        </div>
        {subtitle !== undefined && <p className="content-header-subtitle">{subtitle}</p>}
      </div>
      {actions && <div className="content-header-actions">{actions}</div>}
    </div>
  );
}
