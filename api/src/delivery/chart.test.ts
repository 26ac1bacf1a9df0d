import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../settings.ts';
import { CHART, helm, ofKind, problemOf, type Resource, render, resourcesOf } from '../testing/kubernetes.ts';

/** Gives a file of values to Helm. */
function template(values: string) {
  const folder = mkdtempSync(join(tmpdir(), 'apotheca-values-'));
  const file = join(folder, 'values.yaml');
  writeFileSync(file, values);
  const result = helm('template', 'clinic', CHART, '--kube-version', '1.33', '--values', file);
  rmSync(folder, { recursive: true });
  return result;
}

/** The container of a pod, by a file of values. */
function containerFrom(values: string) {
  const { status, stdout, stderr } = template(values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [web] = ofKind(resourcesOf(stdout), 'Deployment');
  return web?.spec.template.spec.containers[0];
}

/** What Helm says after an install, which it prints with a cluster at hand only: so it is rendered as an object. */
function notes(value: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'apotheca-chart-'));
  cpSync(CHART, folder, { recursive: true });
  const text = readFileSync(join(CHART, 'templates/NOTES.txt'), 'utf8').replace(/^/gm, '  ');
  writeFileSync(join(folder, 'templates/notes.yaml'), `kind: Notes\nspec: |\n${text}`);
  const { stdout } = helm('template', 'clinic', folder, '--kube-version', '1.33', '--set', value);
  rmSync(folder, { recursive: true });
  return ofKind(resourcesOf(stdout), 'Notes')[0]?.spec;
}

/** Kinds of CloudNativePG's, of which no schema is at hand. */
const isOwnKind = ({ apiVersion }: Resource) => !apiVersion.startsWith('postgresql.cnpg.io/');

const WAYS: [string, string[]][] = [
  ['as it is', []],
  ['with an ingress', ['ingress.enabled=true', 'ingress.className=nginx', 'ingress.tlsSecret=console-tls']],
  [
    'on a server of its own',
    ['database.existingSecret=own-database', 'existingSecret=own-secret', 'worker.replicas=2'],
  ],
  [
    'on one node',
    ['web.replicas=1', 'database.cluster.instances=1', 'data.accessMode=ReadWriteOnce', 'data.storageClass=local'],
  ],
];

