import { z } from 'zod';

export const NOT_STORABLE = 'This text contains a character that cannot be stored';
/** PostgreSQL text holds neither NUL nor half of a surrogate pair. */
export const isStorable = (value: string) => !value.includes('\u0000') && value.isWellFormed();

/**
 * The limit of a text: of a longer one nothing more is checked, so that no check has to be quick with any text that fits in a body. With
 * zod's own, the checks after it go on; with its `abort` the rules over several fields would be left out as well.
 * @param max most characters (Unicode code points)
 */
export function atMost(max: number, tooLong: string) {
  const limit = z.maxLength(max, tooLong);
  const { check } = limit._zod;
  limit._zod.check = (payload) => {
    const before = payload.issues.length;
    check(payload);
    const issues = payload.issues.splice(before);
    payload.issues.push(...issues.map(({ continue: _, ...issue }) => issue as (typeof issues)[number]));
  };
  return limit;
}

/** A single-line or longer text that PostgreSQL can hold, trimmed. */
const storable = (error: string) => z.string({ error }).refine(isStorable, NOT_STORABLE).trim();

/**
 * A text that must be there.
 * @param max most characters. Forms show the message instead of setting `maxLength`, which would cut a pasted text silently.
 */
export const requiredText = (max: number, required: string, tooLong: string) =>
  storable(required).min(1, required).check(atMost(max, tooLong));

/** A text that may be missing, null or empty; it is stored as the empty string. */
export const optionalText = (max: number, tooLong: string) =>
  storable(tooLong)
    .check(atMost(max, tooLong))
    .nullish()
    .transform((value) => value ?? '');

// Cc: control characters, Zl and Zp: line and paragraph separators. Default ignorable: what is not drawn, such as the
// zero-width space, the soft hyphen, and the marks that reverse the reading direction.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
// Within an emoji the joiner and the variation selector are part of the picture.
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*)*/gu;

/** True when every character of a shown name can be seen for what it is (DECISIONS §6). */
const isPrintable = (value: string) => !UNPRINTABLE.test(value.replace(EMOJI, ''));

/** A text of one line: storable, with single plain spaces. */
const anyLine = (error: string) =>
  z
    .string({ error })
    .refine(isStorable, NOT_STORABLE)
    .overwrite((value) => value.replace(/\p{Zs}+/gu, ' '))
    .trim();

/** One that must be there. */
const line = (required: string) => anyLine(required).min(1, required);

/** Of what cannot be stored that is said alone. */
const printable = (name: z.ZodString, max: number, label: string) =>
  name
    .check(atMost(max, `${label} should not be more than ${max} characters`))
    .refine((value) => isPrintable(value) || !isStorable(value), `${label} should have only printable characters`);

/** A name that must be there: printable, with single plain spaces. */
export const printableName = (max: number, label: string, required: string) => printable(line(required), max, label);

/** How many UTF-16 units at most composing (NFC) makes one character of. */
const COMPOSED_OF = 8;

/**
 * The name of something that people tell apart by it and type to confirm: as {@link printableName}, in upper case, and with whole letters (NFC),
 * as keyboards differ. Its length is that afterwards: upper-casing can make a text longer.
 */
export const requiredName = (max: number, label: string, required: string) =>
  printable(
    line(required)
      .toUpperCase()
      // Composing takes long for a long run of accents; such a text is too long in any form.
      .overwrite((name) => (name.length > max * COMPOSED_OF ? name : name.normalize('NFC'))),
    max,
    label,
  );

/** Whether a typed name is that of something, however its accents were typed: keyboards differ, and older versions stored names as they came. */
export const isTypedName = (typed: string, name: string): boolean => typed.normalize('NFC') === name.normalize('NFC');

/** A name that may be missing: printable, with single plain spaces, stored as the empty string where it is missing. */
export const optionalName = (max: number, label: string, tooLong: string) =>
  anyLine(tooLong)
    .check(atMost(max, tooLong))
    .nullish()
    .transform((value) => value ?? '')
    .refine(isPrintable, `${label} should have only printable characters`);

/** An identifier given out by the server, in lower case: one record has one id, also where it is compared as text. */
export const id = (required = 'Id is required') => z.uuid({ error: required }).toLowerCase();

/** A moment in UTC as ISO 8601, '2026-01-31T08:15:00.000Z'. Fields of such moments end with `Utc`. */
export const utcMoment = z.string();

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
/**
 * Whether a day or a moment, as ISO 8601, is in a year that four digits name: PostgreSQL has no year 0, and a longer one has another form.
 * Of what is neither a day nor a moment something else is said.
 */
export const hasKnownYear = (moment: string): boolean => !(Date.parse(moment) < FIRST || Date.parse(moment) > LAST);

/** More than any moment has, with nanoseconds and the offset of its time zone. */
const MOMENT_MAX = 40;

/** A moment as callers send one: ISO 8601, in UTC or with an offset. */
export const sentMoment = (invalid: string, options: { offset?: true } = { offset: true }) =>
  z
    .string({ error: invalid })
    .check(
      atMost(MOMENT_MAX, invalid),
      z.iso.datetime({ ...options, error: invalid }),
      z.refine(hasKnownYear, invalid),
    );

/** A calendar day, YYYY-MM-DD; a longer ISO 8601 moment is cut to its day. */
export const calendarDay = (invalid: string) =>
  z
    .string({ error: invalid })
    .check(atMost(MOMENT_MAX, invalid))
    .overwrite((value) => (value[10] === 'T' ? value.slice(0, 10) : value))
    .check(z.refine((value) => z.iso.date().safeParse(value).success && hasKnownYear(value), invalid));
