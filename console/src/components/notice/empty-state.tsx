import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title?: string;
  /** Says what would be here. */
  text?: string;
  icon?: LucideIcon;
  /** The way to put something here, usually a button. */
  action?: ReactNode;
}

/** What stands where a list has nothing to show. */
export function EmptyState({ title, text, icon: Icon = Inbox, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Icon className="empty-state-icon" aria-hidden="true" />
      {title !== undefined && <h2 className="empty-state-title">{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      {action}
    </div>
  );
}
