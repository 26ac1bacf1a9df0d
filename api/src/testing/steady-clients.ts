import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';

/** How often the clients' balancer asks each server, in milliseconds. */
const ASKED_EVERY = 100;

interface Call {
  route: ContractRoute;
  body?: unknown;
}

/** Clients that keep calling the servers that are ready by /readyz, each over connections that it keeps open. */
export interface SteadyClients {
  calls(): number;
  /** The failures of calls. */
  failures(): readonly string[];
  /** Whether the balancer sends calls to a server. */
  isReady(url: string): boolean;
  stop(): Promise<void>;
}

/** @param nextCall makes a client's next call */
export function startClients(
  urls: readonly string[],
  options: { clients: number; token: string; nextCall(): Call },
): SteadyClients {
  const ready = new Set(urls);
  const failures: string[] = [];
  let calls = 0;
  let isStopped = false;

  const follow = async (url: string) => {
    while (!isStopped) {
      const isUp = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        async ({ ok, body }) => {
          await body?.cancel();
          return ok;
        },
        () => false,
      );
      if (isUp) ready.add(url);
      else ready.delete(url);
      await setTimeout(ASKED_EVERY);
    }
  };
  const goOn = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = index; !isStopped; turn += 1) {
      const open = [...ready];
      const url = open[turn % open.length];
      if (url === undefined) throw new Error('No server is ready.');
      const { route, body } = options.nextCall();
      const failure = await callOnce(agent, url, route, body, options.token);
      calls += 1;
      if (failure) failures.push(`${route.method} ${route.path}: ${failure}`);
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
