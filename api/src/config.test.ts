import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, StartError } from './config.ts';
import { SECRET_SETTINGS, settingsToKeep } from './settings.ts';
import { unknownSettings } from './unknown-settings.ts';

/** The line with which a start is refused. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('The settings were taken.');
}

const DEFAULTS = {
  port: 3000,
  host: '127.0.0.1',
  role: 'all',
  databaseUrl: undefined,
  dataDir: 'data',
  secret: undefined,
  adminUsername: 'admin',
  adminPassword: undefined,
  passwordMin: 12,
  demo: true,
  analyticsId: undefined,
  maxConnections: 40,
  tenantConnections: 20,
  drainSeconds: 5,
  sessionDays: 90,
  parkDays: 7,
  suspension: { mode: 'enforce', graceDays: 14, readOnlyDays: 14 },
  auditDays: 0,
  proofs: { minutesPerDay: 60, cycleDays: 7 },
  callsPerMinute: 6_000,
  hosts: [],
  publicUrl: undefined,
  oidcProviders: [],
  onlyLocalAccount: undefined,
  operatorAddresses: ['127.0.0.0/8', '::1'],
  trustedProxies: [],
  webhookHosts: [],
  adoptionHosts: [],
  tls: undefined,
  stores: { places: [], recipients: [] },
  mail: undefined,
  requestLog: false,
  traces: undefined,
  pgBinDir: undefined,
  logLevel: 'warn',
};

const GIVEN = {
  PORT: '8080',
  HOST: '0.0.0.0',
  APOTHECA_ROLE: 'worker',
  DATABASE_URL: 'postgres://someone:some%20thing@db.clinic.test:5433/apotheca?sslmode=require',
  APOTHECA_DATA_DIR: '/var/lib/apotheca',
  APOTHECA_SECRET: 's'.repeat(32),
  APOTHECA_ADMIN_USERNAME: 'x'.repeat(20),
  APOTHECA_ADMIN_PASSWORD: 'five5',
  APOTHECA_PASSWORD_MIN: '5',
  APOTHECA_DEMO: 'on',
  APOTHECA_ANALYTICS_ID: 'G-12345',
  APOTHECA_MAX_CONNECTIONS: '60',
  APOTHECA_TENANT_CONNECTIONS: '50',
  APOTHECA_DRAIN_SECONDS: '30',
  APOTHECA_SESSION_DAYS: '30',
  APOTHECA_PARK_DAYS: '0',
  APOTHECA_SUSPENSION: 'flag',
  APOTHECA_GRACE_DAYS: '0',
  APOTHECA_READ_ONLY_DAYS: '30',
  APOTHECA_AUDIT_DAYS: '365',
  APOTHECA_PROOF_MINUTES: '0',
  APOTHECA_PROOF_DAYS: '30',
  APOTHECA_RATE_LIMIT: '100',
  APOTHECA_HOSTS: 'console.clinic.test,10.0.0.7',
  APOTHECA_PUBLIC_URL: 'https://Console.clinic.test:443/',
  APOTHECA_OIDC_PROVIDERS: JSON.stringify([
    { id: 'clinic', name: 'Clinic', issuer: 'https://id.clinic.test', clientId: 'apotheca' },
  ]),
  APOTHECA_LOCAL_SIGN_IN: 'emergency',
  APOTHECA_METRICS_FROM: '10.0.0.0/8,::1',
  APOTHECA_TRUSTED_PROXIES: '10.0.0.0/8,::1',
  APOTHECA_ADOPTION_HOSTS: 'db.clinic.test,10.0.0.0/8',
  APOTHECA_WEBHOOK_HOSTS: 'hooks.clinic.test,10.0.0.0/8',
  APOTHECA_TLS_CERT: '/etc/apotheca/cert.pem',
  APOTHECA_TLS_KEY: '/etc/apotheca/key.pem',
  APOTHECA_BACKUP_STORES: 'file:/mnt/copies',
  APOTHECA_BACKUP_RECIPIENT: 'age1qqq',
  APOTHECA_WAL_ARCHIVE: '/mnt/archive',
  APOTHECA_WAL_ARCHIVE_DAYS: '30',
  APOTHECA_SMTP_URL: 'smtp://console:p%40ss@mail.clinic.test',
  APOTHECA_MAIL_FROM: 'Apotheca <console@clinic.test>',
  APOTHECA_REQUEST_LOG: 'on',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_TRACES_SAMPLER_ARG: '0.25',
  PG_BIN_DIR: '/opt/postgresql/bin',
  LOG_LEVEL: 'debug',
};

describe('the settings', () => {
  it('are all optional [DECISIONS §2]', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('are used as they are given [DECISIONS §2]', () => {
    expect(readConfig(GIVEN)).toEqual({
      port: 8080,
      host: '0.0.0.0',
      role: 'worker',
      databaseUrl: GIVEN.DATABASE_URL,
      dataDir: '/var/lib/apotheca',
      secret: GIVEN.APOTHECA_SECRET,
      adminUsername: GIVEN.APOTHECA_ADMIN_USERNAME,
      adminPassword: 'five5',
      passwordMin: 5,
      demo: true,
      analyticsId: 'G-12345',
      maxConnections: 60,
      tenantConnections: 50,
      drainSeconds: 30,
      sessionDays: 30,
      parkDays: 0,
      suspension: { mode: 'flag', graceDays: 0, readOnlyDays: 30 },
      auditDays: 365,
      proofs: { minutesPerDay: 0, cycleDays: 30 },
      callsPerMinute: 100,
      hosts: ['console.clinic.test', '10.0.0.7'],
      publicUrl: 'https://console.clinic.test',
      oidcProviders: [
        {
          id: 'clinic',
          name: 'Clinic',
          issuer: 'https://id.clinic.test',
          clientId: 'apotheca',
          clientAuthentication: 'basic',
          scopes: 'openid profile email',
          parameters: {},
          groupsClaim: 'groups',
          createUsers: false,
          linkByEmail: false,
        },
      ],
      onlyLocalAccount: 'emergency',
      operatorAddresses: ['10.0.0.0/8', '::1'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      webhookHosts: ['hooks.clinic.test', '10.0.0.0/8'],
      adoptionHosts: ['db.clinic.test', '10.0.0.0/8'],
      tls: { cert: '/etc/apotheca/cert.pem', key: '/etc/apotheca/key.pem' },
      stores: {
        places: [{ kind: 'file', name: 'file:/mnt/copies', path: '/mnt/copies' }],
        recipients: ['age1qqq'],
      },
      walArchive: { folder: '/mnt/archive', days: 30 },
      mail: {
        server: {
          host: 'mail.clinic.test',
          port: 587,
          secure: false,
          credentials: { user: 'console', password: 'p@ss' },
        },
        from: 'Apotheca <console@clinic.test>',
        publicUrl: 'https://console.clinic.test',
      },
      requestLog: true,
      traces: { endpoint: 'http://collector:4318', share: 0.25 },
      pgBinDir: '/opt/postgresql/bin',
      logLevel: 'debug',
    });
  });

  it('count as absent when they are empty [DECISIONS §2]', () => {
    const empty = Object.fromEntries(Object.keys(GIVEN).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(DEFAULTS);
  });

  it('ignore other variables [DECISIONS §2]', () => {
    expect(readConfig({ PATH: '/usr/bin', APOTHECA_OTHER: 'x', port: '1' })).toEqual(DEFAULTS);
  });

  it.each([
    [{}, true],
    [{ DATABASE_URL: GIVEN.DATABASE_URL }, false],
    [{ DATABASE_URL: GIVEN.DATABASE_URL, APOTHECA_DEMO: 'on' }, true],
    [{ APOTHECA_DEMO: 'off' }, false],
  ] as [Record<string, string>, boolean][])('make demo data or not: %j, %s [DECISIONS §2]', (environment, demo) => {
    expect(readConfig(environment).demo).toBe(demo);
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['DATABASE_URL', 'postgresql://localhost/apotheca', { databaseUrl: 'postgresql://localhost/apotheca' }],
    [
      'DATABASE_URL',
      'postgresql://u:p%2C@one:5433,[::1],two/a?sslmode=require',
      {
        databaseUrl:
          'postgresql://u:p%2C@one:5433/a?sslmode=require&host=one%2C%3A%3A1%2Ctwo&port=5433%2C5432%2C5432&target_session_attrs=read-write',
      },
    ],
    [
      'DATABASE_URL',
      'postgresql://one/a?target_session_attrs=primary',
      { databaseUrl: 'postgresql://one/a?target_session_attrs=primary' },
    ],
    ['APOTHECA_ADMIN_PASSWORD', 'x'.repeat(30), { adminPassword: 'x'.repeat(30) }],
    ['APOTHECA_MAX_CONNECTIONS', '20', { maxConnections: 20 }],
    ['APOTHECA_MAX_CONNECTIONS', '1000', { maxConnections: 1000 }],
    ['APOTHECA_TENANT_CONNECTIONS', '5', { tenantConnections: 5 }],
    ['APOTHECA_TENANT_CONNECTIONS', '1000', { tenantConnections: 1000 }],
    ['APOTHECA_DRAIN_SECONDS', '0', { drainSeconds: 0 }],
    ['APOTHECA_DRAIN_SECONDS', '300', { drainSeconds: 300 }],
    ...['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [
      'LOG_LEVEL',
      level,
      { logLevel: level },
    ]),
  ] as [string, string, object][])('may be at the limit: %s=%s [DECISIONS §2]', (name, value, config) => {
    expect(readConfig({ [name]: value })).toMatchObject(config);
  });
});

describe('a wrong setting', () => {
  it.each([
    ...['-1', '65536', '80.5', 'http', '80 81', ' ', '0x50', '1e3'].map((value) => ['PORT', value]),
    ...['mysql://localhost/db', 'localhost:5432', 'apotheca', 'postgres'].map((value) => ['DATABASE_URL', value]),
    ...['WEB', 'leader'].map((value) => ['APOTHECA_ROLE', value]),
    ['APOTHECA_DRAIN_SECONDS', '301'],
    ['APOTHECA_SESSION_DAYS', '0'],
    ['APOTHECA_PARK_DAYS', '3651'],
    ['APOTHECA_AUDIT_DAYS', '-1'],
    ['APOTHECA_PROOF_MINUTES', '1441'],
    ['APOTHECA_PROOF_DAYS', '0'],
    ...['archive', 'file:/mnt/archive', '/mnt/two\nlines'].map((value) => ['APOTHECA_WAL_ARCHIVE', value]),
    ['APOTHECA_WAL_ARCHIVE_DAYS', '0'],
    ...[
      'console.test',
      'ftp://console.test',
      'https://console.test/app',
      'https://console.test/?a',
      'https://a:b@console.test',
    ].map((value) => ['APOTHECA_PUBLIC_URL', value]),
    ...[' admin', 'site  admin', 'site\u00a0admin', 'ad\u200bmin', 'x'.repeat(21)].map((value) => [
      'APOTHECA_LOCAL_SIGN_IN',
      value,
    ]),
    ...['console.test:3000', 'https://console.test', 'a,,b', 'a b'].map((value) => ['APOTHECA_HOSTS', value]),
    ...['any', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '::1,'].map((value) => ['APOTHECA_METRICS_FROM', value]),
    ...['any', 'loopback', '10.0.0.0/33', '1'].map((value) => ['APOTHECA_TRUSTED_PROXIES', value]),
    ...['https://hooks.test', 'a,,b', '10.0.0.0/33', '1.2.3'].map((value) => ['APOTHECA_WEBHOOK_HOSTS', value]),
    ['APOTHECA_ADOPTION_HOSTS', 'postgresql://db.test'],
    ['APOTHECA_SECRET', 's'.repeat(31)],
    ['APOTHECA_ADMIN_PASSWORD', 'Password'],
    ['APOTHECA_ADMIN_USERNAME', 'x'.repeat(21)],
    ['APOTHECA_ADMIN_USERNAME', ' admin'],
    ['APOTHECA_ADMIN_USERNAME', ' '],
    ...['site  admin', 'site\u00a0admin', '\u200b'].map((value) => ['APOTHECA_ADMIN_USERNAME', value]),
    ['APOTHECA_ADMIN_PASSWORD', 'four'],
    ['APOTHECA_ADMIN_PASSWORD', 'x'.repeat(31)],
    ...['4', '31', 'long'].map((value) => ['APOTHECA_PASSWORD_MIN', value]),
    ...['ON', 'true', '1'].map((value) => ['APOTHECA_DEMO', value]),
    ...['G 1', "');alert(1)//", 'x'.repeat(41)].map((value) => ['APOTHECA_ANALYTICS_ID', value]),
    ...['19', '1001', '-40', 'many', '4e1'].map((value) => ['APOTHECA_MAX_CONNECTIONS', value]),
    ...['4', '1001', '-1', 'many'].map((value) => ['APOTHECA_TENANT_CONNECTIONS', value]),
    ...[
      'mail.test:25',
      'http://mail.test',
      'smtp://',
      'smtp://mail.test/path',
      'smtp://mail.test?tls=no',
      'smtp://a%zz@mail.test',
    ].map((value) => ['APOTHECA_SMTP_URL', value]),
    ...['console', 'Apotheca', '<a@b>', 'a@b.test\nBcc: c@d.test', 'A\nB <a@b.test>', 'a@b.test, c@d.test'].map(
      (value) => ['APOTHECA_MAIL_FROM', value],
    ),
    ['APOTHECA_REQUEST_LOG', 'yes'],
    ...['localhost:4318', 'ftp://collector', 'http://user:secret@collector', 'http://collector/?key=secret'].map(
      (value) => ['OTEL_EXPORTER_OTLP_ENDPOINT', value],
    ),
    ...['-1', '1.5', '1e-1', 'half'].map((value) => ['OTEL_TRACES_SAMPLER_ARG', value]),
    ...['WARN', 'verbose'].map((value) => ['LOG_LEVEL', value]),
  ] as [string, string][])('%s=%j stops the start with one line that names it [DECISIONS §2]', (name, value) => {
    const line = refusalOf({ [name]: value });
    expect(line).toMatch(new RegExp(`^${name} must [^\n;]+$`));
  });

  it.each([
    ['postgresql://one,,two/a', 'commas between'],
    ['postgresql://u:p@one:5432', 'host:5432/database'],
    ['postgresql://u:p@one:5432/', 'host:5432/database'],
    ['postgresql://u:p@one,two?target_session_attrs=primary', 'host:5432/database'],
    ['postgresql://one,two:x/a', 'commas between'],
    ['postgresql://u:p@,two/a', 'commas between'],
    ['postgresql://one/a?host=one,two&port=1,2,3', 'as many ports as hosts'],
    ['postgresql://one,two/a?target_session_attrs=any', 'Apotheca writes'],
    ['postgresql://one/a?target_session_attrs=standby', 'Apotheca writes'],
  ])('%s in DATABASE_URL is refused with what is wrong [DECISIONS §2]', (value, reason) => {
    const line = refusalOf({ DATABASE_URL: value });
    expect(line).toMatch(/^DATABASE_URL must /);
    expect(line).toContain(reason);
  });

  it.each(['APOTHECA_TLS_CERT', 'APOTHECA_TLS_KEY'])(
    '%s alone stops the start with one line that names it [DECISIONS §13]',
    (name) => {
      expect(refusalOf({ [name]: '/etc/apotheca/file.pem' })).toBe(
        'APOTHECA_TLS_CERT and APOTHECA_TLS_KEY must be set together',
      );
    },
  );

  it('is named together with every other one [DECISIONS §2]', () => {
    const line = refusalOf({ PORT: 'http', APOTHECA_DEMO: 'yes', LOG_LEVEL: 'loud', HOST: '' });
    expect(line.split('; ').map((part) => part.split(' ')[0])).toEqual(['PORT', 'APOTHECA_DEMO', 'LOG_LEVEL']);
    expect(line).not.toContain('\n');
  });

  it('is not printed: it may be a secret [DECISIONS §2]', () => {
    const line = refusalOf({
      APOTHECA_SECRET: 'too-short',
      APOTHECA_ADMIN_PASSWORD: 'pw',
      DATABASE_URL: 'x://u:hidden@h',
    });
    expect(line).not.toMatch(/too-short|pw|hidden/);
  });
});

describe('variables that begin as settings do', () => {
  it.each([
    ['APOTHECA_BACKUP_STORE', 'APOTHECA_BACKUP_STORES'],
    ['APOTHECA_BACKUP_STORES_FILE', 'APOTHECA_BACKUP_STORES'],
    ['APOTHECA_AUDIT_DAY', 'APOTHECA_AUDIT_DAYS'],
    ['APOTHECA_ADMIN_PASWORD_FILE', 'APOTHECA_ADMIN_PASSWORD_FILE'],
  ])('and are misspelt are told with the setting that was meant: %s [DECISIONS §2]', (name, meant) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([`${name} is unknown and ignored: perhaps you meant ${meant}`]);
  });

  it('and are like none are told too [DECISIONS §2]', () => {
    expect(unknownSettings({ APOTHECA_OTHER: 'x' })).toEqual(['APOTHECA_OTHER is unknown and ignored']);
  });

  it('and are settings, those of other programs, or what Kubernetes sets, are not told [DECISIONS §2]', () => {
    const files = SECRET_SETTINGS.map((name) => `${name}_FILE`);
    const others = ['APOTHECA_URL', 'APOTHECA_API_KEY', 'APOTHECA_BACKUP_IDENTITY', 'APOTHECA_CHROMIUM', 'PATH'];
    const links = ['HOST', 'PORT', 'PORT_HTTP'].map((part) => `APOTHECA_SERVICE_${part}`);
    const ports = ['PORT', 'PORT_3000_TCP', 'PORT_3000_TCP_ADDR', 'WEB_PORT_3000_TCP'].map(
      (part) => `APOTHECA_${part}`,
    );
    const names = [...Object.keys(GIVEN), ...files, ...others, ...links, ...ports];
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
    expect(unknownSettings({ APOTHECA_OTHER: '' })).toEqual([]);
  });
});

describe('the settings that are kept for a lost machine', () => {
  it('are not what one process of several does, as a single one must do all [DECISIONS §13]', () => {
    expect(settingsToKeep({ APOTHECA_ROLE: 'web', APOTHECA_PARK_DAYS: '9' })).toEqual({ APOTHECA_PARK_DAYS: '9' });
  });
});

describe('the settings of mails', () => {
  const MAIL = {
    APOTHECA_SMTP_URL: 'smtp://mail.test',
    APOTHECA_MAIL_FROM: 'console@clinic.test',
    APOTHECA_PUBLIC_URL: 'https://console.test',
  };

  it.each([
    [['APOTHECA_SMTP_URL'], 'APOTHECA_MAIL_FROM and APOTHECA_PUBLIC_URL'],
    [['APOTHECA_MAIL_FROM'], 'APOTHECA_SMTP_URL and APOTHECA_PUBLIC_URL'],
    [['APOTHECA_SMTP_URL', 'APOTHECA_PUBLIC_URL'], 'APOTHECA_MAIL_FROM'],
    [['APOTHECA_SMTP_URL', 'APOTHECA_MAIL_FROM'], 'APOTHECA_PUBLIC_URL'],
  ] as [(keyof typeof MAIL)[], string][])(
    'stop the start where one is missing, and name it: %j [DECISIONS §13]',
    (names, missing) => {
      const given = Object.fromEntries(names.map((name) => [name, MAIL[name]]));
      expect(refusalOf(given)).toBe(`Sending mails also needs ${missing}`);
    },
  );

  it('are not kept for a recovered installation, which starts without mails [DECISIONS §13]', () => {
    expect(settingsToKeep(MAIL)).toEqual({ APOTHECA_PUBLIC_URL: MAIL.APOTHECA_PUBLIC_URL });
    expect(readConfig(settingsToKeep(MAIL)).mail).toBeUndefined();
  });

  it('are off where only the address of the console is set, which others need too [DECISIONS §13]', () => {
    expect(readConfig({ APOTHECA_PUBLIC_URL: MAIL.APOTHECA_PUBLIC_URL }).mail).toBeUndefined();
  });
});

describe('TLS to PostgreSQL', () => {
  const CA = '/etc/apotheca/ca.pem';
  it.each([
    // What DATABASE_URL leaves out, libpq's variables say.
    ['', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: CA }, { sslmode: 'verify-full', sslrootcert: CA }],
    ['?sslmode=verify-full', { PGSSLMODE: 'disable', PGSSLROOTCERT: CA }, { sslmode: 'verify-full', sslrootcert: CA }],
    ['?sslmode=disable', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: CA }, { sslmode: 'disable' }],
    [`?sslrootcert=${CA}`, { PGSSLMODE: 'disable' }, { sslmode: 'verify-full', sslrootcert: CA }],
    ['', { PGSSLROOTCERT: CA }, {}],
    [
      '?sslmode=require',
      { PGSSLCERT: '/a.crt', PGSSLKEY: '/a.key' },
      { sslmode: 'require', sslcert: '/a.crt', sslkey: '/a.key' },
    ],
  ])('is what DATABASE_URL says, then libpq’s variables: %s %j [DECISIONS §2]', (query, variables, expected) => {
    const { databaseUrl = '' } = readConfig({
      ...variables,
      DATABASE_URL: `postgresql://db.clinic.test/apotheca${query}`,
    });
    expect(Object.fromEntries(new URL(databaseUrl).searchParams)).toEqual(expected);
  });

  it.each<Record<string, string>>([
    { DATABASE_URL: 'postgresql://db/a?sslmode=no-verify' },
    { DATABASE_URL: 'postgresql://db/a', PGSSLMODE: 'verify' },
  ])('stops the start where there is no such mode: %j [DECISIONS §2]', (given) => {
    expect(refusalOf(given)).toBe(
      'sslmode of DATABASE_URL, or PGSSLMODE, must be one of: disable, allow, prefer, require, verify-ca, verify-full',
    );
  });
});

describe('secrets in files', () => {
  const withFile = async (text: string, work: (file: string) => void) => {
    const folder = await mkdtemp(join(tmpdir(), 'apotheca-secret-'));
    await writeFile(join(folder, 'secret'), text);
    work(join(folder, 'secret'));
    await rm(folder, { recursive: true });
  };

  it('are read, without the blanks around them, for each setting that is a secret [DECISIONS §13]', async () => {
    await withFile(`${'s'.repeat(40)}\n`, (file) =>
      expect(readConfig({ APOTHECA_SECRET_FILE: file }).secret).toBe('s'.repeat(40)),
    );
    await withFile('postgresql://db.clinic.test/apotheca\n', (file) =>
      expect(readConfig({ DATABASE_URL_FILE: file })).toMatchObject({
        databaseUrl: 'postgresql://db.clinic.test/apotheca',
        demo: false,
      }),
    );
    expect(SECRET_SETTINGS).toEqual([
      'DATABASE_URL',
      'APOTHECA_SECRET',
      'APOTHECA_ADMIN_PASSWORD',
      'APOTHECA_SMTP_URL',
    ]);
  });

  it('keep the rules of the setting, and are not shown when they break them [DECISIONS §13]', async () => {
    await withFile('short secret', (file) => {
      const refusal = refusalOf({ APOTHECA_SECRET_FILE: file });
      expect(refusal).toBe('APOTHECA_SECRET must have at least 32 characters');
    });
  });

  it('are refused beside the setting itself, and where they cannot be read [DECISIONS §13]', () => {
    expect(refusalOf({ DATABASE_URL: 'postgresql://db/a', DATABASE_URL_FILE: '/nowhere' })).toBe(
      'DATABASE_URL and DATABASE_URL_FILE must not be set together',
    );
    expect(refusalOf({ APOTHECA_SECRET_FILE: '/nowhere' })).toMatch(
      /^APOTHECA_SECRET_FILE names a file that cannot be read: ENOENT/,
    );
  });
});
