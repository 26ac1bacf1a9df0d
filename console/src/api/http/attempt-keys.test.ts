import { accountRoutes } from '@apotheca/contract/account';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { configureStore } from '@reduxjs/toolkit';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionReducer } from '../../session/session-slice.ts';
import { failed, mockServer, needsProof, ok, onRoute, server } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import type { Call } from '../../transport/transport.ts';
import { api, dropAnswers } from './client.ts';
import { answerProof } from './proof.ts';

mockServer();

const probes = api.injectEndpoints({
  endpoints: (build) => ({ any: build.mutation({ query: (asked: Call) => asked }) }),
  overrideExisting: true,
}).endpoints;

const newStore = () =>
  configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    preloadedState: { session: signedIn() },
    middleware: (getDefault) => getDefault().concat(api.middleware),
  });
let store = newStore();
const make = (asked: Call) => store.dispatch(probes.any.initiate(asked));

const question = (text: string): Call => ({ route: faqQuestionRoutes.create, body: { question: text } });
const postponeOf = (id: string): Call => ({ route: tenantRoutes.postponeExpiry, query: { id } });

/** The keys of the calls that came, and how the next ones are answered; absent: as done. */
const keys: (string | null)[] = [];
const answers: (() => Response)[] = [];
const lost = () => answers.push(() => HttpResponse.error());

beforeEach(() => {
  store = newStore();
  keys.length = 0;
  answers.length = 0;
  const handler = ({ request }: { request: Request }) => {
    keys.push(request.headers.get('idempotency-key'));
    return answers.shift()?.() ?? ok({ id: '1' });
  };
  const routes = [faqQuestionRoutes.create, faqQuestionRoutes.edit, tenantRoutes.postponeExpiry];
  server.use(...routes.map((route) => onRoute(route, handler)));
});

describe('a call that makes something', () => {
  it('has the same key when it is sent again, until it is answered as done [§7]', async () => {
    lost();
    answers.push(() => failed(503, 'Away'));
    for (let sent = 0; sent < 4; sent += 1) await make(question('Where?'));
    const [first, second, third, next] = keys;
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([second, third]).toEqual([first, first]);
    // Another one with the same words is meant.
    expect(next).not.toBe(first);
  });

  it('has another key once something else is asked, and one for each record [§7]', async () => {
    for (const asked of [question('Where?'), question('When?'), postponeOf('1'), postponeOf('2'), postponeOf('1')]) {
      lost();
      await make(asked);
    }
    const [where, when, one, two, oneAgain] = keys;
    expect(new Set([where, when, one, two]).size).toBe(4);
    expect(oneAgain).toBe(one);
  });

  it('has another key once something was changed, as that may have taken away what was made [§7]', async () => {
    lost();
    await make(question('Where?'));
    await make({ route: faqQuestionRoutes.edit, body: {} });
    await make(question('Where?'));
    expect(keys[1]).toBeNull();
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('keeps its key when something else was changed while it was under way, such as who it is was proved [§7]', async () => {
    server.use(
      onRoute(accountRoutes.prove, () => {
        // The answer of the call is lost once it is sent anew.
        lost();
        return ok({ provedOnUtc: '2026-08-01T12:00:00.000Z' });
      }),
    );
    answers.push(needsProof);
    const asked = make(question('Where?'));
    await vi.waitFor(() => expect(keys).toHaveLength(1), { timeout: 60_000 });
    await make({ route: accountRoutes.prove, body: { password: 'secret' } });
    store.dispatch(answerProof(true));
    await asked;
    await make(question('Where?'));
    const [refused, lostOne, again] = keys;
    expect([lostOne, again]).toEqual([refused, refused]);
  });

  it('leaves no key to who signs in afterwards [§7]', async () => {
    lost();
    await make(question('Where?'));
    store.dispatch(dropAnswers());
    await make(question('Where?'));
    expect(keys[1]).not.toBe(keys[0]);
  });
});
