import { isKnownKind, type Operation, type OperationKindName } from '@apotheca/contract/operations';
import type { TFunction } from 'i18next';
import { messageText } from '../../locales/messages.ts';

/** The last part of the keys of texts about a kind of operation; for all kinds of other versions of the server there is one text. */
export const kindText = (kind: string): OperationKindName | 'other' => (isKnownKind(kind) ? kind : 'other');

/** What an operation is called: 'Clone of ACME as TRAINING'. */
export const operationTitle = (t: TFunction, { kind, databaseName, copiedFrom }: Operation): string =>
  t(`activity.what.${kindText(kind)}`, {
    // One on many says of how many, '2 tenants'.
    name: kind.startsWith('bulk-') ? messageText(databaseName) : databaseName,
    source: copiedFrom ?? databaseName,
  });
