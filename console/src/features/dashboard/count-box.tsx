import { ArrowRight, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Tone } from '../../components/display/badge.tsx';
import { formatCount } from '../../lib/numbers.ts';

interface CountBoxProps {
  label: string;
  /** Absent while it is loaded. */
  count: number | undefined;
  icon: LucideIcon;
  tone: Tone;
  /** The address of 'More info'. */
  to: string;
}

/** The number of records of a kind, with a link to them. */
export function CountBox({ label, count, icon: Icon, tone, to }: CountBoxProps) {
  const { t } = useTranslation();
  const labelId = useId();
  return (
    <article className="count-box" aria-labelledby={labelId}>
      <div className="count-box-body">
        {count === undefined ? (
          <span className="skeleton count-box-skeleton" />
        ) : (
          <p className="count-box-count">{formatCount(count)}</p>
        )}
        <h2 id={labelId}>{label}</h2>
        <span className={`count-box-icon count-box-${tone}`}>
          <Icon aria-hidden="true" />
        </span>
      </div>
      <Link to={to} className="count-box-more" aria-describedby={labelId}>
        {t('main.label.moreInfo')}
        <ArrowRight className="icon" aria-hidden="true" />
      </Link>
    </article>
  );
}
