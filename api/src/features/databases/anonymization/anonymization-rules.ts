import { AppError } from '../../../errors.ts';
import { PLATFORM_RULES } from './platform-rules.ts';

/** A column of a tenant's tables. */
export interface SchemaColumn {
  table: string;
  column: string;
  type: string;
  comment: string | null;
}

/** A column whose comment is a rule: 'identifier: ' with a kind, or 'not identifying'. */
export interface RuledColumn extends SchemaColumn {
  comment: string;
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
const KEPT = 'not identifying';

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
 * Gives each column its rule as its comment. One of the platform's own has the platform's rule in place of any other comment; of one that was
 * added nobody else knows what it holds.
 * @throws AppError conflict naming the columns without a rule
 */
export function withRules(columns: readonly SchemaColumn[]): RuledColumn[] {
  const ruled = columns.map((column) => ({ ...column, comment: ruleOf(column) }));
  refuseColumnsWithoutRule(ruled.filter(({ comment }) => comment === undefined));
  return ruled.flatMap(({ comment, ...column }) => (comment === undefined ? [] : [{ ...column, comment }]));
}

/**
 * The columns that anonymizing changes, with the treatment that each column's rule asks for. A date that a constraint compares with an
 * identifying date is treated like it.
 * @param constraints the columns that each constraint compares
 */
export function identifyingColumns(
  columns: readonly RuledColumn[],
  constraints: readonly { table: string; columns: string[] }[],
): IdentifyingColumn[] {
  const linked = linkedDates(columns, constraints);
  return columns.flatMap((column) => {
    const kind = linked.has(nameOf(column)) ? 'date' : kindOf(column.comment);
    const rule = KINDS.get(kind ?? '');
    const { table, column: name, type } = column;
    return kind && rule ? [{ table, column: name, type, kind, treatment: rule.treatment, rule: rule.rule }] : [];
  });
}

function refuseColumnsWithoutRule(columns: readonly Named[]): void {
  if (columns.length === 0) return;
  const names = columns.map(nameOf).join(', ');
  throw new AppError('conflict', {
    message: `Nothing was changed: there is no rule for anonymizing ${names}. Comment on each column with 'not identifying', or with its kind, such as 'identifier: phone'.`,
  });
}

type Named = Pick<SchemaColumn, 'table' | 'column'>;

const nameOf = ({ table, column }: Named) => `${table}.${column}`;

const kindOf = (rule: string) => (rule.startsWith(PREFIX) ? rule.slice(PREFIX.length) : undefined);

/** The rule that says that a column identifies nobody, or names a kind that fits its type. A misspelt one is none, whatever the platform's. */
function ruleOf(column: SchemaColumn): string | undefined {
  const { comment } = column;
  const isMeant = comment === KEPT || comment?.startsWith('identifier');
  const rule = isMeant ? comment : PLATFORM_RULES.get(nameOf(column));
  if (!rule || rule === KEPT) return rule ?? undefined;
  return KINDS.get(kindOf(rule) ?? '')?.types.includes(column.type) ? rule : undefined;
}

function linkedDates(
  columns: readonly RuledColumn[],
  constraints: readonly { table: string; columns: string[] }[],
): ReadonlySet<string> {
  const dates = new Set(columns.filter(({ type }) => DATE.includes(type)).map(nameOf));
  const linked = new Set(columns.filter(({ comment }) => kindOf(comment) === 'date').map(nameOf));
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
