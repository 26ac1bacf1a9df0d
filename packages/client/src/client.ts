import { failureFor, isAway, PAUSE, RefreshGivenUp, waitBefore } from './again.ts';
import type { Arguments, CallName, CallOptions, DownloadName, Operation, OperationName, Result } from './call-types.ts';
import { ApothecaError, failureOf } from './failure.ts';
import { CALLS } from './generated/calls.ts';
import { pause } from './pause.ts';

/** The tokens of a sign-in. */
export interface Session {
  accessToken: string;
  refreshToken: string;
}

export interface ClientOptions {
  /** Where the server is, such as https://console.example.com. */
  url: string;
  /** An API key. */
  key?: string | undefined;
  /** The session of an earlier sign-in. */
  session?: Session | undefined;
  /** Told of the session after a sign-in and each refresh, and of the one before; undefined: it has ended, or there was none. */
  onSession?: ((session: Session | undefined, before: Session | undefined) => void | Promise<void>) | undefined;
  /**
   * For a session that other programs use too. Runs a refresh while none of them runs its own, and gives it the session as it is kept then: the
   * server takes the newest pair of tokens only, and ends the session when an older one comes. Absent: the session is this client's alone.
   */
  refreshAlone?: ((refresh: (kept: Session | undefined) => Promise<void>) => Promise<void>) | undefined;
  /** How often a call that may be repeated is repeated where the server is away or busy. Absent: 3 times. */
  retries?: number | undefined;
  /** For how many seconds the wait for an operation goes on while the server is away. Absent: 300. */
  awaySeconds?: number | undefined;
}

/** What a call was answered. */
export interface Answer<Value> {
  result: Value;
  /** What to show, or empty. */
  message: string;
}

/** A file that the server sends. */
export interface Download {
  name: string;
  /** Null where it is made while it is sent. */
  sizeBytes: number | null;
  content: ReadableStream<Uint8Array>;
}

/** A second step of a sign-in. */
export type AskForCode = (methods: readonly string[]) => Promise<{ method: 'totp' | 'recovery'; code: string }>;

type SecondFactor = Extract<Result<'auth.authenticate'>, { secondFactor: object }>['secondFactor'];
interface Call {
  method: string;
  path: string;
  isRead?: true;
  isSecured?: true;
  isOperation?: true;
  isKeyed?: true;
  /** Sent again it is answered as before. */
  isRepeatable?: true;
  /** After how long it counts as lost, in milliseconds, where its caller has no signal. */
  timeout?: number;
  /** How often it is repeated at most, whatever the caller allows. */
  mostRetries?: number;
}
type AnyInput = { query?: Record<string, unknown> | undefined; body?: unknown };

/** How long the client waits between two looks at an operation, in milliseconds: at first, and at most. */
const LOOK = { first: 100, most: 2_000 };
/** A restart or a fail-over takes less, in seconds. */
const AWAY = 300;
/**
 * A refresh whose answer is lost is repeated: for 30 seconds the server gives the same token for the same pair, and after that takes the pair for a
 * stolen one. So soon does it take one for lost that three more attempts come in time, and no more are made.
 */
const REFRESH: Call = { ...CALLS['auth.refresh'], isRepeatable: true, timeout: 8_000, mostRetries: 3 };

/** Calls of one server as one caller. */
export class Apotheca {
  readonly #options: ClientOptions;
  #session: Session | undefined;
  #refreshing: Promise<void> | undefined;

  /** @throws TypeError where `url` is none */
  constructor(options: ClientOptions) {
    new URL(options.url);
    this.#options = options;
    this.#session = options.session;
  }

  /**
   * Makes a call. One that starts an operation is answered when that has ended.
   * @throws ApothecaError
   */
  async call<Name extends CallName>(
    name: Name,
    ...[input, options = {}]: Arguments<Name>
  ): Promise<Answer<Result<Name>>> {
    const answer = await this.#answer(CALLS[name], input, options);
    if (answer.status !== 202) return answer;
    options.onStart?.(answer.result.operationId);
    return this.wait<Result<Name>>(answer.result.operationId, options);
  }

