import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { watchStalls } from './stalls.ts';

/** How often the clients' balancer asks each server, in milliseconds. */
const ASKED_EVERY = 100;
/** Only finds what hangs, in milliseconds. */
const LONGEST = 60_000;

interface Call {
  route: ContractRoute;
  body?: unknown;
}

/** Clients that keep calling the servers that are ready by /readyz, each over connections that it keeps open. */
export interface SteadyClients {
  calls(): number;
  /**
   * The failures of calls, and that no server was ready, but not where this process stood still for so long that the balancer could not know
   * that a server stops.
   */
  failures(): readonly string[];
  /** Whether the balancer sends calls to a server. */
  isReady(url: string): boolean;
  stop(): Promise<void>;
}

/**
 * @param drain how long a server that stops still takes calls, in milliseconds
 * @param nextCall makes a client's next call
 */
export function startClients(
  urls: readonly string[],
  options: { clients: number; token: string; drain: number; nextCall(): Call },
): SteadyClients {
  const ready = new Set(urls);
  const stalls = watchStalls();
  const now = () => ({ at: performance.now(), stalled: stalls.sum() });
  /** When each server was asked what it has answered last, and when last the balancer found that it was asked too late. */
  const asked = new Map(urls.map((url) => [url, now()]));
  const late = new Map<string, number>();
  /** Whether this process stood still for most of the time since then, so that it is not the server which is late with its answer. */
  const isLate = (url: string) => {
    const { at, stalled } = now();
    const last = asked.get(url) ?? { at, stalled };
    const [passed, stood] = [at - last.at, stalled - last.stalled];
    return passed >= options.drain && passed - stood < options.drain / 2;
  };
  const failures: string[] = [];
  let calls = 0;
  let isStopped = false;

  const follow = async (url: string) => {
    while (!isStopped) {
      const began = now();
      const isUp = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LONGEST) }).then(
        async ({ ok, body }) => {
          await body?.cancel();
          return ok;
        },
        () => false,
      );
      if (isUp) ready.add(url);
      else ready.delete(url);
      if (ready.size === 0 && !urls.some(isLate)) failures.push('No server is ready.');
      if (isLate(url)) late.set(url, performance.now());
      asked.set(url, began);
      await setTimeout(ASKED_EVERY);
    }
  };
  const goOn = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = index; !isStopped; turn += 1) {
      const open = [...ready];
      const url = open[turn % open.length];
      if (url === undefined) {
        await setTimeout(ASKED_EVERY);
        continue;
      }
      const { route, body } = options.nextCall();
      const began = performance.now();
      const failure = await callOnce(agent, url, route, body, options.token);
      calls += 1;
      const couldKnow = !isLate(url) && (late.get(url) ?? 0) < began;
      if (failure && couldKnow) failures.push(`${route.method} ${route.path}: ${failure}`);
    }
    agent.destroy();
  };
  const running = [...urls.map(follow), ...Array.from({ length: options.clients }, (_, index) => goOn(index))];
  return {
    calls: () => calls,
    failures: () => failures,
    isReady: (url) => ready.has(url),
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      stalls.end();
    },
  };
}

/** Makes one call. @returns how it failed, if it did */
async function callOnce(
  agent: Agent,
  url: string,
  route: ContractRoute,
  body: unknown,
  token: string,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = request(url + BASE_PATHS[route.base] + route.path, { method: route.method, agent, headers });
  call.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode === 200 ? undefined : String(answer.statusCode);
  } catch (error) {
    return String(error);
  }
}
