import { type Webhook, type WebhookDelivery, webhookRoutes } from '@apotheca/contract/webhooks';
import { RotateCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReplayDeliveriesMutation, useTestWebhookMutation } from '../../api/webhooks.ts';
import { Button, IconButton } from '../../components/button/button.tsx';
import { Modal } from '../../components/dialog/modal.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';

interface DeliveriesModalProps {
  show: boolean;
  webhook: Webhook;
  onClose: () => void;
}

/** What was sent to a webhook; sends a test, and sends again. */
export function DeliveriesModal({ show, webhook: { id: webhookId, name, isActive }, onClose }: DeliveriesModalProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const { act, retry, stateOf, failure, replay, test } = useDeliveryActs();
  const rowActions = useCallback(
    (delivery: WebhookDelivery, isGone: boolean) => {
      const { loading, disabled } = stateOf(delivery.id, isActive && delivery.state !== 'pending' && !isGone);
      return (
        <IconButton
          icon={RotateCw}
          label={t('webhooks.deliveries.replay', { event: delivery.eventId })}
          loading={loading}
          // Not `disabled`: what was just sent again is waiting, and its button has the focus.
          spent={disabled}
          refusal={refusal(webhookRoutes.replay)}
          onClick={() => void act(delivery.id, () => replay({ webhookId, deliveryId: delivery.id }))}
        />
      );
    },
    [t, refusal, isActive, stateOf, act, replay, webhookId],
  );
  const footer = (
    <>
      <Button variant="secondary" onClick={onClose}>
        {t('webhooks.deliveries.close')}
      </Button>
      <Button
        variant="secondary"
        {...stateOf('failed', isActive)}
        refusal={refusal(webhookRoutes.replay)}
        onClick={() => void act('failed', () => replay({ webhookId }))}
      >
        {t('webhooks.deliveries.replayFailed')}
      </Button>
      <Button
        {...stateOf('test', isActive)}
        refusal={refusal(webhookRoutes.test)}
        onClick={() => void act('test', () => test({ id: webhookId }))}
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
      bodyHeight="26rem"
    >
      <p className="text-muted">{t(isActive ? 'webhooks.deliveries.what' : 'webhooks.deliveries.inactive')}</p>
      <DeliveriesTable {...{ webhookId, rowActions }} isWatched={show} />
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
  const [last, setLast] = useState<{ what: string; send: SendDelivery }>();
  async function act(what: string, send: SendDelivery): Promise<void> {
    setLast({ what, send });
    const outcome = await run(send);
    if (!outcome) return;
    if (!outcome.data) return fail(outcome.error);
    clear();
    notify.success(outcome.data.message);
  }
  const retry = last && { onClick: () => void act(last.what, last.send) };
  /** The pressed button keeps the focus while it works; the others wait. */
  const stateOf = (what: string, isOffered: boolean) => {
    const isPressed = isBusy && last?.what === what;
    return { loading: isPressed, disabled: !isOffered || (isBusy && !isPressed) };
  };
  return { act, retry, stateOf, failure, replay, test };
}
