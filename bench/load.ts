import autocannon from 'autocannon';

export const CONNECTIONS = 10;

export interface Request {
  url: string;
  headers?: Record<string, string>;
  /** One for each connection, sent by POST; absent: a GET. */
  bodies?: string[];
}

export interface Load {
  answersPerSecond: number;
  /** Milliseconds of each answer. */
  times: number[];
}

/**
 * Sends a request over ten connections and takes every answer.
 * @param amount requests in all, ten at least
 * @param onAnswer called at each answer, before its connection asks again
 * @throws when an answer is neither 200 nor 304
 */
export async function load(request: Request, amount: number, onAnswer?: () => void): Promise<Load> {
  const times: number[] = [];
  const others: number[] = [];
  const startedAt = performance.now();
  let endedAt = startedAt;
  const bodies = request.bodies?.values();
  const run = autocannon({
    url: request.url,
    headers: request.headers,
    method: bodies ? 'POST' : 'GET',
    setupClient: (client) => bodies && client.setBody(bodies.next().value ?? ''),
    connections: CONNECTIONS,
    amount: Math.max(Math.ceil(amount), CONNECTIONS),
    timeout: 60,
    sampleInt: 10,
  });
  run.on('response', (_client, status: number, _bytes, milliseconds: number) => {
    if (status !== 200 && status !== 304) others.push(status);
    times.push(milliseconds);
    endedAt = performance.now();
    onAnswer?.();
  });
  const { errors } = await run;
  if (errors > 0 || others.length > 0)
    throw new Error(`${request.url}: ${errors} failed, ${others.length} refused: ${others[0]}`);
  return { answersPerSecond: (1000 * times.length) / (endedAt - startedAt), times };
}
