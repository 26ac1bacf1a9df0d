import { anonymizationPlan } from '@apotheca/contract/anonymization';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { anonymizing } from '../../../testing/anonymizing.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { rewriteDatabase } from '../staging/left-out.repository.ts';
import { clearFiles } from './anonymization-steps.ts';

const test = useTestApp();
const { plan: readPlan, anonymize, inside, createFilled, snapshot } = anonymizing(test);

describe('the plan of anonymizing', () => {
  it('says what would change and that it cannot be undone [DECISIONS §8]', async () => {
    await createFilled('LOOKED-AT', 3);
    const plan = await readPlan('LOOKED-AT');
    expect(anonymizationPlan.parse(plan.result)).toEqual(plan.result);
    expect(plan.message).toMatch(
      /^Anonymizing LOOKED-AT replaces what identifies people in \d+ columns of \d+ tables with [\d,]+ rows\. .* and there is none\.$/,
    );
    expect(await anonymize('LOOKED-AT', plan.result.digest)).toMatchObject({ status: 200 });
  });

  it('changes nothing when it is outdated [DECISIONS §8]', async () => {
    await createFilled('MOVED-ON', 3);
    const { result } = await readPlan('MOVED-ON');
    await inside('MOVED-ON', (client) =>
      client.query("insert into trlogs (action, outcome, duration_ms) values ('scan', 'failed', 1)"),
    );
    const before = await snapshot('MOVED-ON');
    expect(await anonymize('MOVED-ON', result.digest)).toMatchObject({
      status: 409,
      title: 'Plan changed',
      result: { rows: result.rows + 1 },
    });
    expect(await snapshot('MOVED-ON')).toEqual(before);
  });
});

describe('anonymizing refuses', () => {
  it('columns without a rule, naming each, and changes nothing [DECISIONS §9]', async () => {
    await createFilled('UNRULED', 3);
    await inside('UNRULED', async (client) => {
      await client.query('alter table patients add column nickname text');
      await client.query(
        "alter table patients add column nick text; comment on column patients.nick is 'Nickname of the patient'",
      );
      await client.query("alter table users add column face text; comment on column users.face is 'identifier: face'");
      await client.query("alter table shots add column seen int; comment on column shots.seen is 'identifier: date'");
      await client.query(
        'alter table items add column "A b" text; comment on column items."A b" is \'not identifying\'',
      );
    });
    const before = await snapshot('UNRULED');
    const refusal = {
      status: 409,
      message:
        'Nothing was changed: there is no rule for anonymizing patients.nickname, patients.nick, shots.seen, users.face. ' +
        "Comment on each column with 'not identifying', or with its kind, such as 'identifier: phone'.",
    };
    expect(await anonymize('UNRULED')).toMatchObject(refusal);
    expect(await readPlan('UNRULED')).toMatchObject(refusal);
    expect(await snapshot('UNRULED')).toEqual(before);
  });

  it('to leave an identifier in another column, naming it, and changes nothing [DECISIONS §9]', async () => {
    await createFilled('LEAKING', 3);
    await inside('LEAKING', (client) =>
      client.query(
        'update locations set name = (select medical_record_number from patients order by id limit 1) where id = 1',
      ),
    );
    const before = await snapshot('LEAKING');
    expect(await anonymize('LEAKING')).toMatchObject({
      status: 409,
      message:
        'Nothing was changed: old values would be left in locations.name. ' +
        'Have whoever runs the server look at these columns: they need a rule, or other contents.',
    });
    expect(await snapshot('LEAKING')).toEqual(before);
  });

  it('tables that another session is writing to, and changes nothing [DECISIONS §9]', async () => {
    await createFilled('HELD', 3);
    const before = await snapshot('HELD');
    await inside('HELD', async (client) => {
      await client.query('begin; update patients set city = city');
      expect(await anonymize('HELD')).toMatchObject({ status: 409, title: 'Busy' });
      await client.query('rollback');
    });
    expect(await snapshot('HELD')).toEqual(before);
  });

  it('a user who may not purge [DECISIONS §5]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('FORBIDDEN') });
    const { token } = await test.signInAs('Operator');
    expect(await anonymize('FORBIDDEN', undefined, token)).toMatchObject({ status: 403 });
  });
});

it('a column of the platform with another comment, or none, keeps the rule of the platform [DECISIONS §9]', async () => {
  await createFilled('DESCRIBED', 3);
  const ssns = () => inside('DESCRIBED', async (client) => (await client.query('select ssn from patients')).rows);
  await inside('DESCRIBED', (client) =>
    client.query("comment on column patients.ssn is 'US only'; comment on column patients.phone is null"),
  );
  const before = await ssns();
  const { status, result } = await anonymize('DESCRIBED');
  expect(status).toBe(200);
  for (const [column, kind] of [
    ['ssn', 'ssn'],
    ['phone', 'phone'],
  ]) {
    expect(result.columns).toContainEqual({ table: 'patients', column, kind, rows: expect.any(Number) });
  }
  expect(await ssns()).not.toEqual(before);
});

