import type { Webhook } from '@apotheca/contract/webhooks';

/** A secret that was just issued: the only time that it can be seen. */
export interface ShownSecret {
  name: string;
  secret: string;
}

/** The open dialog of the list of webhooks, and its row. */
export type WebhookDialog =
  | { kind: 'none' | 'create' }
  | { kind: 'edit' | 'rotate' | 'delete' | 'deliveries' | 'history'; webhook: Webhook };
