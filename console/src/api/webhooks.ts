import { alertRoutes } from '@apotheca/contract/alerts';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import { api, mutationFor, queryFor, unlessFailed } from './http/client.ts';

const change = unlessFailed('Webhooks');

const webhooksApi = api.injectEndpoints({
  endpoints: (build) => ({
    listWebhooks: build.query({ ...queryFor(webhookRoutes.list), providesTags: ['Webhooks'] }),
    listDeliveries: build.query({ ...queryFor(webhookRoutes.deliveries), providesTags: ['Webhooks'] }),
    createWebhook: build.mutation({ ...mutationFor(webhookRoutes.create), invalidatesTags: change }),
    editWebhook: build.mutation({ ...mutationFor(webhookRoutes.edit), invalidatesTags: change }),
    rotateWebhook: build.mutation({ ...mutationFor(webhookRoutes.rotate), invalidatesTags: change }),
    deleteWebhook: build.mutation({ ...mutationFor(webhookRoutes.delete), invalidatesTags: change }),
    testWebhook: build.mutation({ ...mutationFor(webhookRoutes.test), invalidatesTags: change }),
    replayDeliveries: build.mutation({ ...mutationFor(webhookRoutes.replay), invalidatesTags: change }),
    getAlerts: build.query({ ...queryFor(alertRoutes.get), providesTags: ['Alerts'] }),
    editAlerts: build.mutation({
      ...mutationFor(alertRoutes.edit),
      // The form stays open: at once it holds what was saved, and not what was loaded before.
      async onQueryStarted(_fields, { dispatch, queryFulfilled }) {
        const saved = (await queryFulfilled.catch(() => undefined))?.data.result;
        if (saved) dispatch(webhooksApi.util.updateQueryData('getAlerts', undefined, () => saved));
      },
      invalidatesTags: unlessFailed('Alerts'),
    }),
  }),
});

export const { getAlerts } = webhooksApi.endpoints;
export const {
  useListWebhooksQuery,
  useListDeliveriesQuery,
  useCreateWebhookMutation,
  useEditWebhookMutation,
  useRotateWebhookMutation,
  useDeleteWebhookMutation,
  useTestWebhookMutation,
  useReplayDeliveriesMutation,
  useGetAlertsQuery,
  useEditAlertsMutation,
} = webhooksApi;
