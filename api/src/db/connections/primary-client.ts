import pg from 'pg';
import { isDatabaseAway, isReported, NotPrimary } from '../errors/postgres-errors.ts';
import type { PostgresHost } from './connection-string.ts';
import { closeLimited, connectLimited, limitStatements, type StatementLimits } from './limited-waits.ts';
import { HOST_LIMIT, type PrimaryHosts, type ReportedSettings, reportedTo } from './primary-hosts.ts';

/** What PostgreSQL answers to a write where it only reads: read_only_sql_transaction. */
const READ_ONLY = '25006';

/** How a connection to the primary is made. */
export interface PrimaryClientConfig extends pg.ClientConfig {
  /** Where the connection string names several hosts: which of them is the primary. */
  hosts?: PrimaryHosts | undefined;
}

/** As in node-postgres's types. */
type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection to a PostgreSQL that takes writes. After a fail-over the same address may lead to a former primary, or to a standby: a
 * connection there is refused, and one whose server takes no more writes is destroyed, so that pools make another one.
 *
 * It needs no listener for `error`: where PostgreSQL ends the session between two statements, the next statement fails.
 */
export class PrimaryClient extends pg.Client {
  readonly #config: PrimaryClientConfig;
  readonly #reported: ReportedSettings;
  #host: PostgresHost | undefined;

  constructor(config: PrimaryClientConfig = {}) {
    super(config.hosts ? { ...config, connectionTimeoutMillis: HOST_LIMIT } : config);
    this.#config = config;
    this.#reported = reportedTo(this);
    // Without a listener the process would end.
    this.on('error', () => this.#forgetHost());
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      // Once the statement has failed with it.
      if (code === READ_ONLY) setImmediate(() => this.connection.stream.destroy());
    });
  }

  /** @throws NotPrimary where the server is a standby, or none of several hosts is the primary; as `pg.Client` */
  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    const tell = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then((client) => tell(null, client), tell);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    const { hosts } = this.#config;
    this.#host = await hosts?.find(this.#config, this.database);
    // It was given up meanwhile.
    if (this.connection.stream.destroyed) throw new Error('Connection terminated');
    Object.assign(this, this.#host);
    try {
      await super.connect();
    } catch (error) {
      if (!isReported(error) || isDatabaseAway(error)) this.#forgetHost();
      throw error;
    }
    if (this.#reported.get('in_hot_standby') !== 'on') return this;
    this.#forgetHost();
    void this.end();
    throw new NotPrimary('it is a standby');
  }

  #forgetHost(): void {
    if (this.#host) this.#config.hosts?.forget(this.#host);
  }
}

/**
 * Runs `work` with a connection of its own, and ends it.
 * @param limits of its statements, and of its end; absent: none
 * @throws as `connect`; what `work` throws
 */
export async function withPrimaryClient<T>(
  settings: PrimaryClientConfig,
  work: (client: pg.Client) => Promise<T>,
  limits?: StatementLimits,
): Promise<T> {
  const client = new PrimaryClient(settings);
  try {
    if (limits) {
      await connectLimited(client, limits.pulse);
      limitStatements(client, limits);
    } else await client.connect();
    return await work(client);
  } finally {
    await (limits ? closeLimited(client) : client.end());
  }
}
