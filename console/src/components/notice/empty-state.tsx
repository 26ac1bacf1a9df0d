import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title?: string;
  /** Says that nothing stands here. */
  text?: string;
  /** What would stand here, and what it is for. */
  hint?: string | undefined;
  icon?: LucideIcon;
  /** Usually a button that creates the first entry. */
  action?: ReactNode;
}

/** Stands in place of an empty list. */
export function EmptyState({ title, text, hint, icon: Icon = Inbox, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Icon className="empty-state-icon" aria-hidden="true" />
      {title !== undefined && <h2 className="empty-state-title">{title}</h2>}
      {text !== undefined && <p className={hint && 'empty-state-text'}>{text}</p>}
      {hint !== undefined && <p>{hint}</p>}
      {action}
    </div>
  );
}
