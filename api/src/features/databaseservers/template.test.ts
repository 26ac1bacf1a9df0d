import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { type Answer, useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { addServer, useSecondServer } from '../../testing/second-server.ts';

const test = useTestApp();
const second = useSecondServer();

it('a server that falls silent while its template is made is away for that time only [§2.30]', async () => {
  const databaseServerId = await addServer(test, second);
  const create = (code: string) => test.call(tenantRoutes.create, { body: { ...tenantInput(code), databaseServerId } });
  const lost = second.link.swallowAfter('create database "apotheca_template_');
  const answers: Answer[] = [];
  // Both wait for the same template.
  for (const code of ['FIRST', 'BESIDE']) void create(code).then((answer) => answers.push(answer));
  await lost;
  await expect.poll(() => answers).toHaveLength(2);
  const message =
    'The database server Second does not answer. Only its own databases are away; please try again later.';
  for (const answer of answers) expect(answer).toMatchObject({ status: 503, message });
  second.link.heal();
  expect(await create('NEXT')).toMatchObject({ status: 200 });
});
