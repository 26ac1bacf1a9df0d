import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';

/** An object as Kubernetes takes it. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another one, which its schema checks
  spec: any;
  data?: Record<string, string>;
}

export const CHART = fileURLToPath(new URL('../../../charts/apotheca', import.meta.url));

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/helm/', import.meta.url));

/** Runs Helm, which a package of npm's brings in an archive, for Linux on x64 only. */
export function helm(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const program = join(CACHE, 'helm');
  if (!existsSync(program)) {
    const description = createRequire(import.meta.url).resolve('@aws-cdk/asset-kubectl-v20/package.json');
    const archive = readFileSync(join(description, '../lib/layer.zip'));
    const { 'helm/helm': content } = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
    if (!content) throw new Error('The package has no Helm.');
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${program}.${process.pid}`, content, { mode: 0o755 });
    renameSync(`${program}.${process.pid}`, program);
  }
  return spawnSync(program, args, { encoding: 'utf8' });
}

/** The objects in what Helm prints. */
export const resourcesOf = (text: string): Resource[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? []);

/** What the chart makes with values, `a.b=c` each. */
export function render(...values: string[]): Resource[] {
  const set = values.flatMap((value) => ['--set', value]);
  const { status, stdout, stderr } = helm('template', 'clinic', CHART, '--kube-version', '1.33', ...set);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return resourcesOf(stdout);
}

export const ofKind = (resources: Resource[], kind: string) => resources.filter((each) => each.kind === kind);

/** The kinds of Kubernetes' own that the chart makes. */
const KINDS = { Deployment, Ingress, PersistentVolumeClaim, PodDisruptionBudget, Secret, Service };

/** What Kubernetes' schema says against an object of one of its own kinds; undefined where it says nothing. */
export function problemOf(resource: Resource): string | undefined {
  const Model = KINDS[resource.kind as keyof typeof KINDS];
  if (!Model) return `There is no schema of ${resource.kind}.`;
  const model = new Model(resource as never);
  try {
    model.validate();
  } catch (error) {
    return (error as Error).message;
  }
  return model.apiVersion === resource.apiVersion ? undefined : `${resource.kind} is of ${model.apiVersion}.`;
}
