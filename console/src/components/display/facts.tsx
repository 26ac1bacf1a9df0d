import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';

/** What is known of something: labels over values, in as many columns as there is room for. */
export function Facts({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={classNames('facts', className)}>{children}</dl>;
}

interface FactProps {
  label: string;
  /** Takes two columns, for long values. */
  wide?: boolean;
  className?: string;
  /** The value; an empty one is said to be not set. */
  children?: ReactNode;
}

/** One of the {@link Facts}. */
export function Fact({ label, wide = false, className, children }: FactProps) {
  const { t } = useTranslation();
  const isEmpty = children === undefined || children === null || children === '';
  return (
    <div className={classNames(wide && 'fact-wide', className)}>
      <dt>{label}</dt>
      <dd>{isEmpty ? <span className="text-muted">{t('components.notSet')}</span> : children}</dd>
    </div>
  );
}