  /** Starts an operation without waiting for its end. @returns its id, for {@link wait} */
  async start<Name extends OperationName>(name: Name, ...[input, options = {}]: Arguments<Name>): Promise<string> {
    const { result } = await this.#answer(CALLS[name], input, options);
    return result.operationId;
  }

  /**
   * Waits for the end of an operation, also while the server is away: the operation outlives that.
   * @throws ApothecaError as which it failed, or was cancelled; also where the caller may not see it
   * @throws TypeError where the server is away for too long
   */
  async wait<Value = unknown>(
    operationId: string,
    { onProgress, signal }: Pick<CallOptions, 'onProgress' | 'signal'> = {},
  ): Promise<Answer<Value>> {
    let awaySince: number | undefined;
    for (let delay = LOOK.first; ; delay = Math.min(delay * 1.5, LOOK.most)) {
      const look = this.call('operations.get', { query: { id: operationId } }, { signal });
      const answer = await look.catch((error: unknown) => {
        awaySince ??= performance.now();
        const isOver = performance.now() - awaySince >= (this.#options.awaySeconds ?? AWAY) * 1_000;
        if (isOver || !isAway(error)) throw error;
      });
      if (answer) {
        awaySince = undefined;
        const { result: operation } = answer;
        onProgress?.(operation);
        if (operation.state !== 'queued' && operation.state !== 'running') return outcomeOf<Value>(operation);
      }
      await pause(delay, signal);
    }
  }

  /** Asks for a file. */
  async download<Name extends DownloadName>(name: Name, ...[input, options = {}]: Arguments<Name>): Promise<Download> {
    const response = await this.#send(CALLS[name], input ?? {}, options, (answer) => answer);
    const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    const size = response.headers.get('content-length');
    if (!response.body) throw new TypeError('The answer has no body.');
    return {
      name: decodeURIComponent(encoded),
      sizeBytes: size === null ? null : Number(size),
      content: response.body,
    };
  }

  /**
   * Signs in with a password. Without it, calls are made with the API key, or as nobody.
   * @param askForCode asked where a second factor is needed
   * @throws ApothecaError
   * @throws TypeError where no code could be right, as the user has to set a second factor up first; or where one is needed and nothing asks
   */
  async signIn(username: string, password: string, askForCode?: AskForCode): Promise<Result<'auth.me'>> {
    const { result } = await this.call('auth.authenticate', { body: { username, password } });
    const session = 'secondFactor' in result ? await this.#secondStep(result.secondFactor, askForCode) : result;
    await this.#keep({ accessToken: session.accessToken, refreshToken: session.refreshToken });
    const { accessToken: _, refreshToken: _refresh, serverTime: _time, ...person } = session;
    return person;
  }

  /** Ends the session, if there is one. */
  async signOut(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    await this.call('auth.logout', { body: { refreshToken: session.refreshToken } });
    await this.#keep(undefined);
  }

  async #secondStep({ token, methods, enrolment }: SecondFactor, askForCode?: AskForCode) {
    if (enrolment)
      throw new TypeError('This account has to set up a second factor first: sign in to the console once.');
    if (!askForCode) throw new TypeError('This sign-in needs a second factor: give a function that asks for its code.');
    const { result } = await this.call('secondStep.factor', { body: { token, ...(await askForCode(methods)) } });
    return result;
  }

