import { setTimeout } from 'node:timers/promises';
import { ERRORS } from '@apotheca/contract/errors';
import { isEnded, type OperationDetails, operationRoutes } from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import pg from 'pg';
import type { Random } from '../demo/sample-rows/random.ts';
import type { Answer } from './app.ts';
import type { Attempt, CallLedger } from './call-ledger.ts';
import type { FleetProcess, Place } from './killable-fleet.ts';
import { callServer } from './server-process.ts';

/** What cannot succeed without the control database. */
const CONTROL: Place = 'home';
/** After this time a call or a connection only hangs, in milliseconds. */
const HANGS = 60_000;
/** Only finds what is never answered, in milliseconds: an operation that is killed again and again waits longer each time. */
const LONGEST = 600_000;
/** How many kills of its process end an operation. */
const LIVES = 3;
/** How long a client waits before it tries again, and how often it asks for an operation, in milliseconds. */
const PAUSE = { from: 100, to: 300 };

interface Sent {
  query?: Record<string, string>;
  body?: unknown;
  /** The PostgreSQL server that the call needs beside the control database's. */
  place?: Place | undefined;
}

/** A last answer, and whether an earlier attempt may have done the same. */
interface LastAnswer {
  answer: Answer;
  wasRepeated: boolean;
}

/** An operation that outlived no more kills: it is undone, and told as failed (decision 018). */
export class GivenUp extends Error {}

/** A client of the API that tries again what a kill has cut off, as programs do. */
export class FleetClient {
  readonly random: Random;
  readonly #processes: readonly FleetProcess[];
  readonly #ledger: CallLedger;
  readonly #token: string;
  #turn: number;

  constructor(options: {
    processes: readonly FleetProcess[];
    ledger: CallLedger;
    token: string;
    random: Random;
    number: number;
  }) {
    this.random = options.random;
    this.#processes = options.processes;
    this.#ledger = options.ledger;
    this.#token = options.token;
    this.#turn = options.number;
  }

  pause({ from, to }: { from: number; to: number } = PAUSE): Promise<void> {
    return setTimeout(this.random.integer(from, to));
  }

  /** Makes a call until it is answered otherwise than that it cannot be done now. @param key makes it a call that is done once */
  async call(route: ContractRoute, sent: Sent = {}, key?: string): Promise<LastAnswer> {
    const deadline = performance.now() + LONGEST;
    let before: Attempt | undefined;
    for (;;) {
      const { attempt, answer } = await this.#attempt(route, sent, key, before);
      if (answer && !attempt.hasFailed) return { answer, wasRepeated: before !== undefined };
      if (performance.now() > deadline) throw new Error(`${attempt.what} is never done: ${JSON.stringify(answer)}`);
      before = attempt;
      await this.pause();
    }
  }

  /** Makes a call that must succeed. @returns its result */
  async get(route: ContractRoute, sent: Sent = {}): Promise<Answer['result']> {
    const { answer } = await this.call(route, sent);
    return resultOf(route, answer);
  }

  /** Makes a call once, and leaves open what came of it where it was cut off. @returns undefined: that is not known */
  async once(route: ContractRoute, sent: Sent): Promise<Answer | undefined> {
    const { attempt, answer } = await this.#attempt(route, sent, undefined, undefined);
    return attempt.hasFailed ? undefined : answer;
  }

  /**
   * Makes something once. Every tenth time it is asked of two processes at the same time, which must answer the same.
   * @throws GivenUp
   */
  async make(route: ContractRoute, sent: Sent): Promise<Answer['result']> {
    const began = performance.now();
    const key = crypto.randomUUID();
    const calls = Array.from({ length: this.random.chance(0.1) ? 2 : 1 }, () => this.call(route, sent, key));
    const answers = (await Promise.all(calls)).map(({ answer }) => answer);
    const [made, again] = answers.map((answer) => (isDone(answer) ? undefined : resultOf(route, answer)));
    const ids = [made, again].map((result) => result?.operationId ?? result?.id);
    if (ids[0] && ids[1] && ids[0] !== ids[1]) throw new Error(`${route.path} was done twice: ${ids.join(', ')}`);
    return made?.operationId ? this.#ended(made.operationId, began) : made;
  }

