import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test as base, expect, signIn } from '../fixtures.ts';
import { startServer } from '../server-process.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

const spans: Span[] = [];

/** A server of its own that sends its traces to a collector of this process. */
const test = base.extend<object, { ownServer: string }>({
  ownServer: [
    async ({ browserName: _ }, use) => {
      const collector = createServer(async (request, response) => {
        const { resourceSpans } = JSON.parse(await text(request));
        for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
      await new Promise<void>((fulfil) => collector.listen(0, '127.0.0.1', fulfil));
      const { port } = collector.address() as AddressInfo;
      const { url, stop } = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
      await use(url);
      await stop();
      collector.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ ownServer }, use) => use(ownServer),
});

test('a call of the browser begins a trace that goes down to its statements [DECISIONS §13]', async ({ page }) => {
  await signIn(page);
  const listing = page.waitForRequest(/\/api\/tenant\/get\b/);
  await page.goto('/tenants');
  const { traceparent = '' } = await (await listing).allHeaders();
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent) ?? [];
  expect(traceId).toBeDefined();
  const call = () => spans.find((span) => span.traceId === traceId && span.parentSpanId === spanId);
  await expect.poll(() => call()?.name).toBe('GET /api/tenant/get');
  const statements = () => spans.filter(({ parentSpanId }) => parentSpanId === call()?.spanId);
  await expect.poll(() => statements().length).toBeGreaterThan(0);
});
