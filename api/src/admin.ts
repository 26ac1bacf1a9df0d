import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PASSWORD_MAX, passwordProblem } from '@apotheca/contract/auth';
import { ADMINISTRATOR } from '@apotheca/contract/permission-catalogue';
import { DEFAULT_DEA_NUMBER, names as namesOfUser, USER_LIMITS } from '@apotheca/contract/user-form';
import { COMMAND_LINE_ACTOR } from './actor.ts';
import { readConfig, StartError } from './config.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { openExistingInstallation } from './existing-installation.ts';
import { endSignInDelay } from './features/auth/auth.service.ts';
import { isPasswordOff } from './features/auth/oidc/local-sign-in.ts';
import { listAllSessions } from './features/auth/sessions.service.ts';
import { findUserByLogin } from './features/auth/sign-in-users.repository.ts';
import { resetFactors } from './features/users/user-factors.service.ts';
import { createUser, setUserActive, setUserPassword } from './features/users/users.service.ts';
import { printable } from './wording.ts';

const USAGE = `npm run admin -- COMMAND

  reset-password NAME [--activate]   sets a new password and ends the user's sessions; --activate: of a deactivated user too
  reset-factors NAME                 removes a user's second factors, passkeys and recovery codes, and ends the user's sessions
  create-admin NAME                  makes another user with the role Administrator
  unlock NAME|ADDRESS                ends the delay after failed sign-ins
  list-sessions [NAME]               shows the open sessions of everybody, or of a user

NAME is a user name or an email address; create-admin takes a user name. New passwords are generated and printed once. With
--password-stdin the first line of standard input is the new password instead.
`;

/** What the command line is wrong about. */
class UsageError extends Error {}

interface Call {
  context: Context;
  name: string | undefined;
  activate: boolean;
  password: (context: Context) => Promise<NewPassword>;
}

interface NewPassword {
  password: string;
  /** What is printed of it: the generated one, or nothing. */
  shown: string;
}

const COMMANDS: Record<string, (call: Call) => Promise<void>> = {
  'reset-password': resetPassword,
  'reset-factors': resetSecondFactors,
  'create-admin': createAdmin,
  unlock,
  'list-sessions': listSessions,
};

/** `npm run admin`: the ways back in that need no sign-in, for who has the machine. */
async function main(): Promise<void> {
  const { command, name, activate, fromStdin } = readArguments();
  const installation = await openExistingInstallation(readConfig(process.env));
  try {
    const password = fromStdin ? readPassword : generatePassword;
    await command({ context: installation.context, name, activate, password });
  } catch (error) {
    tell(error as Error);
  } finally {
    await installation.close().catch(tell);
  }
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { activate: { type: 'boolean' }, 'password-stdin': { type: 'boolean' } },
    });
    const [word = '', name, ...rest] = positionals;
    const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
    if (!command || rest.length > 0) throw new UsageError();
    if (name === undefined && command !== listSessions) throw new UsageError();
    return { command, name, activate: values.activate === true, fromStdin: values['password-stdin'] === true };
  } catch {
    throw new UsageError(USAGE);
  }
}

async function resetPassword({ context, name, activate, password }: Call): Promise<void> {
  const user = await userOf(context, name);
  if (!user.isActive && !activate)
    throw new UsageError(`'${name}' is deactivated. Add --activate to activate them too.`);
  const chosen = await password(context);
  const ended = await setUserPassword(context, COMMAND_LINE_ACTOR, user.id, chosen.password);
  // Before what may still fail: a generated one stands nowhere else.
  say(`'${name}' has a new password${chosen.shown}. Sessions ended: ${ended}.${wordsIfOff(context, user)}`);
  if (!user.isActive) await setUserActive(context, COMMAND_LINE_ACTOR, user.id, true);
  await endSignInDelay(context, COMMAND_LINE_ACTOR, user.userName || user.email);
}

async function resetSecondFactors({ context, name }: Call): Promise<void> {
  const user = await userOf(context, name);
  const { sessionsEnded } = await resetFactors(context, COMMAND_LINE_ACTOR, user.id);
  say(`'${name}' has no second factor. Sessions ended: ${sessionsEnded}.`);
}

async function createAdmin({ context, name = '', password }: Call): Promise<void> {
  const { data: userName = '' } = namesOfUser.userName.safeParse(name);
  if (userName === '') throw new UsageError(`A user name has 1 to ${USER_LIMITS.userName} printable characters.`);
  const chosen = await password(context);
  const role = context.platform.selectFrom('roles').select('id').where('name', '=', ADMINISTRATOR);
  const names = { userName, email: '', fName: 'Apotheca', lName: 'Administrator', mi: '' };
  const empty = { title: '', phone: '', notes: '', clinicalRoleId: null };
  await createUser(context, COMMAND_LINE_ACTOR, {
    ...names,
    ...empty,
    deaNumber: DEFAULT_DEA_NUMBER,
    isActive: true,
    roleId: (await role.executeTakeFirstOrThrow()).id,
    password: chosen.password,
  });
  say(`'${userName}' is an Administrator${chosen.shown}.${wordsIfOff(context, { userName })}`);
}

/** What is said with a new password that signs nobody in. */
const wordsIfOff = (context: Context, user: { userName: string }): string =>
  isPasswordOff(context, user)
    ? ` Passwords are off: APOTHECA_LOCAL_SIGN_IN leaves one only to '${context.onlyLocalAccount}'.`
    : '';

async function unlock({ context, name = '' }: Call): Promise<void> {
  const wereCounted = await endSignInDelay(context, COMMAND_LINE_ACTOR, name);
  say(wereCounted ? `'${name}' may sign in at once.` : `No failed sign-ins of '${name}' are counted.`);
}

async function listSessions({ context, name }: Call): Promise<void> {
  const user = name === undefined ? undefined : await userOf(context, name);
  const sessions = await listAllSessions(context, user?.id);
  if (sessions.length === 0) return say('There are no open sessions.');
  const rows = sessions.map((session) => [
    session.userName,
    session.kind,
    session.address,
    session.device,
    `${session.createdOnUtc} to ${session.expiresOnUtc}`,
    `last used ${session.lastUsedOnUtc}`,
  ]);
  say(columns(rows));
}

/** Rows as lines, with cells below each other. What a device calls itself may hold what moves a terminal's cursor. */
function columns(cells: string[][]): string {
  const rows = cells.map((row) => row.map(printable));
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function userOf(context: Context, name = '') {
  const user = await findUserByLogin(context.platform, name);
  if (!user) throw new UsageError(`There is no user '${name}'.`);
  return user;
}

/** How many characters a generated password has at least: 120 random bits. */
const GENERATED_LENGTH = 20;

async function generatePassword({ passwordMin }: Context): Promise<NewPassword> {
  const password = randomBytes(PASSWORD_MAX).toString('base64url').slice(0, Math.max(passwordMin, GENERATED_LENGTH));
  return { password, shown: `, with the password ${password}` };
}

async function readPassword({ passwordMin }: Context): Promise<NewPassword> {
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/);
  const problem = passwordProblem(password, passwordMin);
  if (problem) throw new UsageError(`Password: ${problem}`);
  return { password, shown: '' };
}

function messageOf(error: Error): string | undefined {
  if (error instanceof UsageError || error instanceof AppError) return error.message;
  return error instanceof StartError ? `The installation cannot be opened: ${error.message}` : error.stack;
}

/** Prints what a command has done at once: what comes after it, as the stop of PostgreSQL, may fail. */
function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function tell(error: Error): void {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

main().catch(tell);
