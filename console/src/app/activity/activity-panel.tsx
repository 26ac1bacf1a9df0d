import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import type { Operation } from '@apotheca/contract/operations';
import { skipToken } from '@reduxjs/toolkit/query';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DATABASES_AS_LISTED, useListDatabasesQuery } from '../../api/databases.ts';
import { IconButton } from '../../components/button/icon-button.tsx';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { EmptyState } from '../../components/notice/empty-state.tsx';
import { RetryNotice } from '../../components/notice/retry-notice.tsx';
import { Spinner } from '../../components/waiting/spinner.tsx';
import { useHeldRows } from '../../lib/use-held-rows.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { unlessForbidden } from '../../transport/api-error.ts';
import { ActivityItem } from './activity-item.tsx';
import { type OpenReport, ReportDialog } from './results.tsx';

/** As many as the server lists: a change of many records may begin any number. */
const ROOM = 50;

const idOf = ({ id }: Operation) => id;

interface ActivityPanelProps {
  id: string;
  /** Absent until they are loaded. */
  operations: Operation[] | undefined;
  /** Why the last load failed. */
  error: string | undefined;
  onRetry: () => void;
  onClose: () => void;
}

/**
 * The operations of all users in the server's order, in a panel at the right; the page stays usable. Escape or the
 * panel's button closes it.
 */
export function ActivityPanel({ id, operations: sent, error, onRetry, onClose }: ActivityPanelProps) {
  const { t } = useTranslation();
  const tenantCodes = useTenantCodes();
  // New ones come at the end: what was just begun, as by Retry, is else nowhere to be seen, and cannot be cancelled.
  const { rows: operations, isHeld, isGone, box, setBox } = useHeldRows(sent, { idOf, room: ROOM });
  useHeldHeights(box, isHeld, operations?.length);
  const [open, setOpen] = useState<OpenReport | { kind: 'none' }>({ kind: 'none' });
  const { key, dialog, show } = useLastingDialog(open);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <aside
      id={id}
      ref={panel}
      tabIndex={-1}
      className="activity-panel"
      aria-label={t('activity.title')}
      onKeyDown={(event) => {
        // Not in a dialog that was opened from here, which Escape closes.
        if (event.key === 'Escape' && panel.current?.contains(event.target as Node)) onClose();
      }}
    >
      <div className="activity-panel-header">
        <h2>{t('activity.title')}</h2>
        <IconButton label={t('activity.close')} icon={X} onClick={onClose} />
      </div>
      {error !== undefined && <RetryNotice onRetry={onRetry}>{error}</RetryNotice>}
      {operations === undefined && error === undefined && <Spinner label={t('activity.loading')} />}
      {operations?.length === 0 && <EmptyState text={t('activity.empty')} hint={t('activity.emptyHint')} />}
      {operations && operations.length > 0 && (
        <ul ref={setBox} className="activity-list">
          {operations.map((operation) => (
            <ActivityItem
              key={operation.id}
              operation={operation}
              isHeld={isHeld}
              isGone={isGone(operation)}
              tenantCode={tenantCodes.get(operation.databaseId)}
              onReport={setOpen}
            />
          ))}
        </ul>
      )}
      {dialog.kind === 'report' && (
        <ReportDialog key={key} show={show} opened={dialog} onClose={() => setOpen({ kind: 'none' })} />
      )}
    </aside>
  );
}

/** While a list is held no item becomes lower: one that ends loses its progress. */
function useHeldHeights(list: HTMLElement | null, isHeld: boolean, count: number | undefined) {
  // By the count too, as new ones come at the end.
  useLayoutEffect(() => {
    const items = [...(list?.children ?? [])].filter((item) => item instanceof HTMLElement);
    // All are measured before the first is changed: the browser lays out once.
    const heights = items.map((item) => item.getBoundingClientRect().height);
    for (const [place, item] of items.entries()) item.style.minHeight = isHeld && count ? `${heights[place]}px` : '';
  }, [list, isHeld, count]);
}

/** The codes of tenants by the ids of their databases, as names change; none where the user may not read these. */
function useTenantCodes(): ReadonlyMap<string, string> {
  const mayRead = useRefusal()(databaseRoutes.list) === undefined;
  const { data, error } = useListDatabasesQuery(mayRead ? DATABASES_AS_LISTED : skipToken);
  const databases = unlessForbidden(data, error) ?? NO_DATABASES;
  return useMemo(
    () => new Map(databases.flatMap(({ id, tenantCode }) => (tenantCode ? [[id, tenantCode]] : []))),
    [databases],
  );
}

const NO_DATABASES: readonly Database[] = [];
