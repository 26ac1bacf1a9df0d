import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseAway, isLoginRefused, isReported, NotPrimary } from '../errors/postgres-errors.ts';
import { describeHosts, hostsOf, type PostgresHost } from './connection-string.ts';

/** How long each of several hosts may take to let a session in, in milliseconds. A request has time for the next search then. */
export const HOST_LIMIT = 5_000;
/** How long it counts that no host was found, in milliseconds: callers that try again at once do not ask the hosts each time. */
const PAUSE = 250;

/**
 * Settings that PostgreSQL reports by itself when a session begins and when they change.
 * @see https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-ASYNC
 */
export type ReportedSettings = Map<string, string>;

/** What PostgreSQL reports to a connection, from now on. */
export function reportedTo({ connection }: pg.Client): ReportedSettings {
  const reported: ReportedSettings = new Map();
  connection.on('parameterStatus', ({ parameterName, parameterValue }: { [name: string]: string }) => {
    reported.set(String(parameterName), String(parameterValue));
  });
  return reported;
}

/** The host of a connection string by which others reach the primary: the only one, or the one that is known to be it, or the first. */
export function primaryOf(url: string): PostgresHost {
  const [first = { host: '', port: 0 }] = hostsOf(url);
  return primaryHostsOf(url)?.primary ?? first;
}

const known = new Map<string, PrimaryHosts>();

/** Which host of a connection string is the primary, for all connections of this process; undefined: it names one host. */
export function primaryHostsOf(url: string): PrimaryHosts | undefined {
  if (hostsOf(url).length === 1) return undefined;
  const { username, searchParams } = new URL(url);
  const key = [username, describeHosts(url), searchParams.get('target_session_attrs')].join(' ');
  const hosts = known.get(key) ?? new PrimaryHosts(url);
  known.set(key, hosts);
  return hosts;
}

/** Which of several hosts is the primary. It is asked for when it is needed, and kept until a connection to it fails or is lost. */
export class PrimaryHosts {
  readonly #hosts: readonly PostgresHost[];
  readonly #isWanted: (reported: ReportedSettings) => boolean;
  /** The searches under way, by database. */
  readonly #searches = new Map<unknown, Promise<PostgresHost>>();
  #primary: PostgresHost | undefined;

  constructor(url: string) {
    this.#hosts = hostsOf(url);
    const isReadWrite = new URL(url).searchParams.get('target_session_attrs') === 'read-write';
    // As libpq does it (src/interfaces/libpq/fe-connect.c, CONNECTION_CHECK_TARGET).
    this.#isWanted = (reported) =>
      reported.get('in_hot_standby') !== 'on' &&
      !(isReadWrite && reported.get('default_transaction_read_only') === 'on');
  }

  /** The primary, as far as it is known. */
  get primary(): PostgresHost | undefined {
    return this.#primary;
  }

  /**
   * Finds the primary. All hosts are asked at once; the first that lets a session in and takes writes is it.
   * @param settings of the session that is to be made @param database of it
   * @throws NotPrimary where none takes writes; PostgreSQL's error where one refuses the session
   */
  find(settings: pg.ClientConfig, database: string | undefined): Promise<PostgresHost> {
    if (this.#primary) return Promise.resolve(this.#primary);
    const underWay = this.#searches.get(database);
    if (underWay) return underWay;
    const search = this.#search(settings).finally(() => this.#searches.delete(database));
    this.#searches.set(database, search);
    return search;
  }

  /** Looks for the primary again before the next connection. */
  forget(host: PostgresHost): void {
    if (this.#primary === host) this.#primary = undefined;
  }

  async #search(settings: pg.ClientConfig): Promise<PostgresHost> {
    try {
      this.#primary = await Promise.any(this.#hosts.map((host) => this.#ask(settings, host)));
      return this.#primary;
    } catch (error) {
      const { errors } = error as AggregateError;
      // Such as a wrong password: the host answers, and would answer the same again.
      const refusal = errors.find((each) => isReported(each) && (isLoginRefused(each) || !isDatabaseAway(each)));
      if (refusal) throw refusal;
      await setTimeout(PAUSE);
      const reasons = this.#hosts.map(({ host, port }, index) => `${host}:${port}: ${errors[index].message}`);
      throw new NotPrimary(`no host takes writes (${reasons.join('; ')})`);
    }
  }

  async #ask(settings: pg.ClientConfig, host: PostgresHost): Promise<PostgresHost> {
    const client = Object.assign(new pg.Client({ ...settings, connectionTimeoutMillis: HOST_LIMIT }), host);
    client.on('error', () => {});
    const reported = reportedTo(client);
    await client.connect();
    void client.end();
    if (!this.#isWanted(reported)) throw new NotPrimary('it only reads');
    return host;
  }
}
