import { HttpResponse, http, type JsonBodyType } from 'msw';
import { expect, test } from 'vitest';
import { mockServer, server } from '../testing/server.ts';
import { addressOf, loadRuntimeConfig } from './runtime-config.ts';

mockServer();

const serve = (config: JsonBodyType, status = 200) =>
  server.use(http.get('/config.json', () => HttpResponse.json(config, { status })));

test('until it is loaded the bases are those of the server itself [§3]', () => {
  expect(addressOf('api', '/tenant/get')).toBe(`${location.origin}/api/tenant/get`);
  expect(addressOf('identity', '/auth/me')).toBe(`${location.origin}/identity/auth/me`);
});

test.each([{}, { appApiBaseUrl: 1 }, null])('refuses an invalid runtime config: %j [§3]', async (config) => {
  serve(config);
  await expect(loadRuntimeConfig()).rejects.toThrow();
});

test('refuses an error page [§3]', async () => {
  serve({ appApiBaseUrl: '/a', authApiBaseUrl: '/b' }, 500);
  await expect(loadRuntimeConfig()).rejects.toThrow('/config.json answered 500');
});

test('gives the two bases, on this host or another [§3]', async () => {
  serve({ appApiBaseUrl: 'https://app.test/v1/', authApiBaseUrl: '/login-api' });
  await loadRuntimeConfig();
  expect(addressOf('api', '/tenant/get')).toBe('https://app.test/v1/tenant/get');
  expect(addressOf('identity', '/auth/me')).toBe(`${location.origin}/login-api/auth/me`);
});
