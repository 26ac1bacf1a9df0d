import type { Operation } from '@apotheca/contract/operations';
import type { TFunction } from 'i18next';

/** What an operation is called: 'Clone of ACME as TRAINING'. */
export const operationTitle = (t: TFunction, { kind, databaseName, copiedFrom }: Operation): string =>
  t(`activity.what.${kind}`, { name: databaseName, source: copiedFrom ?? databaseName });
