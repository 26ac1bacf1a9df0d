import { type Faq, type FaqTree, faqRoutes } from '@apotheca/contract/faqs';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { type User, userRoutes } from '@apotheca/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../testing/app.ts';
import { makeDemo } from './demo.ts';

/** Only finds what hangs: six tenants are made. */
const START_LIMIT = 900_000;

const test = useTestApp();
const make = (signal = new AbortController().signal) => makeDemo(test.context, signal);
const users = async (): Promise<User[]> => (await test.call(userRoutes.list)).result;
const isDemo = ({ email }: User) => email.endsWith('@apotheca.example');

describe('the demo', () => {
  beforeAll(() => make(), START_LIMIT);

  it('has users of every role, some inactive, one without a password [DECISIONS §2]', async () => {
    const made = (await users()).filter(isDemo);
    expect(made).toHaveLength(8);
    expect(new Set(made.map(({ role }) => role.roleName))).toEqual(new Set(['Administrator', 'Operator', 'Viewer']));
    expect(made.filter(({ isActive }) => !isActive)).toHaveLength(2);
    expect(made.filter(({ hasPassword }) => !hasPassword)).toHaveLength(1);
  });

  it('has no administrator who counts as the last one who can sign in [DECISIONS §5]', async () => {
    const administrators = (await users()).filter(({ role }) => role.roleName === 'Administrator');
    expect(administrators.filter(({ isActive }) => isActive).map(({ userName }) => userName)).toEqual(['admin']);
  });

  it('has FAQs that readers see, and some that are hidden [DECISIONS §2]', async () => {
    const shown: FaqTree[] = (await test.call(faqRoutes.tree)).result;
    expect(shown.map(({ sections }) => sections.map(({ questions }) => questions.length))).toEqual([
      [4, 2],
      [3, 3],
    ]);
    const all: FaqTree[] = (await test.call(faqRoutes.tree, { query: { hidden: 'true' } })).result;
    const parts = all.flatMap(({ sections }) => sections.flatMap((section) => [section, ...section.questions]));
    expect(new Set(parts.map(({ hiddenBecause }) => hiddenBecause))).toEqual(
      new Set([null, 'Not published', 'Inactive', 'Published, but its section is inactive']),
    );
  });

  it('is made once: deleted records do not come back [DECISIONS §2]', async () => {
    const [first] = (await users()).filter(isDemo);
    await test.call(userRoutes.delete, { query: { id: first?.id ?? '' } });
    await make();
    expect((await users()).filter(isDemo)).toHaveLength(7);
    expect((await test.call(tenantRoutes.list)).result).toHaveLength(6);
  });

  it('goes on where it was interrupted [DECISIONS §2]', async () => {
    const { platform } = test.context;
    await platform.deleteFrom('installationMarks').where('name', '=', 'demo').execute();
    await make(AbortSignal.abort());
    expect((await users()).filter(isDemo)).toHaveLength(7);
    await make();
    expect((await users()).filter(isDemo)).toHaveLength(8);
    expect((await test.call(tenantRoutes.list)).result).toHaveLength(6);
    const counts = (await test.call(faqRoutes.list)).result.map(({ questionCount }: Faq) => questionCount);
    expect(counts).toEqual([7, 9]);
  });
});
