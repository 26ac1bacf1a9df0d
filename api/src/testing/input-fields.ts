import type { z } from 'zod';

/** A text, a list or a record within a schema of input. */
export interface InputField {
  path: string;
  schema: z.core.$ZodTypes;
  /** An input that has a value there, and nothing else but what chooses between forms of a call. */
  inputWith(value: unknown): unknown;
}

type Build = (value: unknown) => unknown;

/** All texts, lists and records of an input, however deep. */
export function inputFields(schema: z.core.$ZodType, path = '', build: Build = (value) => value): InputField[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  const field = { path, schema: known, inputWith: build };
  switch (def.type) {
    case 'string':
      return [field];
    case 'array':
      return [field, ...inputFields(def.element, `${path}[]`, (value) => build([value]))];
    case 'record':
      return [
        field,
        ...inputFields(def.keyType, `${path}{key}`, (value) => build({ [String(value)]: null })),
        ...inputFields(def.valueType, `${path}{}`, (value) => build({ key: value })),
      ];
    case 'object': {
      const chosen = Object.fromEntries(
        Object.entries(def.shape).flatMap(([name, { _zod }]) =>
          _zod.values?.size === 1 ? [[name, [..._zod.values][0]]] : [],
        ),
      );
      return Object.entries(def.shape).flatMap(([name, inner]) =>
        inputFields(inner, `${path}.${name}`, (value) => build({ ...chosen, [name]: value })),
      );
    }
    case 'union':
      return def.options.flatMap((option) => inputFields(option, path, build));
    case 'pipe':
      // A yes or no in a query: what is not one of a few words is refused.
      if (isBoolean(def.out)) return [];
      // What a text is piped into judges it after its own limit.
      return (isText(def.in) ? [def.in] : [def.in, def.out]).flatMap((inner) => inputFields(inner, path, build));
    default:
      return 'innerType' in def ? inputFields(def.innerType, path, build) : [];
  }
}

const isText = ({ _zod }: z.core.$ZodType): boolean => _zod.def.type === 'string';
const isBoolean = ({ _zod }: z.core.$ZodType): boolean => _zod.def.type === 'boolean';
