import {
  DELIVERIES_PAGE,
  DELIVERY_STATES,
  type DeliveryState,
  type Webhook,
  type WebhookDelivery,
  webhookRoutes,
} from '@apotheca/contract/webhooks';
import { type ReactNode, useCallback, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/http/answer-errors.ts';
import { useListDeliveriesQuery } from '../../api/webhooks.ts';
import { Button } from '../../components/button/button.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { Select } from '../../components/field/select.tsx';
import { useHeldRows } from '../../lib/use-held-rows.ts';
import { usePolling } from '../../rights/use-polling.ts';
import { unlessForbidden } from '../../transport/api-error.ts';
import { deliveryColumns } from './delivery-columns.tsx';

/** How often it is looked what became of deliveries, in milliseconds. */
const POLL = 2_000;
/** An icon button and the cell's padding. */
const ACTIONS_WIDTH = 52;

const idOf = ({ id }: WebhookDelivery) => id;

interface DeliveriesTableProps {
  webhookId: Webhook['id'];
  /** Whether it is looked again and again. */
  isWatched: boolean;
  /** @param isGone it is not in the list any more, and only shown */
  rowActions: (delivery: WebhookDelivery, isGone: boolean) => ReactNode;
}

/** What was sent to a webhook and what came of it, the newest first, a page at a time. */
export function DeliveriesTable({ webhookId, isWatched, rowActions: actionsOf }: DeliveriesTableProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<DeliveryState | ''>('');
  const [before, setBefore] = useState<string>();
  const query = { webhookId, ...(state !== '' && { state }), ...(before !== undefined && { before }) };
  const { paced, heed } = usePolling(webhookRoutes.deliveries);
  const list = useListDeliveriesQuery(query, {
    refetchOnMountOrArgChange: true,
    pollingInterval: paced(isWatched ? POLL : 0),
  });
  heed(list.error);
  // New ones wait, as each look may bring a whole page of them.
  const held = useHeldRows(unlessForbidden(list.currentData, list.error), { idOf, list: JSON.stringify(query) });
  const { rows, isGone } = held;
  const columns = useMemo(() => deliveryColumns(t, isGone), [t, isGone]);
  const rowActions = useCallback(
    (delivery: WebhookDelivery) => actionsOf(delivery, isGone(delivery)),
    [actionsOf, isGone],
  );
  const chooseState = (chosen: DeliveryState | '') => {
    setState(chosen);
    setBefore(undefined);
  };
  const emptyAction = state !== '' && (
    <Button variant="secondary" onClick={() => chooseState('')}>
      {t('components.filter.clear')}
    </Button>
  );
  const toolbar = (
    <>
      <StateFilter value={state} onChange={chooseState} />
      <div className="data-table-tools-end">
        <Button variant="secondary" size="small" disabled={before === undefined} onClick={() => setBefore(undefined)}>
          {t('webhooks.deliveries.newest')}
        </Button>
        <Button
          variant="secondary"
          size="small"
          disabled={(rows?.length ?? 0) < DELIVERIES_PAGE}
          onClick={() => setBefore(rows?.at(-1)?.entryId)}
        >
          {t('webhooks.deliveries.older')}
        </Button>
      </div>
    </>
  );
  return (
    <DataTable
      {...{ columns, rows, held, rowActions, emptyAction, toolbar }}
      name="deliveries"
      label={t('webhooks.deliveries.title')}
      rowKey={idOf}
      isLoading={list.isFetching && !rows}
      isFetching={list.isFetching}
      error={list.error && errorText(list.error)}
      onRetry={list.refetch}
      emptyText={t(`webhooks.deliveries.${emptyKey(state, before)}`)}
      emptyHint={emptyKey(state, before) === 'empty' ? t('webhooks.deliveries.emptyHint') : undefined}
      actionsWidth={ACTIONS_WIDTH}
    />
  );
}

/** Why there is nothing. A full page may be the last one: nothing then stands before it. */
function emptyKey(state: DeliveryState | '', before: string | undefined) {
  if (before !== undefined) return 'noOlder';
  return state === '' ? 'empty' : 'noMatch';
}

interface StateFilterProps {
  value: DeliveryState | '';
  onChange: (state: DeliveryState | '') => void;
}

function StateFilter({ value, onChange }: StateFilterProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {t('webhooks.deliveries.columns.state')}
      </label>
      <Select
        id={id}
        block={false}
        value={value}
        emptyLabel={t('webhooks.deliveries.anyState')}
        options={DELIVERY_STATES.map((state) => ({ value: state, label: t(`webhooks.deliveries.states.${state}`) }))}
        onChange={({ target }) => onChange(DELIVERY_STATES.find((state) => state === target.value) ?? '')}
      />
    </>
  );
}
