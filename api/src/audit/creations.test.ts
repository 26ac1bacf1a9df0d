import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { roleIdOf } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput, userInput } from '../testing/builders.ts';
import { faqInput, questionInput, sectionInput } from '../testing/faqs.ts';
import { auditOf, menuInput, permissionInput } from '../testing/permissions.ts';

const test = useTestApp();

/** What is never in the trail, or stands in the entry's action and person. */
const ELSEWHERE = ['id', 'createdBy', 'isMenu', 'password', 'confirmPassword'];
/** Fields that stand under another name: what was made of them. */
const INSTEAD: Record<string, string> = { copyOf: 'copiedFrom', roleIds: 'roles' };

type Creation = { route: { body: z.ZodType } & Parameters<typeof test.call>[0]; body: () => object };

let viewer: string;
let faqId: string;
let sectionId: string;
beforeAll(async () => {
  viewer = await roleIdOf(test, 'Viewer');
  faqId = (await test.call(faqRoutes.create, { body: faqInput() })).result.id;
  sectionId = (await test.call(faqSectionRoutes.create, { body: sectionInput(faqId) })).result.id;
});

it.each<[string, Creation]>([
  ['a tenant', { route: tenantRoutes.create, body: () => tenantInput('CREATED') }],
  ['a user', { route: userRoutes.create, body: () => userInput('created', viewer) }],
  [
    'a service account',
    { route: serviceAccountRoutes.create, body: () => ({ userName: 'robot', roleId: viewer, notes: '' }) },
  ],
  ['a role', { route: roleRoutes.create, body: () => ({ roleName: 'Created', copyOf: viewer }) }],
  ['a permission', { route: permissionRoutes.create, body: () => permissionInput('Created', { roleIds: [viewer] }) }],
  ['a menu', { route: permissionRoutes.create, body: () => menuInput('Created menu', { roleIds: [viewer] }) }],
  ['a FAQ', { route: faqRoutes.create, body: () => faqInput() }],
  ['a section', { route: faqSectionRoutes.create, body: () => sectionInput(faqId) }],
  ['a question', { route: faqQuestionRoutes.create, body: () => questionInput({ faqId, sectionId }) }],
  [
    'an API key',
    { route: apiKeyRoutes.create, body: () => ({ name: 'nightly', scopes: ['tenants.read'], addresses: [] }) },
  ],
])(
  'the creation of %s is recorded with every field [DECISIONS §12] [DECISIONS §13]',
  async (_what, { route, body }) => {
    const sent = body();
    const { status, message, result } = await test.call(route, { body: sent });
    expect([status, message]).toEqual([200, expect.any(String)]);
    const [entry] = await auditOf(test, result.id);
    const fields = Object.keys(route.body.parse(sent) as object).filter((field) => !ELSEWHERE.includes(field));
    expect(fields.length).toBeGreaterThan(1);
    const recorded = Object.keys(entry?.changes ?? {});
    expect(fields.filter((field) => !recorded.includes(INSTEAD[field] ?? field))).toEqual([]);
    expect(JSON.stringify(entry)).not.toMatch(/correct horse|argon2|apk_\w+_/);
  },
);
