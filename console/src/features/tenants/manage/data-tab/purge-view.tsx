import { RunningOperation } from '../../../../operations/running-operation.tsx';
import { TableChecklist } from '../checklist/table-checklist.tsx';
import { PurgePlanPanel } from './purge-plan-panel.tsx';
import { PurgeResults } from './purge-results.tsx';
import { PurgesCard } from './purges-card.tsx';
import type { DataTabState } from './use-data-tab.ts';

interface PurgeViewProps {
  databaseName: string;
  /** What the tables hold, by name. */
  rows: ReadonlyMap<string, number>;
  data: DataTabState;
}

/** The checklist of tables to empty, with what would come of it beside it. */
export function PurgeView({ databaseName, rows, data }: PurgeViewProps) {
  const { ticks, planQuery, purged, putBack, open } = data;
  return (
    <>
      {purged && <PurgeResults purged={purged} />}
      <div className="manage-columns">
        <TableChecklist ticks={ticks} rows={rows} />
        <div className="manage-stack manage-aside">
          <PurgePlanPanel planQuery={planQuery} />
          <RunningOperation databaseName={databaseName} />
          <PurgesCard
            databaseName={databaseName}
            outcome={putBack}
            onPutBack={(purge) => open({ kind: 'put-back', purge })}
          />
        </div>
      </div>
    </>
  );
}
