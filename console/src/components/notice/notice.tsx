import { CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type NoticeTone = 'success' | 'warning' | 'danger' | 'info';

const ICONS: Record<NoticeTone, LucideIcon> = {
  success: CircleCheck,
  warning: TriangleAlert,
  danger: OctagonAlert,
  info: Info,
};

interface NoticeProps {
  tone: NoticeTone;
  title?: string;
  /** A button at the end, such as Retry. */
  action?: ReactNode;
  /** `alert` for a notice that appears because something has just failed. */
  role?: 'alert' | 'status';
  children?: ReactNode;
}

/** A tinted box with an icon: something to know before going on. */
export function Notice({ tone, title, action, role, children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`notice notice-${tone}`} role={role}>
      <Icon className="icon" aria-hidden="true" />
      <div className="notice-text">
        {title !== undefined && <strong className="notice-title">{title}</strong>}
        {children}
      </div>
      {action}
    </div>
  );
}
