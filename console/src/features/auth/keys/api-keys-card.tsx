import type { ApiKey } from '@apotheca/contract/api-keys';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useListApiKeysQuery } from '../../../api/api-keys.ts';
import { errorText } from '../../../api/http/answer-errors.ts';
import { Button } from '../../../components/button/button.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Card } from '../../../components/display/card.tsx';
import { KEPT_FRESH } from '../../../lists/list-freshness.ts';
import { unlessForbidden } from '../../../transport/api-error.ts';
import { apiKeyColumns } from './api-key-columns.tsx';
import { ApiKeyDialogs, type KeyDialog } from './api-key-dialogs.tsx';
import { ApiKeyRowActions } from './api-key-row-actions.tsx';
import { issuesKeysOf, type KeyOwner } from './key-owner.ts';

/** Two icon buttons and the cell's padding. */
const ACTIONS_WIDTH = 84;

const idOf = ({ id }: ApiKey) => id;

/** The API keys of a person or a service account (DECISIONS §13). */
export function ApiKeysCard({ owner }: { owner: KeyOwner }) {
  const { t } = useTranslation();
  const query = owner.userId === undefined ? {} : { userId: owner.userId };
  const list = useListApiKeysQuery(query, { refetchOnMountOrArgChange: true, ...KEPT_FRESH });
  const listed = unlessForbidden(list.currentData, list.error);
  // Not kept for after the end of the session, as it may show a key.
  const [dialog, setDialog] = useState<KeyDialog>({ kind: 'none' });
  const issues = issuesKeysOf(owner);
  const intro = owner.isService ? 'introService' : issues ? 'intro' : 'introPerson';
  const columns = useMemo(() => apiKeyColumns(t), [t]);
  const rowActions = useCallback(
    (apiKey: ApiKey) => <ApiKeyRowActions apiKey={apiKey} canRotate={issues} onOpen={setDialog} />,
    [issues],
  );
  const create = issues && (
    <Button icon={Plus} size="small" disabled={!listed} onClick={() => setDialog({ kind: 'create' })}>
      {t('apiKeys.create.open')}
    </Button>
  );
  return (
    <Card title={t('apiKeys.title')} actions={create}>
      <p className="api-keys-intro">{t(`apiKeys.${intro}`)}</p>
      <DataTable
        name="api-keys"
        label={t('apiKeys.title')}
        columns={columns}
        rows={listed?.keys}
        rowKey={idOf}
        isLoading={list.isFetching && !listed}
        isFetching={list.isFetching}
        error={list.error && errorText(list.error)}
        onRetry={list.refetch}
        emptyText={t('apiKeys.empty')}
        emptyHint={t('apiKeys.emptyHint')}
        emptyAction={create}
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
      />
      <ApiKeyDialogs
        dialog={dialog}
        owner={owner}
        // Also after a refusal: it would take away what is ticked in an open dialog.
        scopes={list.currentData?.scopes ?? []}
        onOpen={setDialog}
        onClose={() => setDialog({ kind: 'none' })}
      />
    </Card>
  );
}
