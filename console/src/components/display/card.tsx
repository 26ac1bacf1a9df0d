import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface CardProps {
  title?: ReactNode;
  /** Buttons at the right end of the title row. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** Without inner padding, for a list or table that reaches the edges. */
  flush?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A surface with an optional title row and footer. */
export function Card({ title, actions, footer, flush = false, className, children }: CardProps) {
  const hasHeader = title !== undefined || actions !== undefined;
  return (
    <section className={classNames('card', className)}>
      {hasHeader && (
        <header className="card-header">
          {title !== undefined && <h2 className="card-title">{title}</h2>}
          {actions !== undefined && <div className="card-actions">{actions}</div>}
        </header>
      )}
      <div className={classNames('card-body', flush && 'card-body-flush')}>{children}</div>
      {footer !== undefined && <footer className="card-footer">{footer}</footer>}
    </section>
  );
}
