import { describe, expect, it } from 'vitest';
import { readConfig, StartError } from './config.ts';

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
  databaseUrl: undefined,
  dataDir: 'data',
  secret: undefined,
  adminUsername: 'admin',
  adminPassword: undefined,
  demo: true,
  analyticsId: undefined,
  maxConnections: 40,
  tenantConnections: 20,
  drainSeconds: 5,
  sessionDays: 90,
  hosts: [],
  operatorAddresses: ['127.0.0.0/8', '::1'],
  pgBinDir: undefined,
  logLevel: 'warn',
};

const GIVEN = {
  PORT: '8080',
  HOST: '0.0.0.0',
  DATABASE_URL: 'postgres://someone:some%20thing@db.clinic.test:5433/apotheca?sslmode=require',
  APOTHECA_DATA_DIR: '/var/lib/apotheca',
  APOTHECA_SECRET: 's'.repeat(32),
  APOTHECA_ADMIN_USERNAME: 'x'.repeat(20),
  APOTHECA_ADMIN_PASSWORD: 'five5',
  APOTHECA_DEMO: 'on',
  APOTHECA_ANALYTICS_ID: 'G-12345',
  APOTHECA_MAX_CONNECTIONS: '60',
  APOTHECA_TENANT_CONNECTIONS: '50',
  APOTHECA_DRAIN_SECONDS: '30',
  APOTHECA_SESSION_DAYS: '30',
  APOTHECA_HOSTS: 'console.clinic.test,10.0.0.7',
  APOTHECA_METRICS_FROM: '10.0.0.0/8,::1',
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
      databaseUrl: GIVEN.DATABASE_URL,
      dataDir: '/var/lib/apotheca',
      secret: GIVEN.APOTHECA_SECRET,
      adminUsername: GIVEN.APOTHECA_ADMIN_USERNAME,
      adminPassword: 'five5',
      demo: true,
      analyticsId: 'G-12345',
      maxConnections: 60,
      tenantConnections: 50,
      drainSeconds: 30,
      sessionDays: 30,
      hosts: ['console.clinic.test', '10.0.0.7'],
      operatorAddresses: ['10.0.0.0/8', '::1'],
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
    ['APOTHECA_DRAIN_SECONDS', '301'],
    ['APOTHECA_SESSION_DAYS', '0'],
    ...['console.test:3000', 'https://console.test', 'a,,b', 'a b'].map((value) => ['APOTHECA_HOSTS', value]),
    ...['any', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '::1,'].map((value) => ['APOTHECA_METRICS_FROM', value]),
    ['APOTHECA_SECRET', 's'.repeat(31)],
    ['APOTHECA_ADMIN_PASSWORD', 'Password'],
    ['APOTHECA_ADMIN_USERNAME', 'x'.repeat(21)],
    ['APOTHECA_ADMIN_USERNAME', ' admin'],
    ['APOTHECA_ADMIN_USERNAME', ' '],
    ['APOTHECA_ADMIN_PASSWORD', 'four'],
    ['APOTHECA_ADMIN_PASSWORD', 'x'.repeat(31)],
    ...['ON', 'true', '1'].map((value) => ['APOTHECA_DEMO', value]),
    ...['G 1', "');alert(1)//", 'x'.repeat(41)].map((value) => ['APOTHECA_ANALYTICS_ID', value]),
    ...['19', '1001', '-40', 'many', '4e1'].map((value) => ['APOTHECA_MAX_CONNECTIONS', value]),
    ...['4', '1001', '-1', 'many'].map((value) => ['APOTHECA_TENANT_CONNECTIONS', value]),
    ...['WARN', 'verbose'].map((value) => ['LOG_LEVEL', value]),
  ] as [string, string][])('%s=%j stops the start with one line that names it [DECISIONS §2]', (name, value) => {
    const line = refusalOf({ [name]: value });
    expect(line).toMatch(new RegExp(`^${name} must [^\n;]+$`));
  });

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