it('anonymizing an empty database changes nothing and reports that [DECISIONS §9]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('EMPTY') });
  expect(await anonymize('EMPTY')).toMatchObject({ status: 200, result: { rows: 0, scan: { values: 0, found: 0 } } });
});

it('anonymizing succeeds when old rows stay in a file, and names the table with the reason [DECISIONS §9]', async () => {
  await createFilled('FULL', 3);
  // The error of VACUUM FULL on a full disk.
  await inside('FULL', (client) =>
    client.query(`
      create function refuse_rewriting(text) returns text immutable language plpgsql as $$
      begin
        if current_query() ilike 'vacuum%' then
          raise 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
        end if;
        return $1;
      end $$;
      create index on patients (refuse_rewriting(city));`),
  );
  const before = await snapshot('FULL');
  const { status, message, result } = await anonymize('FULL');
  expect(status).toBe(200);
  expect(message).toMatch(
    /, no old value found\. Old rows are left in the files of patients until PostgreSQL uses their room again: could not extend file "base\/1\/2": No space left on device\.$/,
  );
  expect(result.rows).toBeGreaterThan(0);
  expect(await snapshot('FULL')).not.toEqual(before);
});

it('files keep their old rows while a transaction may read them: anonymizing says so, and no copy is made [DECISIONS §9] [DECISIONS §13]', async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('READ') });
  await withClient(test.databaseUrl, async (other) => {
    await other.query('begin; select pg_current_xact_id()');
    const message = /they are still needed by .*the process \d+ of PostgreSQL/;
    const needed = expect.stringMatching(message);
    expect(await inside('READ', (client) => clearFiles(client, ['patients'], () => {}, 0))).toEqual([
      { table: 'patients', reason: needed },
      { table: 'earlier purges', reason: needed },
      { table: 'the statistics', reason: needed },
      { table: 'extended statistics', reason: needed },
    ]);
    await expect(inside('READ', (client) => rewriteDatabase(client, 0))).rejects.toThrow(message);
  });
  expect(await inside('READ', (client) => clearFiles(client, ['patients'], () => {}))).toEqual([]);
});

/** Runs a succeeded operation again, as if a crash had come right after its commit. @returns its id */
async function cutOff(databaseName: string): Promise<string> {
  const { platform, queue } = test.context;
  const id = await platform.transaction().execute(async (trx) => {
    const operation = await trx
      .updateTable('operations')
      .set({ state: 'running', result: null, message: '', finishedAt: null })
      .where('databaseName', '=', databaseName)
      .where('kind', '=', 'anonymize')
      .returning(['id', 'databaseId'])
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('operationClaims')
      .values({ databaseId: operation.databaseId, operationId: operation.id })
      .execute();
    await queue.send(trx, [{ id: operation.id, kind: 'anonymize', actorId: null }]);
    return operation.id;
  });
  queue.wake();
  return id;
}

describe('a run after a crash that came after the commit', () => {
  it('changes nothing more, and has the same report [DECISIONS §8]', async () => {
    await createFilled('CRASHED', 3);
    const { result } = await anonymize('CRASHED');
    const before = await snapshot('CRASHED');
    const id = await cutOff('CRASHED');
    await operationsEnded(test.databaseUrl);
    expect((await test.call(operationRoutes.get, { query: { id } })).result).toMatchObject({
      state: 'succeeded',
      result,
    });
    expect(await snapshot('CRASHED')).toEqual(before);
  });

  it('can no longer be cancelled, however early the call comes [DECISIONS §8]', async () => {
    await createFilled('TOO-LATE', 3);
    const { result } = await anonymize('TOO-LATE');
    const before = await snapshot('TOO-LATE');
    const find = async (query: { id: string }) => (await test.call(operationRoutes.get, { query })).result;
    await inside('TOO-LATE', async (client) => {
      // It waits where it reads the note of the earlier run.
      await client.query('begin; lock table apotheca.applied_operations in access exclusive mode');
      const query = { id: await cutOff('TOO-LATE') };
      const waiting = `select from pg_locks where relation = 'apotheca.applied_operations'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
      expect(await test.call(operationRoutes.cancel, { query })).toMatchObject({ status: 409 });
      await client.query('commit');
      await operationsEnded(test.databaseUrl);
      expect(await find(query)).toMatchObject({ state: 'succeeded', result });
    });
    expect(await snapshot('TOO-LATE')).toEqual(before);
  });
});
