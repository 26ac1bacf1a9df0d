import { webhookRoutes } from '@apotheca/contract/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { serveRoutes } from '../../plugins/contract-route.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replay,
  rotateSecret,
  sendTest,
} from './webhooks.service.ts';

export function registerWebhooks(app: FastifyInstance, context: Context): void {
  serveRoutes(app, context, webhookRoutes, {
    list: async () => ({ result: await listWebhooks(context) }),
    create: async ({ body: { createdBy: _, ...form }, actor }) => ({
      result: await createWebhook(context, actor, form),
      message: 'Success! Webhook has been created.',
    }),
    edit: async ({ body: { updatedBy: _, ...edit }, actor }) => ({
      result: await editWebhook(context, actor, edit),
      message: 'Success! Webhook has been updated.',
    }),
    rotate: async ({ body, actor }) => ({
      result: await rotateSecret(context, actor, body.id),
      message: 'The secret is shown only once.',
    }),
    delete: async ({ query, actor }) => {
      await deleteWebhook(context, actor, query.id);
      return { result: null, message: 'Success! Webhook has been deleted.' };
    },
    test: async ({ body, actor }) => {
      await sendTest(context, actor, body.id);
      return { result: null, message: 'A test is on its way.' };
    },
    deliveries: async ({ query }) => ({ result: await listWebhookDeliveries(context, query) }),
    replay: async ({ body, actor }) => {
      const result = await replay(context, actor, body);
      return { result, message: describeReplay(result.replayed) };
    },
  });
}

function describeReplay(replayed: number): string {
  if (replayed === 0) return 'There was nothing to send again.';
  return replayed === 1 ? '1 event is sent again.' : `${replayed} events are sent again.`;
}
