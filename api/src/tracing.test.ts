import { randomBytes } from 'node:crypto';
import { authRoutes } from '@apotheca/contract/auth';
import { databaseRoutes } from '@apotheca/contract/databases';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { tenantInput } from './testing/builders.ts';
import { callServer, signInToServer } from './testing/server-process.ts';
import { withServers } from './testing/servers.ts';
import { type CollectedSpan, startCollector } from './testing/trace-collector.ts';
import { openTracer } from './tracing/open-telemetry.ts';

/** What a process prints that has loaded OpenTelemetry's library (prom-client loads its types). */
const LOADED = 'loaded OpenTelemetry';
const HOOK = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { if (url.includes('/@opentelemetry/sdk-trace/')) console.log('${LOADED}'); return next(url, context); } });`;
const TELLING_LOADS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;

const SERVER = 2;
const CLIENT = 3;

const addressOf = ({ base, path }: ContractRoute) => BASE_PATHS[base] + path;
const newTrace = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') });
const childrenOf = (spans: CollectedSpan[], parent: CollectedSpan) =>
  spans.filter(({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId);

it("a call is one trace from its caller to its statements, and its operation's trace is linked to it [DECISIONS §13]", async () => {
  const collector = await startCollector();
  try {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, NODE_OPTIONS: TELLING_LOADS };
    await withServers(1, settings, async ([server]) => {
      if (!server) throw new Error('There is no server.');
      const config = await (await fetch(`${server.url}/config.json`)).json();
      expect(config).toMatchObject({ traces: true });
      expect(server.output()).toContain(LOADED);
      const token = await signInToServer(server.url);
      const caller = newTrace();
      const listed = await fetch(`${server.url + addressOf(tenantRoutes.list)}?search=Ada`, {
        headers: {
          authorization: `Bearer ${token}`,
          traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
          'x-request-id': 'from-the-caller',
        },
      });
      expect(listed.status).toBe(200);
      await fetch(server.url + addressOf(tenantRoutes.list), { headers: { traceparent: '00-not-well-formed-01' } });
      await fetch(`${server.url}/readyz`);
      await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('TRACED') });
      const query = { copyFrom: 'TRACED', databaseName: 'TRACED COPY' };
      expect((await callServer(server.url, databaseRoutes.copy, { token, query })).status).toBe(200);
      // It sends what is left, and ends.
      expect(await server.terminate()).toBe(0);

      const spans = collector.spans();
      const calls = spans.filter(({ kind }) => kind === SERVER);
      const [call, ...others] = calls.filter(({ traceId }) => traceId === caller.traceId);
      expect(others).toEqual([]);
      expect(call).toMatchObject({
        name: `GET ${addressOf(tenantRoutes.list)}`,
        parentSpanId: caller.spanId,
        attributes: {
          'http.request.method': 'GET',
          'http.route': addressOf(tenantRoutes.list),
          'http.response.status_code': 200,
          'apotheca.request.id': 'from-the-caller',
          'user.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
        isFailed: false,
      });
      const statements = childrenOf(spans, call as CollectedSpan);
      expect(statements.length).toBeGreaterThan(1);
      for (const { kind, attributes } of statements) {
        expect(kind).toBe(CLIENT);
        expect(attributes).toMatchObject({ 'db.system.name': 'postgresql', 'db.query.text': expect.any(String) });
      }
      expect(statements.map(({ attributes }) => attributes['db.query.text']).join()).toContain('from tenants');
      // Each call is a trace of its own where its caller names none, or badly; only calls are traced.
      const refused = calls.find(({ attributes }) => attributes['http.response.status_code'] === 401);
      expect(refused).toMatchObject({ isFailed: false });
      expect(refused?.parentSpanId).toBeFalsy();
      expect(calls.filter(({ name }) => name.includes('readyz'))).toEqual([]);
      // Nothing but calls and operations begins a trace, such as what the server does every second.
      const roots = spans.filter(({ parentSpanId }) => !parentSpanId);
      expect(roots.filter(({ name, kind }) => kind !== SERVER && !name.startsWith('operation '))).toEqual([]);

      const copied = calls.find(({ name }) => name.endsWith(addressOf(databaseRoutes.copy))) as CollectedSpan;
      const run = spans.find(({ name }) => name === 'operation clone') as CollectedSpan;
      expect(run.traceId).not.toBe(copied.traceId);
      expect(run.links.map(({ traceId }) => traceId)).toEqual([copied.traceId]);
      expect(run.events.length).toBeGreaterThan(0);
      expect(childrenOf(spans, run).length).toBeGreaterThan(0);

      const text = collector.text();
      for (const secret of [ADMINISTRATOR.password, token, 'Ada', 'TRACED', tenantInput('TRACED').customerCode])
        expect(text).not.toContain(secret);
      // Names of databases and login roles end with a part of the tenant's, in small letters.
      expect(text.toLowerCase()).not.toContain('traced');
      const namespaces = spans.map(({ attributes }) => attributes['db.namespace']);
      expect(namespaces).toContainEqual(expect.stringMatching(/^db_[0-9a-f]{32}$/));
    });
  } finally {
    await collector.close();
  }
});

it('a share of traces is sent, whatever ids callers give them, and all of a trace or nothing [DECISIONS §13]', async () => {
  const tracer = openTracer('http://127.0.0.1:9', 0.5);
  const isSent = (traceId: string) =>
    tracer.begin('call', { kind: 'server', parent: `00-${traceId}-${'1'.padStart(16, '0')}-01` }).isRecording();
  // Halves that cancel each other out, by which OpenTelemetry would send them at any share above 0.
  const low = Array.from({ length: 1_000 }, (_, index) => (index + 1).toString(16).padStart(16, '0').repeat(2));
  const sent = low.filter(isSent);
  expect(sent.length).toBeGreaterThan(350);
  expect(sent.length).toBeLessThan(650);
  expect(low.filter(isSent)).toEqual(sent);
  await tracer.stop();
});

it('a server without the setting tells browsers nothing of traces, and loads nothing for them [DECISIONS §13]', async () => {
  await withServers(1, { NODE_OPTIONS: TELLING_LOADS }, async ([server]) => {
    expect(await (await fetch(`${server?.url}/config.json`)).json()).not.toHaveProperty('traces');
    expect(await (await fetch(`${server?.url}${addressOf(authRoutes.me)}`)).json()).toMatchObject({ status: 401 });
    expect(server?.output()).not.toContain(LOADED);
  });
});
