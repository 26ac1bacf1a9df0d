import { type AuditPage, type AuditTrailEntry, SEARCH_PAGE } from '@apotheca/contract/audit';
import { Eye, RefreshCw } from 'lucide-react';
import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSearchAuditQuery } from '../../api/audit.ts';
import { errorText } from '../../api/http/answer-errors.ts';
import { useErrorToast } from '../../api/http/use-error-toast.ts';
import { Button, IconButton } from '../../components/button/button.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { useDelayedText } from '../../components/data-table/use-delayed-text.ts';
import { useKeptPlace } from '../../components/data-table/use-place.ts';
import { localMinute } from '../../lib/moment.ts';
import { KEPT_FRESH } from '../../lists/list-freshness.ts';
import { auditColumns, type RecordLink } from './audit-columns.tsx';
import { AuditFilterFields } from './audit-filter-fields.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type AuditFilterState, useAuditFilters } from './use-audit-filters.ts';
import './audit.scss';
import { unlessForbidden } from '../../transport/api-error.ts';

/** One icon button and the cell's padding. */
const ACTIONS_WIDTH = 56;

const idOf = (entry: AuditTrailEntry) => entry.id;

interface AuditTableProps {
  recordLink: RecordLink;
  onOpen: (entry: AuditTrailEntry) => void;
}

/** The audit trail, newest first, a page at a time, with its filters in the address. */
export function AuditTable({ recordLink, onOpen }: AuditTableProps) {
  const { t } = useTranslation();
  const filters = useAuditFilters();
  const place = useKeptPlace('audit');
  const search = useSearchAuditQuery(filters.query, KEPT_FRESH);
  useErrorToast(search.error);
  const columns = useMemo(() => auditColumns(t, recordLink, onOpen), [t, recordLink, onOpen]);
  const rowActions = useCallback(
    (entry: AuditTrailEntry) => (
      <IconButton icon={Eye} label={t('audit.view', { id: entry.id })} onClick={() => onOpen(entry)} />
    ),
    [t, onOpen],
  );
  const field = useRef<HTMLInputElement>(null);
  function clearAll() {
    filters.clear();
    // The button that was clicked disappears.
    field.current?.focus();
  }
  const { before } = filters.query;
  // Those of the filter before stay until the next ones have come; where those cannot be loaded, they would seem to be them.
  const { entries, further = null } =
    (search.error ? unlessForbidden(search.currentData, search.error) : search.data) ?? {};
  const isPage = before !== undefined || further !== null;
  const clear = (
    <Button variant="secondary" onClick={clearAll}>
      {t('components.filter.clear')}
    </Button>
  );
  return (
    <>
      <DataTable
        name="audit"
        label={t('audit.title')}
        columns={columns}
        rows={entries}
        rowKey={idOf}
        isLoading={search.isFetching && !entries}
        isFetching={search.isFetching}
        error={search.error && errorText(search.error)}
        onRetry={search.refetch}
        emptyText={t(further ? 'audit.noMatchYet' : filters.isOn ? 'audit.noMatch' : 'audit.empty')}
        emptyHint={further || filters.isOn ? undefined : t('audit.emptyHint')}
        emptyAction={filters.isOn && clear}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
        isPage={isPage}
        place={place}
        narrowing={JSON.stringify(filters.query)}
        toolbar={
          <Toolbar
            {...{ field, filters }}
            isFetching={search.isFetching}
            onReload={search.refetch}
            onClear={clearAll}
          />
        }
      />
      {isPage && <Pages before={before} further={further} isFull={entries?.length === SEARCH_PAGE} />}
    </>
  );
}

interface ToolbarProps {
  field: RefObject<HTMLInputElement | null>;
  filters: AuditFilterState;
  isFetching: boolean;
  onReload: () => void;
  onClear: () => void;
}

function Toolbar({ field, filters, isFetching, onReload, onClear }: ToolbarProps) {
  const { t } = useTranslation();
  const { params, change, isOn } = filters;
  const changeAddress = useCallback((text: string) => change({ text }), [change]);
  const [text, setText] = useDelayedText(params.get('text') ?? '', changeAddress);
  return (
    <>
      <FilterField ref={field} label={t('audit.filters.text')} value={text} onChange={setText} />
      <div className="data-table-tools-end">
        {isOn && (
          <Button variant="secondary" size="small" onClick={onClear}>
            {t('components.filter.clear')}
          </Button>
        )}
        <IconButton
          icon={RefreshCw}
          label={t('components.dataTable.refresh')}
          loading={isFetching}
          onClick={onReload}
        />
        <ExportMenu filters={filters} />
      </div>
      <AuditFilterFields filters={filters} />
    </>
  );
}

interface PagesProps {
  before?: string;
  further: AuditPage['further'];
  /** Otherwise the search has stopped before the page was full. */
  isFull: boolean;
}

/**
 * Links to the next older entries and back to the newest: the way back through the pages is the browser's. How far a search has come that
 * takes long is said beside them.
 */
function Pages({ before, further, isFull }: PagesProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    <nav className="data-table-pages" aria-label={t('audit.pages.label')}>
      {further && !isFull && (
        <span role="status">{t('audit.pages.searchedTo', { moment: localMinute(new Date(further.onUtc)) })}</span>
      )}
      {before !== undefined && (
        <Link className="btn btn-secondary" to={{ search: beginningAt(search) }}>
          {t('audit.pages.newest')}
        </Link>
      )}
      {further && (
        <Link className="btn btn-secondary" to={{ search: beginningAt(search, further.before) }}>
          {t(isFull ? 'audit.pages.older' : 'audit.pages.searchFurther')}
        </Link>
      )}
    </nav>
  );
}

function beginningAt(search: string, before?: string): string {
  const params = new URLSearchParams(search);
  if (before === undefined) params.delete('before');
  else params.set('before', before);
  return params.toString();
}
