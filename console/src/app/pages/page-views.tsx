import { Link } from 'react-router';
import { classNames } from '../../lib/class-names.ts';

interface PageViewsProps {
  label: string;
  views: readonly { to: string; text: string; isCurrent: boolean }[];
}

/** The links between the views of one page. */
export function PageViews({ label, views }: PageViewsProps) {
  return (
    <nav className="tabs page-views" aria-label={label}>
      {views.map(({ to, text, isCurrent }) => (
        <Link
          key={to}
          to={to}
          className={classNames('tab', isCurrent && 'active')}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
