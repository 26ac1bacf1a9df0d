import { globSync } from 'node:fs';
import type { OperationKind } from './operations/operation-kind.ts';

const modules: object[] = await Promise.all(
  globSync('features/**/*.operation.ts', { cwd: import.meta.dirname }).map(
    (file) => import(/* @vite-ignore */ `./${file}`),
  ),
);

/** Every kind of durable operation, by name: what the features' files `*.operation.ts` export. */
export const operationKinds: ReadonlyMap<string, OperationKind> = new Map(
  modules
    .flatMap(Object.values)
    .filter(isKind)
    .map((kind) => [kind.name, kind]),
);

function isKind(value: unknown): value is OperationKind {
  return typeof value === 'object' && value !== null && 'steps' in value && 'prepare' in value;
}
