import pg from 'pg';
import type { Apotheca } from './apotheca.ts';

/** What the look-up answers, as far as this program needs it. */
export interface Tenant {
  code: string;
  state: 'active' | 'expiring' | 'grace' | 'read-only' | 'expired' | 'deactivated';
  /** What programs may do in the tenant's database. */
  availability: 'open' | 'read-only' | 'closed';
  host: string;
  port: number;
  database: string;
  sslmode: string;
  role: string;
  password: string;
  /** Names the password: it changes with it. */
  passwordReference: string;
}

/** The tenant is suspended: its database takes no programs. */
export class TenantClosed extends Error {
  override name = 'TenantClosed';
}

/** For how long an answer of the look-up counts, in milliseconds. Choose a longer overlap than this when a login is rotated. */
const LOOK_UP_EVERY = 2_000;

/** Errors that PostgreSQL gives before it has begun a statement: the login has ended, or may not log in. */
const LOGIN_REFUSED = new Set(['28000', '28P01']);

/** The connections of one login at one host, and the statements that use or wait for them. */
interface Login {
  reference: string;
  pool: pg.Pool;
  running: Set<Promise<unknown>>;
}

/** A tenant's database, by the login that the look-up names at the time. */
export class TenantDatabase {
  readonly #apotheca: Apotheca;
  readonly #path: string;
  #found: Promise<Tenant> | undefined;
  #foundAt = Number.NEGATIVE_INFINITY;
  #login: Login | undefined;

  /** @param code the tenant's code */
  constructor(apotheca: Apotheca, code: string) {
    this.#apotheca = apotheca;
    this.#path = `/api/tenant/resolve?${new URLSearchParams({ code })}`;
  }

  /** The tenant as it stands now. Calls at once share one look-up. */
  tenant(): Promise<Tenant> {
    const now = performance.now();
    if (!this.#found || now - this.#foundAt >= LOOK_UP_EVERY) {
      this.#foundAt = now;
      this.#found = this.#apotheca.get<Tenant>(this.#path);
      // A failure is not kept: the next call asks again.
      this.#found.catch(() => this.#forget());
    }
    return this.#found;
  }

  /**
   * Runs one statement. Its login may have ended since the look-up: then it is run again with the next one.
   * @throws TenantClosed if the tenant is suspended
   */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return await this.#run<Row>(text, values);
    } catch (error) {
      if (!LOGIN_REFUSED.has((error as pg.DatabaseError).code ?? '')) throw error;
      this.#forget();
      return this.#run<Row>(text, values);
    }
  }

  async close(): Promise<void> {
    if (this.#login) await drain(this.#login);
  }

  async #run<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const { pool, running } = await this.#current();
    const statement = pool.query<Row>(text, values);
    running.add(statement);
    try {
      return (await statement).rows;
    } finally {
      running.delete(statement);
    }
  }

  #forget(): void {
    this.#foundAt = Number.NEGATIVE_INFINITY;
  }

  /** The current login. The connections of an earlier one end when its statements have. */
  async #current(): Promise<Login> {
    const tenant = await this.tenant();
    if (tenant.availability === 'closed') throw new TenantClosed(`${tenant.code} is suspended`);
    const before = this.#login;
    // After a fail-over the same login may be at another host.
    const reference = `${tenant.passwordReference} ${tenant.host}:${tenant.port}`;
    if (before?.reference === reference) return before;
    if (before) void drain(before);
    this.#login = { reference, pool: connect(tenant), running: new Set() };
    return this.#login;
  }
}

async function drain({ pool, running }: Login): Promise<void> {
  await Promise.allSettled(running);
  await pool.end();
}

function connect({ host, port, database, sslmode, role, password }: Tenant): pg.Pool {
  const pool = new pg.Pool({ host, port, database, user: role, password, ssl: sslmode !== 'disable', max: 3 });
  // A connection that PostgreSQL ends while nobody uses it: the pool opens another one.
  pool.on('error', () => {});
  return pool;
}
