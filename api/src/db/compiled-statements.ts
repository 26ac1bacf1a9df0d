import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Platform } from './platform.ts';

/** Puts a value into the text of a statement that is {@link compiledOnce}. @param find the value among those of a use */
export type ValueFor<Values> = <Value>(find: (values: Values) => Value) => RawBuilder<Value>;

class Placeholder<Values> {
  readonly find: (values: Values) => unknown;

  constructor(find: (values: Values) => unknown) {
    this.find = find;
  }
}

/**
 * A statement that Kysely compiles with its first use only, for what every call or sign-in sends: compiling takes longer than sending.
 * @param build makes the statement, the same whatever the values are
 */
export function compiledOnce<Values, Row>(
  build: (value: ValueFor<Values>, platform: Platform) => RawBuilder<Row>,
): (platform: Platform, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (platform, values) => {
    compiled ??= build((find) => sql`${new Placeholder(find)}`, platform).compile(platform);
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.find(values) : parameter,
    );
    const { rows } = await platform.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
