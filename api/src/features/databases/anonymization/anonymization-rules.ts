import { AppError } from '../../../errors.ts';

/** A column of a tenant's tables. */
export interface SchemaColumn {
  table: string;
  column: string;
  type: string;
  comment: string | null;
}

/** How the values of a column are treated. */
type Treatment = 'value' | 'free text' | 'json' | 'date';

/** A column whose values anonymizing replaces. */
export interface IdentifyingColumn {
  table: string;
  column: string;
  type: string;
  /** The kind in the column's comment, such as 'name (first)'. */
  kind: string;
  treatment: Treatment;
  /** Equal values with the same rule get equal new values, in all tables. */
  rule: string;
}

const TEXT = ['text', 'character varying'];
const DATE = ['date', 'timestamp without time zone', 'timestamp with time zone'];
const PREFIX = 'identifier: ';

interface KindRule {
  treatment: Treatment;
  rule: string;
  types: readonly string[];
}

const value = (rule: string, types: readonly string[] = TEXT): KindRule => ({ treatment: 'value', rule, types });

const KINDS: ReadonlyMap<string, KindRule> = new Map([
  ...['name (first)', 'name (middle)', 'name (last)', 'name (full)', 'name (user)'].map(
    (kind) => [kind, value('name')] as const,
  ),
  ...['address (street)', 'address (city)', 'address (postal code)'].map((kind) => [kind, value(kind)] as const),
  // One rule, because people give the same number for both.
  ...['phone', 'fax'].map((kind) => [kind, value('phone')] as const),
  ...['email', 'ssn', 'medical record number', 'health plan number'].map((kind) => [kind, value(kind)] as const),
  ...['account number', 'licence number', 'url', 'unique number'].map((kind) => [kind, value(kind)] as const),
  ['ip address', value('ip address', [...TEXT, 'inet'])],
  ['date', { treatment: 'date', rule: 'date', types: DATE }],
  ['free text', { treatment: 'free text', rule: 'free text', types: TEXT }],
  ['json', { treatment: 'json', rule: 'json', types: ['json', 'jsonb'] }],
]);

/**
 * The columns that anonymizing changes, with the treatment that each column's comment asks for. A date that a constraint compares with an
 * identifying date is treated like it.
 * @param constraints the columns that each constraint compares
 * @throws AppError conflict naming the columns without a rule
 */
export function identifyingColumns(
  columns: readonly SchemaColumn[],
  constraints: readonly { table: string; columns: string[] }[],
): IdentifyingColumn[] {
  refuseColumnsWithoutRule(columns.filter((column) => !hasRule(column)));
  const linked = linkedDates(columns, constraints);
  return columns.flatMap((column) => {
    const kind = linked.has(nameOf(column)) ? 'date' : kindOf(column);
    const rule = KINDS.get(kind ?? '');
    const { table, column: name, type } = column;
    return kind && rule ? [{ table, column: name, type, kind, treatment: rule.treatment, rule: rule.rule }] : [];
  });
}

function refuseColumnsWithoutRule(columns: readonly SchemaColumn[]): void {
  if (columns.length === 0) return;
  const names = columns.map(nameOf).join(', ');
  throw new AppError('conflict', {
    message: `Nothing was changed: there is no rule for anonymizing ${names}. Each column needs a comment that says what it holds.`,
  });
}

const nameOf = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;

const kindOf = ({ comment }: SchemaColumn) => (comment?.startsWith(PREFIX) ? comment.slice(PREFIX.length) : undefined);

/** Whether a column's comment says that it identifies nobody, or names a kind that fits its type. */
function hasRule(column: SchemaColumn): boolean {
  if (column.comment === null) return false;
  if (!column.comment.startsWith('identifier')) return true;
  return KINDS.get(kindOf(column) ?? '')?.types.includes(column.type) ?? false;
}

function linkedDates(
  columns: readonly SchemaColumn[],
  constraints: readonly { table: string; columns: string[] }[],
): ReadonlySet<string> {
  const dates = new Set(columns.filter(({ type }) => DATE.includes(type)).map(nameOf));
  const linked = new Set(columns.filter((column) => kindOf(column) === 'date').map(nameOf));
  let size: number;
  do {
    size = linked.size;
    for (const { table, columns: names } of constraints) {
      const members = names.map((column) => nameOf({ table, column })).filter((name) => dates.has(name));
      if (members.some((name) => linked.has(name))) for (const name of members) linked.add(name);
    }
  } while (linked.size > size);
  return linked;
}
