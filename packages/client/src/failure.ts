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
  const failure = { ...told, status: response.status, title, message: told.message ?? `${response.status} ${title}` };
  return new ApothecaError(failure as Failure, Number.isNaN(seconds) ? undefined : seconds);
}
