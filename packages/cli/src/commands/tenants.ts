import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Apotheca, Input, Schemas } from '@apotheca/client';
import type { Command } from 'commander';
import { connect } from '../connection.ts';
import { printDone, printRecord, printRows } from '../output.ts';
import { confirmName, isSameName } from '../prompts.ts';
import { refuseFile, UsageError } from '../usage-error.ts';

type Tenant = Schemas['Tenant'];
type Fields = Input<'tenants.create'>['body'];

export function addTenantCommands(program: Command): void {
  const tenants = program.command('tenants').description('tenants and their subscriptions');
  addList(tenants);
  addShow(tenants);
  addCreate(tenants);
  addSwitches(tenants);
  addDelete(tenants);
}

function addList(tenants: Command): void {
  tenants
    .command('list')
    .description('all tenants')
    .action(async (_options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      const { result } = await apotheca.call('tenants.list');
      printRows(output, result, {
        CODE: ({ code }) => code,
        CUSTOMER: ({ customerCode }) => customerCode,
        DATABASE: ({ databaseName }) => databaseName,
        ACTIVE: ({ isActive }) => (isActive ? 'yes' : 'no'),
        EXPIRES: ({ subscriptionEndDate }) => subscriptionEndDate,
      });
    });
}

function addShow(tenants: Command): void {
  tenants
    .command('show')
    .description('one tenant with all its fields')
    .argument('<code>', "the tenant's code")
    .action(async (code: string, _options: object, command: Command) => {
      const { apotheca, output } = await connect(command);
      printRecord(output, await findTenant(apotheca, code));
    });
}

function addCreate(tenants: Command): void {
  tenants
    .command('create')
    .description('create a tenant with a database of its own')
    .argument('<code>', "the tenant's code")
    .option('--file <file>', 'fields as JSON, as the API takes them; - is stdin')
    .option('--customer <code>', 'customer name or code')
    .option('--database <name>', 'database name; else that of the file, or the code')
    .option('--first-name <name>', 'first name of the contact')
    .option('--last-name <name>', 'last name of the contact')
    .option('--email <address>', 'email address of the contact')
    .option('--phone <number>', 'phone number of the contact')
    .option('--emr <id>', 'electronic medical record system')
    .option('--time-zone <name>', 'time zone, such as America/New_York')
    .action(async (code: string, options: NewTenant, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const body = { databaseName: code, ...(await readFields(options.file)), ...fieldsOf(code, options) } as Fields;
      const { result, message } = await run((settings) => apotheca.call('tenants.create', { body }, settings));
      printDone(output, result, message);
    });
}

function addSwitches(tenants: Command): void {
  for (const name of ['activate', 'deactivate'] as const) {
    tenants
      .command(name)
      .description(name === 'activate' ? 'activate a tenant again' : 'deactivate a tenant')
      .argument('<code>', "the tenant's code")
      .action(async (code: string, _options: object, command: Command) => {
        const { apotheca, output } = await connect(command);
        const { id } = await findTenant(apotheca, code);
        const { result, message } = await apotheca.call(`tenants.${name}`, { query: { id } });
        printDone(output, result, message);
      });
  }
}

function addDelete(tenants: Command): void {
  tenants
    .command('delete')
    .description('delete a tenant with database, role and rows')
    .argument('<code>', "the tenant's code")
    .option('--yes <code>', 'the code once more, in place of the question')
    .action(async (code: string, { yes }: { yes?: string }, command: Command) => {
      const { apotheca, output, run } = await connect(command);
      const tenant = await findTenant(apotheca, code);
      const { result: plan, message: warning } = await apotheca.call('tenants.planDeletion', {
        query: { id: tenant.id },
      });
      await confirmName(tenant.code, warning, yes);
      const query = { id: tenant.id, plan: plan.digest };
      const { result, message } = await run((settings) => apotheca.call('tenants.delete', { query }, settings));
      printDone(output, result, message);
    });
}

interface NewTenant {
  file?: string;
  customer?: string;
  database?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
  emr?: string;
  timeZone?: string;
}

/** The fields that were given by options; those that were not may stand in a file. */
function fieldsOf(code: string, options: NewTenant): Partial<Fields> {
  const { customer, database, firstName, lastName, email, phone, emr, timeZone } = options;
  const fields = {
    code,
    databaseName: database,
    customerCode: customer,
    firstName,
    lastName,
    email,
    phone,
    emrId: emr,
    timezoneId: timeZone,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function readFields(file: string | undefined): Promise<Partial<Fields>> {
  if (file === undefined) return {};
  const json = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(refuseFile(file));
  const source = file === '-' ? 'stdin' : file;
  const fields = parse(json, source);
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  throw new UsageError(`${source} has no fields: it must be a JSON object, such as {"customerCode": "ACME"}.`);
}

/** @throws UsageError */
function parse(json: string, source: string): unknown {
  try {
    // Editors on Windows begin a file with a byte order mark.
    return JSON.parse(json.replace(/^\u{FEFF}/u, ''));
  } catch {
    throw new UsageError(`${source} is no JSON.`);
  }
}

/** Codes are in upper case. @throws Error where there is none */
async function findTenant(apotheca: Apotheca, code: string): Promise<Tenant> {
  const { result } = await apotheca.call('tenants.list');
  const tenant = result.find((each) => isSameName(each.code, code.toUpperCase()));
  if (!tenant) throw new Error(`There is no tenant ${code}.`);
  return tenant;
}