  /** Deletes something. Where an earlier attempt has done it, or still does, nothing is there any more in the end. */
  async remove(route: ContractRoute, sent: Sent): Promise<void> {
    const began = performance.now();
    let isRepeated = false;
    for (;;) {
      const { answer, wasRepeated } = await this.call(route, sent);
      isRepeated ||= wasRepeated;
      if (isRepeated && answer.status === 404) return;
      if (!isRepeated || answer.title !== 'Busy') {
        const result = resultOf(route, answer);
        if (!result.operationId || (await this.#isDone(result.operationId, began))) return;
        isRepeated = true;
      }
      await this.pause();
    }
  }

  /**
   * Runs a statement as a tenant's program.
   * @returns how it ended: 'done', or the SQLSTATE of a login that is refused; undefined: it was cut off
   */
  async program(place: Place, connectionString: string, statement: [string, unknown[]]): Promise<string | undefined> {
    const began = performance.now();
    const outcome = await runAsProgram(connectionString, statement);
    const isRefused = outcome.startsWith('28');
    const hasFailed = outcome !== 'done' && !isRefused;
    const [what, needs] = [`program at ${place}`, [place]];
    this.#ledger.attempts.push({ what, needs, began, ended: performance.now(), outcome, hasFailed });
    return hasFailed ? undefined : outcome;
  }

  /** @param began when it was asked for @returns whether an operation succeeded; else it was given up */
  #isDone(id: string, began: number): Promise<boolean> {
    return this.#ended(id, began).then(
      () => true,
      (error: Error) => {
        if (error instanceof GivenUp) return false;
        throw error;
      },
    );
  }

  /** @throws GivenUp; Error where the operation did not succeed for another reason */
  async #ended(id: string, began: number): Promise<Answer['result']> {
    const deadline = performance.now() + LONGEST;
    for (;;) {
      const operation: OperationDetails = await this.get(operationRoutes.get, { query: { id } });
      const { state, kind, message, result, error } = operation;
      if (state === 'succeeded') return result;
      if (state === 'failed' && error?.title === ERRORS.interrupted.title && this.#ledger.countKills(began) >= LIVES)
        throw new GivenUp(`${kind} ${id}`);
      if (isEnded(state) || performance.now() > deadline) throw new Error(`${kind} ${id} is ${state}: ${message}`);
      await this.pause();
    }
  }

  async #attempt(route: ContractRoute, sent: Sent, key: string | undefined, after: Attempt | undefined) {
    const { place, ...options } = sent;
    const process = this.#nextProcess();
    const began = performance.now();
    const answer = await callServer(process.url, route, {
      ...options,
      token: this.#token,
      respondAsync: true,
      signal: AbortSignal.timeout(HANGS),
      ...(key && { key }),
    }).catch((error: Error) => error);
    const hasBroken = answer instanceof Error;
    const attempt: Attempt = {
      what: `${route.method} ${route.path}`,
      needs: [process.name, CONTROL, ...(place ? [place] : [])],
      began,
      ended: performance.now(),
      outcome: hasBroken ? reasonOf(answer) : describe(answer),
      hasFailed: hasBroken || isTemporary(answer, key !== undefined && after !== undefined),
      after,
    };
    this.#ledger.attempts.push(attempt);
    return { attempt, answer: hasBroken ? undefined : answer };
  }

  /** In turn those that say that they can be asked; where none does, any. */
  #nextProcess(): FleetProcess {
    this.#turn += 1;
    const ready = this.#processes.filter(({ isReady }) => isReady);
    const choice = ready.length > 0 ? ready : this.#processes;
    return choice[this.#turn % choice.length] as FleetProcess;
  }
}

/** @throws Error where a call was refused */
export function resultOf(route: ContractRoute, { status, message, result }: Answer): Answer['result'] {
  if (status !== 200 && status !== 202) throw new Error(`${route.method} ${route.path} is a ${status}: ${message}`);
  return result;
}

const describe = ({ status, title }: Answer): string => (status === 409 ? `409 ${title}` : String(status));

/** What a keyed call is answered whose first attempt was done, and whose answer was lost with the process. */
const isDone = ({ status, message }: Answer): boolean => status === 409 && message.startsWith('This was done (');

/** @param isRepeated a keyed call that was cut off: what that left is in its way until it is settled */
const isTemporary = ({ status, title }: Answer, isRepeated: boolean): boolean =>
  status === 503 || (status === 409 && (title === 'Still going on' || (isRepeated && title === 'Already exists')));

/** The code of what broke a connection, or its message. */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** @returns 'done', or why not: a SQLSTATE, or what broke the connection */
async function runAsProgram(connectionString: string, [text, values]: [string, unknown[]]): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: HANGS, query_timeout: HANGS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(text, values);
    return 'done';
  } catch (error) {
    return reasonOf(error as Error);
  } finally {
    await client.end().catch(() => {});
  }
}
