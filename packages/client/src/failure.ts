import type { Schemas } from './call-types.ts';

type Failure = Pick<Schemas['Failure'], 'status' | 'message' | 'title' | 'errors' | 'result'>;

/** A call that the server refused, or an operation that failed. */
export class ApothecaError extends Error {
  override readonly name = 'ApothecaError';
  /** The HTTP status. */
  readonly status: number;
  /** The kind of failure in short, such as 'Already exists'. */
  readonly title: string;
  /** The messages of each field that is to blame. */
  readonly errors: Readonly<Record<string, string[]>>;
  /** What the caller needs to go on, such as the new plan of a 'Plan changed'. */
  readonly result: unknown;
  /** The seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor({ status, message, title, errors = {}, result }: Failure, retryAfter?: number) {
    super(message);
    this.status = status;
    this.title = title;
    this.errors = errors;
    this.result = result;
    this.retryAfter = retryAfter;
  }
}

/** The failure that an answer holds; what no server of Apotheca answers, such as a proxy's page, has the status only. */
export async function failureOf(response: Response): Promise<ApothecaError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const told = (await response.json().catch(() => ({}))) as Partial<Failure>;
  const title = told.title ?? (response.statusText || 'Error');
  const message = told.message ?? redirectOf(response) ?? `${response.status} ${title}`;
  const failure = { ...told, status: response.status, title, message };
  return new ApothecaError(failure as Failure, Number.isNaN(seconds) ? undefined : seconds);
}

/** What to say of a redirect, which is a proxy's: the server itself makes none. */
function redirectOf({ type, status, headers }: Response): string | undefined {
  // A browser does not say where one leads.
  if (type === 'opaqueredirect') return "This is not the server's address: it leads elsewhere.";
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return location === null ? undefined : `This is not the server's address: it leads to ${location}.`;
}
