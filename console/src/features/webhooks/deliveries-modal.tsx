import {
  DELIVERIES_PAGE,
  DELIVERY_STATES,
  type DeliveryState,
  type Webhook,
  type WebhookDelivery,
  webhookRoutes,
} from '@apotheca/contract/webhooks';
import { RotateCw } from 'lucide-react';
import { useCallback, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/http/answer-errors.ts';
import { useListDeliveriesQuery, useReplayDeliveriesMutation, useTestWebhookMutation } from '../../api/webhooks.ts';
import { Button, IconButton } from '../../components/button/button.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { Select } from '../../components/field/select.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { deliveryColumns } from './delivery-columns.tsx';

/** How often it is looked what became of deliveries, in milliseconds. */
const POLL = 5_000;
/** An icon button and the cell's padding. */
const ACTIONS_WIDTH = 52;

interface DeliveriesModalProps {
  show: boolean;
  webhook: Webhook;
  onClose: () => void;
}

const idOf = ({ id }: WebhookDelivery) => id;

/** What was sent to a webhook and what came of it, a page at a time; sends a test, and sends again. */
export function DeliveriesModal({ show, webhook: { id: webhookId, name, isActive }, onClose }: DeliveriesModalProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<DeliveryState | ''>('');
  const [before, setBefore] = useState<string>();
  const query = { webhookId, ...(state !== '' && { state }), ...(before !== undefined && { before }) };
  const list = useListDeliveriesQuery(query, { refetchOnMountOrArgChange: true, pollingInterval: show ? POLL : 0 });
  const columns = useMemo(() => deliveryColumns(t), [t]);
  const refusal = useRefusal();
  const { act, retry, isBusy, failure, replay, test } = useDeliveryActs();
  const rowActions = useCallback(
    (delivery: WebhookDelivery) => (
      <IconButton
        icon={RotateCw}
        label={t('webhooks.deliveries.replay', { event: delivery.eventId })}
        disabled={!isActive || isBusy || delivery.state === 'pending'}
        refusal={refusal(webhookRoutes.replay)}
        onClick={() => void act(() => replay({ webhookId, deliveryId: delivery.id }))}
      />
    ),
    [t, refusal, isActive, isBusy, act, replay, webhookId],
  );
  const rows = list.currentData;
  const footer = (
    <>
      <Button variant="secondary" onClick={onClose}>
        {t('webhooks.deliveries.close')}
      </Button>
      <Button
        variant="secondary"
        disabled={!isActive || isBusy}
        refusal={refusal(webhookRoutes.replay)}
        onClick={() => void act(() => replay({ webhookId }))}
      >
        {t('webhooks.deliveries.replayFailed')}
      </Button>
      <Button
        disabled={!isActive || isBusy}
        refusal={refusal(webhookRoutes.test)}
        onClick={() => void act(() => test({ id: webhookId }))}
      >
        {t('webhooks.deliveries.sendTest')}
      </Button>
    </>
  );
  return (
    <Modal
      {...{ show, footer, failure, retry, onClose }}
      title={t('webhooks.deliveries.title')}
      subtitle={name}
      size="xl"
    >
      <p className="text-muted">{t(isActive ? 'webhooks.deliveries.what' : 'webhooks.deliveries.inactive')}</p>
      <DataTable
        name="deliveries"
        label={t('webhooks.deliveries.title')}
        columns={columns}
        rows={rows}
        rowKey={idOf}
        isLoading={list.isFetching && !rows}
        isFetching={list.isFetching}
        error={list.error && errorText(list.error)}
        onRetry={list.refetch}
        emptyText={t(state === '' ? 'webhooks.deliveries.empty' : 'webhooks.deliveries.noMatch')}
        emptyHint={state === '' ? t('webhooks.deliveries.emptyHint') : undefined}
        emptyAction={
          state !== '' && (
            <Button variant="secondary" onClick={() => setState('')}>
              {t('components.filter.clear')}
            </Button>
          )
        }
        rowActions={rowActions}
        actionsWidth={ACTIONS_WIDTH}
        toolbar={
          <>
            <StateFilter
              value={state}
              onChange={(chosen) => {
                setState(chosen);
                setBefore(undefined);
              }}
            />
            <div className="data-table-tools-end">
              <Button
                variant="secondary"
                size="small"
                disabled={before === undefined}
                onClick={() => setBefore(undefined)}
              >
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
        }
      />
    </Modal>
  );
}

/** Sends something, one at a time; a refusal stays in the dialog. */
type SendDelivery = () => PromiseLike<{ data?: { message: string }; error?: unknown }>;

function useDeliveryActs() {
  const [replay] = useReplayDeliveriesMutation();
  const [test] = useTestWebhookMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure();
  const [last, setLast] = useState<{ send: SendDelivery }>();
  async function act(send: SendDelivery): Promise<void> {
    setLast({ send });
    const outcome = await run(send);
    if (!outcome) return;
    if (!outcome.data) return fail(outcome.error);
    clear();
    notify.success(outcome.data.message);
  }
  const retry = last && { onClick: () => void act(last.send) };
  return { act, retry, isBusy, failure, replay, test };
}

function StateFilter({
  value,
  onChange,
}: {
  value: DeliveryState | '';
  onChange: (state: DeliveryState | '') => void;
}) {
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