describe('the chart', () => {
  it('is taken by Helm without a complaint [DECISIONS §13]', () => {
    const { status, stdout } = helm('lint', '--strict', CHART);
    expect(stdout).toContain('0 chart(s) failed');
    expect(status).toBe(0);
  });

  it.each(WAYS)('makes objects that fit the schemas of Kubernetes, each once: %s [DECISIONS §13]', (_what, values) => {
    const resources = render(...values);
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    expect(resources.filter(isOwnKind).map(problemOf).filter(Boolean)).toEqual([]);
  });

  it('is compared with schemas that find a fault [DECISIONS §13]', () => {
    const [deployment] = ofKind(render(), 'Deployment');
    if (!deployment) throw new Error('There is no Deployment.');
    const planted = structuredClone(deployment);
    planted.spec.template.spec.containers[0].readinessProbe.periodSeconds = 'often';
    expect(problemOf(planted)).toMatch(/periodSeconds/);
  });

  it('runs web and worker with few rights, asks for their health, and gives them time to stop [DECISIONS §13]', () => {
    const deployments = ofKind(render(), 'Deployment');
    const roleOf = ({ spec }: Resource) => spec.template.spec.containers[0].env[0];
    expect(deployments.map(roleOf)).toEqual([
      { name: 'APOTHECA_ROLE', value: 'web' },
      { name: 'APOTHECA_ROLE', value: 'worker' },
    ]);
    for (const { spec } of deployments) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 120,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers[0]).toMatchObject({
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        startupProbe: { httpGet: { path: '/healthz' } },
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
        // Certificates of database servers are written there.
        volumeMounts: [{ mountPath: '/var/lib/apotheca' }, { name: 'tmp', mountPath: '/tmp' }],
      });
      expect(pod.volumes[1]).toMatchObject({ name: 'tmp', emptyDir: {} });
      // Not ready within the time in which it goes on answering.
      const { periodSeconds, failureThreshold } = pod.containers[0].readinessProbe;
      expect(periodSeconds * failureThreshold).toBeLessThan(
        Number(settings.shape.APOTHECA_DRAIN_SECONDS.parse(undefined)),
      );
    }
  });

  it.each([
    ['{}', 120],
    ['{ APOTHECA_DRAIN_SECONDS: 180 }', 295],
    ["{ APOTHECA_DRAIN_SECONDS: '300' }", 415],
  ])('gives them as much longer to stop as they go on answering: %s [DECISIONS §13]', (settings, seconds) => {
    const { stdout } = template(`settings: ${settings}`);
    const graces = ofKind(resourcesOf(stdout), 'Deployment').map(
      ({ spec }) => spec.template.spec.terminationGracePeriodSeconds,
    );
    expect(graces).toEqual([seconds, seconds]);
  });

  it('brings files that settings name [DECISIONS §13]', () => {
    const resources = render(
      'extraVolumes[0].name=ca',
      'extraVolumes[0].secret.secretName=postgres-ca',
      'extraVolumeMounts[0].name=ca',
      'extraVolumeMounts[0].mountPath=/etc/apotheca',
    );
    expect(resources.filter(isOwnKind).map(problemOf).filter(Boolean)).toEqual([]);
    for (const { spec } of ofKind(resources, 'Deployment')) {
      const pod = spec.template.spec;
      expect(pod.volumes.at(-1)).toEqual({ name: 'ca', secret: { secretName: 'postgres-ca' } });
      expect(pod.containers[0].volumeMounts.at(-1)).toEqual({ name: 'ca', mountPath: '/etc/apotheca' });
    }
  });

  it('names only what it makes, and leads callers to web processes [DECISIONS §13]', () => {
    const resources = render('ingress.enabled=true', 'worker.replicas=2');
    const [service] = ofKind(resources, 'Service');
    const [web, worker] = ofKind(resources, 'Deployment');
    const fits = (selector: Record<string, string>, { spec }: Resource) =>
      Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value);
    expect([web, worker].map((each) => each && fits(service?.spec.selector, each))).toEqual([true, false]);
    const budgets = ofKind(resources, 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels);
    expect(budgets.map((labels) => [web, worker].map((each) => each && fits(labels, each)))).toEqual([
      [true, false],
      [false, true],
    ]);
    const pod = web?.spec.template.spec;
    const secrets = [pod.containers[0].env[1].valueFrom.secretKeyRef.name, pod.containers[0].envFrom[0].secretRef.name];
    const [cluster] = ofKind(resources, 'Cluster');
    const [secret] = ofKind(resources, 'Secret');
    expect(secrets).toEqual([`${cluster?.metadata.name}-app`, secret?.metadata.name]);
    expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(
      ofKind(resources, 'PersistentVolumeClaim')[0]?.metadata.name,
    );
    const [ingress] = ofKind(resources, 'Ingress');
    expect(ingress?.spec.rules[0].http.paths[0].backend.service.name).toBe(service?.metadata.name);
  });

  it('takes a tag of digits, which Helm reads as a number, and a host with a wildcard [DECISIONS §13]', () => {
    const imageIn = ([web]: Resource[]) => web?.spec.template.spec.containers[0].image;
    expect(imageIn(ofKind(render('image.tag=20261130'), 'Deployment'))).toBe('apotheca:20261130');
    expect(containerFrom('image: { tag: 20261130 }').image).toBe('apotheca:20261130');
    const hosted = render('ingress.enabled=true', 'ingress.host=*.example.com', 'ingress.tlsSecret=console-tls');
    const [ingress] = ofKind(hosted, 'Ingress');
    expect([ingress?.spec.rules[0].host, ...(ingress?.spec.tls[0].hosts ?? [])]).toEqual([
      '*.example.com',
      '*.example.com',
    ]);
  });

  it('makes a secret that is long enough and another one each time, and a cluster [DECISIONS §13]', () => {
    const secretOf = () => Buffer.from(ofKind(render(), 'Secret')[0]?.data?.APOTHECA_SECRET ?? '', 'base64').toString();
    const secret = secretOf();
    expect(settings.shape.APOTHECA_SECRET.safeParse(secret).success).toBe(true);
    expect(secretOf()).not.toBe(secret);
    const [cluster] = ofKind(render(), 'Cluster');
    expect(cluster?.spec).toMatchObject({
      bootstrap: { initdb: { owner: 'apotheca' } },
      postgresql: { synchronous: { method: 'any', number: 1 }, parameters: { max_connections: '300' } },
    });
    expect(ofKind(render('database.cluster.instances=1'), 'Cluster')[0]?.spec.postgresql.synchronous).toBeUndefined();
  });

  it('passes settings on as texts [DECISIONS §13]', () => {
    const [web] = ofKind(
      render('settings.APOTHECA_AUDIT_DAYS=30', 'settings.APOTHECA_PUBLIC_URL=https://console.clinic.org'),
      'Deployment',
    );
    expect(web?.spec.template.spec.containers[0].env.slice(2)).toEqual([
      { name: 'APOTHECA_AUDIT_DAYS', value: '30' },
      { name: 'APOTHECA_PUBLIC_URL', value: 'https://console.clinic.org' },
    ]);
  });

  it('writes what YAML takes for a truth value or a number as settings are written [DECISIONS §13]', () => {
    const { env } = containerFrom(`
settings:
  APOTHECA_REQUEST_LOG: on
  APOTHECA_LOCAL_SIGN_IN: off
  APOTHECA_RATE_LIMIT: 1000000
  OTEL_TRACES_SAMPLER_ARG: 0.25
`);
    expect(env.slice(2)).toEqual([
      { name: 'APOTHECA_LOCAL_SIGN_IN', value: 'off' },
      { name: 'APOTHECA_RATE_LIMIT', value: '1000000' },
      { name: 'APOTHECA_REQUEST_LOG', value: 'on' },
      { name: 'OTEL_TRACES_SAMPLER_ARG', value: '0.25' },
    ]);
  });

  it('writes a setting without a value as an empty one, and a list with commas [DECISIONS §13]', () => {
    const { env } = containerFrom(`
settings:
  APOTHECA_HOSTS:
  APOTHECA_PUBLIC_FAQ: null
  APOTHECA_WEBHOOK_HOSTS: [hooks.clinic.org, 10.0.0.7]
`);
    expect(env.slice(2)).toEqual([
      { name: 'APOTHECA_HOSTS', value: '' },
      { name: 'APOTHECA_PUBLIC_FAQ', value: '' },
      { name: 'APOTHECA_WEBHOOK_HOSTS', value: 'hooks.clinic.org,10.0.0.7' },
    ]);
  });

  it('asks over TLS where the server speaks it [DECISIONS §13]', () => {
    const schemesOf = (values: string) => {
      const { startupProbe, livenessProbe, readinessProbe } = containerFrom(values);
      return [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.scheme);
    };
    expect(schemesOf('settings: { APOTHECA_TLS_CERT: /tls/tls.crt, APOTHECA_TLS_KEY: /tls/tls.key }')).toEqual(
      Array(3).fill('HTTPS'),
    );
    expect(schemesOf('settings: {}')).toEqual(Array(3).fill('HTTP'));
    expect(schemesOf("settings: { APOTHECA_TLS_CERT: '', APOTHECA_TLS_KEY: '' }")).toEqual(Array(3).fill('HTTP'));
  });

  it.each([
    ['/tls/tls.crt', 'https'],
    ['', 'http'],
  ])('says how to open the console where the certificate is %j [DECISIONS §13]', (certificate, scheme) => {
    expect(notes(`settings.APOTHECA_TLS_CERT=${certificate}`)).toContain(
      `To open the console on ${scheme}://127.0.0.1:3000:`,
    );
  });

  it.each(['PORT', 'HOST', 'DATABASE_URL', 'APOTHECA_ROLE', 'APOTHECA_DATA_DIR', 'PG_BIN_DIR'])(
    'refuses %s, which its pods have already [DECISIONS §13]',
    (name) => {
      expect(template(`settings: { ${name}: any }`).stderr).toContain(
        `settings.${name} cannot be set: the chart's pods have one already.`,
      );
    },
  );
});
