import { AnonymizeDialog } from './anonymize-dialog.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { PutBackDialog } from './put-back-dialog.tsx';
import type { DataTabState } from './use-data-tab.ts';

/** The confirmation that is open above the Manage Tenant modal. */
export function DataDialogs({ databaseName, data }: { databaseName: string; data: DataTabState }) {
  const { dialog, key, show } = data.dialog;
  const shared = { show, databaseName, onClose: data.close };
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'purge':
      return <PurgeDialog key={key} {...shared} tables={dialog.tables} onPurged={data.handlePurged} />;
    case 'anonymize':
      return <AnonymizeDialog key={key} {...shared} onAnonymized={data.handleAnonymized} />;
    case 'put-back':
      return <PutBackDialog key={key} {...shared} purge={dialog.purge} onPutBack={data.handlePutBack} />;
  }
}
