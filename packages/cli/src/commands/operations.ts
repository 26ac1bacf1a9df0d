import type { Command } from 'commander';
import { connect } from '../connection.ts';
import { printDone, printRows } from '../output.ts';

export function addOperationCommands(program: Command): void {
  const operations = program.command('operations').description('what takes long: backups, clones, restores …');
  operations
    .command('list')
    .description('what runs or waits, and what has ended last')
    .action(async (_options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { result } = await apotheca.call('operations.list');
      printRows(output, result, {
        ID: ({ id }) => id,
        KIND: ({ kind }) => kind,
        DATABASE: ({ databaseName }) => databaseName,
        STATE: ({ state }) => state,
        '%': ({ percent }) => percent,
        'STARTED BY': ({ startedBy }) => startedBy,
        MESSAGE: ({ message }) => message,
      });
    });
  operations
    .command('wait')
    .description('wait for an operation to end, and say how it went')
    .argument('<id>', "the operation's id")
    .action(async (id: string, _options: object, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const { result, message } = await run((settings) => apotheca.wait(id, settings));
      printDone(output, result, message);
    });
  operations
    .command('cancel')
    .description('cancel an operation that can still be undone')
    .argument('<id>', "the operation's id")
    .action(async (id: string, _options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { result, message } = await apotheca.call('operations.cancel', { query: { id } });
      printDone(output, result, message);
    });
}
