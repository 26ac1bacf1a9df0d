import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { operationKinds } from './operation-kinds.ts';

it("knows every kind that a feature's file makes [DECISIONS §12]", async () => {
  const files = globSync('features/**/*.operation.ts', { cwd: import.meta.dirname });
  const modules: object[] = await Promise.all(files.map((file) => import(/* @vite-ignore */ `./${file}`)));
  const made = modules.flatMap((module) => Object.values(module).filter(isKind));
  expect(made.length).toBeGreaterThanOrEqual(files.length);
  expect([...operationKinds.values()].sort(byName)).toEqual(made.sort(byName));
});

const isKind = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'steps' in value && 'prepare' in value;

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
