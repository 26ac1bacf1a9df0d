/** The words of JSON Schema that the contract's schemas are translated to. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}

const ID = '0b8f6d52-5c1e-4c55-9d0b-6a4f8f6b7c21';
const MOMENT = '2026-01-31T08:15:00.000Z';
const DAY = '2026-01-31';

/** What fields are called, and what stands in them. The first value that a schema takes is its example. */
const VALUES: Record<string, readonly unknown[]> = {
  code: ['ACME'],
  tenantCode: ['ACME'],
  newTenantCode: ['ACME NORTH'],
  customerCode: ['ACME'],
  databaseName: ['ACME'],
  copyFrom: ['ACME'],
  newName: ['ACME JANUARY'],
  name: ['Nightly import'],
  fName: ['Ada'],
  lName: ['Jensen'],
  firstName: ['Ada'],
  lastName: ['Jensen'],
  userName: ['ada.jensen'],
  username: ['ada.jensen'],
  email: ['ada.jensen@example.com'],
  phone: ['555-0100'],
  password: ['four plain words here'],
  confirmPassword: ['four plain words here'],
  currentPassword: ['four plain words here'],
  timezoneId: ['America/New_York'],
  subscriptionStartDate: [DAY],
  subscriptionEndDate: [DAY],
  postponedTo: [DAY],
  until: [DAY],
  timezone: ['America/New_York'],
  role: ['Administrator'],
  host: ['db.example.com'],
  sslmode: ['verify-full'],
  connectionString: ['postgresql://acme_login@db.example.com:5432/acme'],
  port: [5432],
  sha256: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  scopes: ['tenants.read'],
  addresses: ['10.0.0.0/8'],
  tables: ['patients'],
  sqlState: ['23505'],
  message: [''],
  roleName: ['Night shift'],
  identifier: ['tenants.read'],
  question: ['How is a backup restored?'],
  answer: ['<p>Choose Restore.</p>'],
  route: ['/tenants'],
  url: ['https://hooks.example.com/apotheca'],
  percent: [40],
  title: ['MD'],
  moveUp: ['true'],
  isActive: ['true'],
  hidden: ['true'],
};

/** Whether there is a value for a field, so that it stands in examples although it may be left out. */
export const hasExample = (field: string): boolean => field in VALUES;

/** A value that a schema takes: the fields of an answer, and of an input those that must be there or are known here. */
export function exampleOf(schema: JsonSchema, named: Record<string, unknown>, field = ''): unknown {
  if (schema.$ref) return exampleOf(named[schema.$ref.split('/').at(-1) ?? ''] as JsonSchema, named, field);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const values = schema['x-extensible-enum'];
  if (Array.isArray(values)) return values[0];
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return exampleOf(alternatives[0] ?? {}, named, field);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') return exampleObject(schema, named);
  if (type === 'array') return field === 'childMenus' ? [] : [exampleOf(schema.items ?? {}, named, field)];
  const known = VALUES[field]?.find((value) => takes(schema, type, value));
  return known ?? schema.default ?? plainValue(schema, type, field);
}

function exampleObject(
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema,
  named: Record<string, unknown>,
) {
  if (typeof additionalProperties === 'object') {
    const [name] = propertyNames?.enum ?? ['field'];
    return { [String(name)]: exampleOf(additionalProperties, named) };
  }
  const given = Object.entries(properties).filter(([name]) => required.includes(name) || hasExample(name));
  return Object.fromEntries(given.map(([name, schema]) => [name, exampleOf(schema, named, name)]));
}

function takes(
  { maxLength = Number.POSITIVE_INFINITY, pattern }: JsonSchema,
  type: string | undefined,
  value: unknown,
) {
  if (typeof value === 'string') {
    return type === 'string' && value.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value));
  }
  return type === 'integer';
}

function plainValue(schema: JsonSchema, type: string | undefined, field: string): unknown {
  const { minimum, exclusiveMinimum = -1, format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum ?? Math.max(1, exclusiveMinimum + 1);
  if (type === 'null') return null;
  if (format === 'date-time' || field.endsWith('Utc') || field === 'expiresAt') return MOMENT;
  if (format === 'uuid' || /(^id|Id|By)$/.test(field)) return ID;
  if (pattern?.includes('{43}')) return 'A'.repeat(43);
  if (pattern?.includes('\\d')) return '1';
  return type === 'string' ? 'text'.repeat(Math.ceil(minLength / 4) || 1).slice(0, maxLength) : {};
}