  #answer(call: Call, input: AnyInput = {}, options: CallOptions = {}) {
    const read = async (response: Response) =>
      // What the document says of the call's answer; the server sends nothing else.
      // biome-ignore lint/suspicious/noExplicitAny: the caller's type says what it is
      (await response.json()) as { status: number; message: string; result: any };
    return this.#send(call, input, options, read);
  }

  /**
   * Sends a call, again where it may be repeated and the server is away or busy.
   * @param read its answer: one that breaks off is as good as none
   * @throws ApothecaError
   */
  async #send<Read>(
    call: Call,
    input: AnyInput,
    options: CallOptions,
    read: (response: Response) => Read | Promise<Read>,
  ): Promise<Read> {
    const key = call.isKeyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const { retries = 3 } = this.#options;
    for (let left = Math.min(retries, call.mostRetries ?? retries), delay = PAUSE; ; left -= 1, delay *= 2) {
      try {
        return await read(await this.#sendSignedIn(call, input, options.signal, key));
      } catch (error) {
        options.signal?.throwIfAborted();
        const wait = waitBefore(call, error, delay);
        if (left <= 0 || wait === undefined || input.body instanceof ReadableStream) throw failureFor(error);
        await pause(wait, options.signal);
      }
    }
  }

  /** Sends a call; once more where the access token was too old. */
  async #sendSignedIn(call: Call, input: AnyInput, signal?: AbortSignal, key?: string): Promise<Response> {
    const isStream = input.body instanceof ReadableStream;
    // A stream cannot be sent once more, so a call that can be finds out first whether the token is too old.
    if (isStream && call.isSecured && this.#session) await this.call('auth.me', {}, { signal });
    const session = this.#session;
    const response = await this.#fetch(call, input, signal, key);
    if (response.ok) return response;
    const failure = await failureOf(response);
    const isOld = failure.status === 401 && call.isSecured && session && !isStream;
    if (!isOld) throw failure;
    // Another call may have refreshed it meanwhile.
    if (this.#session === session) {
      await this.#refresh(session).catch((reason: unknown) => {
        throw new RefreshGivenUp(reason);
      });
    }
    const again = await this.#fetch(call, input, signal, key);
    if (!again.ok) throw await failureOf(again);
    return again;
  }

  #fetch(call: Call, { query = {}, body }: AnyInput, signal?: AbortSignal, key?: string): Promise<Response> {
    const url = new URL(this.#options.url.replace(/\/$/, '') + call.path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers = new Headers();
    const token = this.#session?.accessToken ?? this.#options.key;
    if (token && call.isSecured) headers.set('authorization', `Bearer ${token}`);
    if (call.isOperation) headers.set('prefer', 'respond-async');
    if (key) headers.set('idempotency-key', key);
    const limited = signal ?? (call.timeout === undefined ? undefined : AbortSignal.timeout(call.timeout));
    const isFile = body instanceof Blob || body instanceof Uint8Array || body instanceof ReadableStream;
    if (body !== undefined) headers.set('content-type', isFile ? 'application/octet-stream' : 'application/json');
    return fetch(url, {
      method: call.method,
      headers,
      // One that is followed loses its method and its body, or its key.
      redirect: 'manual',
      ...(limited && { signal: limited }),
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      // A stream is sent while it is read: https://fetch.spec.whatwg.org/#dom-requestinit-duplex
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
  }

  /** Calls at the same time share one refresh: the server takes each pair of tokens once. */
  #refresh(session: Session): Promise<void> {
    const { refreshAlone = (refresh) => refresh(undefined) } = this.#options;
    this.#refreshing ??= refreshAlone((kept) =>
      // A sign-in keeps its refresh token: with another one, what is kept is of another sign-in.
      this.#renew(kept?.refreshToken === session.refreshToken ? kept : session),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #renew(session: Session): Promise<void> {
    const { accessToken, refreshToken } = session;
    const { result } = await this.#answer(REFRESH, { body: { accessToken, refreshToken } }).catch(async (error) => {
      if (error instanceof ApothecaError && error.status === 401) await this.#keep(undefined, session);
      throw error;
    });
    await this.#keep({ accessToken: result.accessToken, refreshToken }, session);
  }

  async #keep(session: Session | undefined, before = this.#session): Promise<void> {
    this.#session = session;
    await this.#options.onSession?.(session, before);
  }
}

function outcomeOf<Value>({ error, message, result }: Operation): Answer<Value> {
  if (!error) return { result: result as Value, message };
  throw new ApothecaError({ ...error, message, result: error.result });
}
