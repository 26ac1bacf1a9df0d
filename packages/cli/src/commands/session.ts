import type { Command } from 'commander';
import { connect, outputOf, signIn, signOut } from '../connection.ts';
import { printDone, printRecord } from '../output.ts';

export function addSessionCommands(program: Command): void {
  program
    .command('sign-in')
    .description('sign in; the password is asked for, or read from stdin')
    .option('-u, --username <name>', 'user name or email address')
    .action(async ({ username }: { username?: string }, command: Command) => {
      const signedIn = await signIn(command, username);
      printDone(outputOf(command), signedIn, `Signed in to ${signedIn.url} as ${signedIn.username}.`);
    });
  program
    .command('sign-out')
    .description('end and forget the kept session, even if an API key is set')
    .action(async (_options: object, command: Command) => {
      await signOut(command);
      printDone(outputOf(command), null, 'Signed out.');
    });
  program
    .command('whoami')
    .description('who calls')
    .action(async (_options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      printRecord(output, (await apotheca.call('auth.me')).result);
    });
}
