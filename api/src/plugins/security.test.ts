import { describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { useTestApp } from '../testing/app.ts';

const test = useTestApp();

describe('response headers', () => {
  const URLS = [
    '/healthz',
    '/config.json',
    '/openapi.json',
    '/docs',
    '/api/tenant/get',
    '/nothing',
    '/identity/auth/me',
  ];

  it.each(URLS)('of %s forbid inline scripts, framing and sniffing [§8]', async (url) => {
    const { headers } = await test.app.inject(url);
    const policy = String(headers['content-security-policy']);
    const directives = Object.fromEntries(policy.split(';').map((part) => part.trim().split(/ (.*)/).slice(0, 2)));
    expect(policy).not.toMatch(/unsafe-|\*/);
    expect(directives).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'script-src-attr': "'none'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
    // On plain http, upgraded requests would leave the page without its files.
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('allow the analytics tag only if an id is configured [§2.1]', async () => {
    const app = await buildApp(test.context, { logLevel: 'silent', analyticsId: 'G-12345' });
    const config = await app.inject('/config.json');
    await app.close();
    expect(String(config.headers['content-security-policy'])).toContain(
      "script-src 'self' https://www.googletagmanager.com;",
    );
    expect(config.json()).toMatchObject({ analyticsId: 'G-12345' });
  });
});

describe('/config.json', () => {
  it('names the two bases of the API, and is never cached [§3]', async () => {
    const response = await test.app.inject('/config.json');
    expect(response.json()).toEqual({
      appApiBaseUrl: '/api',
      authApiBaseUrl: '/identity',
      passwordMin: 12,
      suspension: { mode: 'enforce', graceDays: 14, readOnlyDays: 14 },
      passwordRecovery: false,
    });
    expect(response.headers['cache-control']).toBe('no-cache');
  });
});
