import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mockServer, server } from '../testing/server.ts';
import { startUp } from './start-up.ts';
import { makeStore } from './state/store.ts';

const config = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity' };
const answer = (body: object) => http.get('/config.json', () => HttpResponse.json(body));
const tags = () => document.head.querySelectorAll('script').length;

mockServer(answer(config));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

describe('start-up', () => {
  it.each([
    [true, 'G-1', 1],
    [true, undefined, 0],
    [false, 'G-1', 0],
  ])('in production %s with analytics id %s adds %i tags [§2.1]', async (production, analyticsId, count) => {
    vi.stubEnv('PROD', production);
    server.use(answer({ ...config, analyticsId }));
    await startUp(makeStore());
    expect(tags()).toBe(count);
  });

  it('gives the analytics tag its commands as the objects that it takes [§2.1]', async () => {
    vi.stubEnv('PROD', true);
    vi.stubGlobal('dataLayer', undefined);
    server.use(answer({ ...config, analyticsId: 'G-1' }));
    await startUp(makeStore());
    const commands = window.dataLayer ?? [];
    expect(commands.map((command) => Array.from(command as ArrayLike<unknown>))).toEqual([
      ['js', expect.any(Date)],
      ['config', 'G-1'],
    ]);
    expect(commands.map((command) => Object.prototype.toString.call(command))).toEqual(
      commands.map(() => '[object Arguments]'),
    );
  });

  it('unregisters service workers [§2.1]', async () => {
    const unregister = vi.fn(async () => true);
    vi.stubGlobal('navigator', { onLine: true, serviceWorker: { getRegistrations: async () => [{ unregister }] } });
    await startUp(makeStore());
    await waitFor(() => expect(unregister).toHaveBeenCalledOnce());
  });

  it('fails without a config [§2.1]', async () => {
    server.use(http.get('/config.json', () => new HttpResponse(null, { status: 500 })));
    await expect(startUp(makeStore())).rejects.toThrow('/config.json answered 500');
  });
});
