import { RunningOperation } from '../../../../operations/running-operation.tsx';
import { TableChecklist } from '../checklist/table-checklist.tsx';
import { PurgePlanPanel } from './purge-plan-panel.tsx';
import { PurgeResults } from './purge-results.tsx';
import { PurgesCard } from './purges-card.tsx';
import type { DataTabState } from './use-data-tab.ts';

interface PurgeViewProps {
  databaseName: string;
  /** Rows of the tables, by name. */
  rows: ReadonlyMap<string, number>;
  data: DataTabState;
}

/** The checklist of tables to purge, with the plan next to it. */
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
