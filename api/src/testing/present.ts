import type { ContractRoute } from '@apotheca/contract/route';
import { beforeAll } from 'vitest';
import type { TestApp } from './app.ts';

interface Input {
  query?: Record<string, string>;
  body?: unknown;
}

/** Sets a test's clock to the present, by which PostgreSQL compares the end of a login, and signs the administrator in anew. */
export function usePresent(test: TestApp) {
  let token = '';
  beforeAll(async () => {
    test.clock.now = new Date();
    token = (await test.signIn()).result.accessToken;
  });
  return {
    token: () => token,
    /** Makes a call of which the test is not about. @returns its result @throws unless it is answered with 200 */
    async call(route: ContractRoute, input: Input = {}) {
      const answer = await test.call(route, { ...input, token });
      if (answer.status !== 200) throw new Error(`${route.path}: ${answer.status} ${answer.message}`);
      return answer.result;
    },
  };
}
