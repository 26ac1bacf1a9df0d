import type { Command } from 'commander';
import { connect } from '../connection.ts';
import { printDone, printRecord, printRows } from '../output.ts';
import { confirmName } from '../prompts.ts';

export function addDatabaseCommands(program: Command): void {
  const databases = program.command('databases').description("tenants' databases, and clones of them");
  addList(databases);
  addShow(databases);
  addClone(databases);
  addRename(databases);
  addDelete(databases);
}

function addList(databases: Command): void {
  databases
    .command('list')
    .description('all databases')
    .action(async (_options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { result } = await apotheca.call('databases.list');
      printRows(output, result, {
        NAME: ({ databaseName }) => databaseName,
        TENANT: ({ tenantCode }) => tenantCode,
        'COPY OF': ({ copiedFrom }) => copiedFrom,
        MB: ({ sizeBytes }) => (sizeBytes === null ? null : (sizeBytes / 1e6).toFixed(1)),
        'NEWEST BACKUP': ({ newestBackupOnUtc }) => newestBackupOnUtc,
        BUSY: ({ operation }) => operation?.kind,
      });
    });
}

function addShow(databases: Command): void {
  databases
    .command('show')
    .description('size, tables, connections and schema version of a database')
    .argument('<name>', "the database's name")
    .action(async (databaseName: string, _options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      printRecord(output, (await apotheca.call('databases.details', { query: { databaseName } })).result);
    });
}

function addClone(databases: Command): void {
  databases
    .command('clone')
    .description('copy a database with every row')
    .argument('<name>', "the database's name")
    .argument('<new name>', "the clone's name")
    .option('--anonymized', 'anonymize the copy before anybody can connect to it')
    .action(async (copyFrom: string, databaseName: string, { anonymized }: { anonymized?: true }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const query = { copyFrom, databaseName };
      const { result, message } = await run((settings) =>
        anonymized
          ? apotheca.call('anonymizedClones.cloneAnonymized', { query }, settings)
          : apotheca.call('databases.copy', { query }, settings),
      );
      printDone(output, result, message);
    });
}

function addRename(databases: Command): void {
  databases
    .command('rename')
    .description('give a database another name')
    .argument('<name>', "the database's name")
    .argument('<new name>', 'its new name')
    .action(async (databaseName: string, newName: string, _options: object, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const query = { databaseName, newName };
      const { result, message } = await run((settings) => apotheca.call('databases.rename', { query }, settings));
      printDone(output, result, message);
    });
}

function addDelete(databases: Command): void {
  databases
    .command('delete')
    .description("delete a clone; a tenant's database goes with the tenant")
    .argument('<name>', "the database's name")
    .option('--yes <name>', 'the name once more, in place of the question')
    .action(async (name: string, { yes }: { yes?: string }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const { result: plan, message: warning } = await apotheca.call('databases.planDeletion', {
        query: { databaseName: name },
      });
      await confirmName(plan.databaseName, warning, yes);
      const query = { databaseName: name, plan: plan.digest };
      const { result, message } = await run((settings) => apotheca.call('databases.delete', { query }, settings));
      printDone(output, result, message);
    });
}
