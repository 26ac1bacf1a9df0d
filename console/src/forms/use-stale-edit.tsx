import { type MeanwhileChange, type StaleRecord, staleRecord } from '@apotheca/contract/version';
import { type ReactNode, useState } from 'react';
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ZodForm } from '../components/form/form.tsx';
import { isRecord } from '../lib/is-record.ts';
import { isConflict } from '../transport/api-error.ts';
import { StaleNotice } from './stale-notice.tsx';

interface StaleEditOptions<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  /** The version that the edit began with; absent for a new record. */
  version: number | undefined;
  /** The label of a field, by the name that the contract gives it. */
  labelOf: (field: string) => string;
  /** A value in words, such as the name for an id; absent: the value itself. */
  wordsOf?: (field: string, value: unknown) => string | undefined;
  /** A value of the record as the form has it; absent: the same. */
  formValueOf?: (field: string, value: unknown) => unknown;
  /**
   * A second field that belongs to a field: taking the other user's value takes it for both, and a typed value in the
   * first keeps the second too.
   */
  followers?: Followers;
  /** Called when another user's changes were merged, such as to load anew what puts them in words. */
  onStale?: () => void;
}

export interface StaleEdit {
  /** Sent with the edit. */
  version: number | undefined;
  /** Merges the other user's values if the refusal is one of a stale edit. @returns whether it is one */
  mergeTheirs: (error: unknown) => boolean;
  /**
   * The version to send in place of a refused one: since the edit began, nothing was set to anything else than the edit sets it to. So it is where
   * the edit was done and only its answer was lost.
   * @param sent the fields of the edit, by the contract's names
   */
  agreedVersion: (error: unknown, sent: unknown) => number | undefined;
  /** The values that other users have set since the edit began, by field. */
  theirs: Readonly<Record<string, unknown>>;
  /** Stands at the top of the form. */
  notice: ReactNode;
}

/**
 * Keeps an edit from overwriting another user's change unseen. Where another user has changed the record meanwhile,
 * untouched fields take the new values, typed ones stay, and the next save overwrites what the notice shows.
 */
export function useStaleEdit<Input extends FieldValues, Output>({
  form,
  version,
  labelOf,
  wordsOf,
  formValueOf = (_, value) => value,
  followers = {},
  onStale,
}: StaleEditOptions<Input, Output>): StaleEdit {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<StaleRecord>();
  // Over once the record is here as it is now: after saving, in a form that stays open.
  const stale = refused && refused.version > (version ?? 0) ? refused : undefined;
  const [theirs, setTheirs] = useState<Readonly<Record<string, unknown>>>({});
  // Read during rendering, so that the form tracks it.
  const { dirtyFields, defaultValues } = form.formState;
  const { isTyped, isFollower } = typedFields(dirtyFields, followers);
  const take = (values: Readonly<Record<string, unknown>>) => adoptValues(form, values);

  function mergeTheirs(error: unknown): boolean {
    const record = staleRecordOf(error);
    if (!record) return false;
    const changes = record.changes
      .filter(({ after }) => after !== undefined)
      .map(({ field, after }) => [field, formValueOf(field, after)] as const);
    take(Object.fromEntries(changes.filter(([field]) => !isTyped(field) && !isFollower(field))));
    onStale?.();
    setRefused(record);
    setTheirs({ ...theirs, ...Object.fromEntries(changes) });
    return true;
  }
  function agreedVersion(error: unknown, sent: unknown): number | undefined {
    const record = staleRecordOf(error);
    const [typed, fields] = [form.getValues(), isRecord(sent) ? sent : {}];
    // The edit does not set another one. The server may have, with what it does set.
    const isSetHere = ({ field }: MeanwhileChange) => Object.hasOwn(typed, field) || Object.hasOwn(fields, field);
    const isAgreed = ({ field, after }: MeanwhileChange) =>
      after !== undefined && (isSame(formValueOf(field, after), typed[field]) || isSame(after, fields[field]));
    const changes = record?.changes.filter(isSetHere) ?? [];
    return changes.length > 0 && changes.every(isAgreed) ? record?.version : undefined;
  }
  function handleTakeTheirs(field: string) {
    const follower = followers[field];
    const fields = follower === undefined || isFollower(follower, field) ? [field] : [field, follower];
    // A field that no other user has changed gets the value that the edit began with.
    take(
      Object.fromEntries(fields.map((one) => [one, Object.hasOwn(theirs, one) ? theirs[one] : defaultValues?.[one]])),
    );
  }
  const words = (field: string, value: unknown): string =>
    wordsOf?.(field, value) ?? plainWords(value) ?? t('components.stale.noValue');
  const fields = (stale?.changes ?? []).map(({ before, after, ...change }) => ({
    ...change,
    label: labelOf(change.field),
    // Without a value of before the trail keeps none: it is a secret, and only the form shows what it is now.
    values:
      before === undefined ? undefined : { before: words(change.field, before), after: words(change.field, after) },
    // A field that only belongs to another one is taken together with that.
    isTypedHere: isTyped(change.field) && (Object.hasOwn(followers, change.field) || !isFollower(change.field)),
  }));
  return {
    version: stale?.version ?? version,
    mergeTheirs,
    agreedVersion,
    theirs,
    notice: stale && <StaleNotice key={stale.version} fields={fields} onTakeTheirs={handleTakeTheirs} />,
  };
}

const staleRecordOf = (error: unknown): StaleRecord | undefined =>
  isConflict(error) ? staleRecord.safeParse(error.result).data : undefined;

/** Both are as JSON has them. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Followers = Partial<Record<string, string>>;

function typedFields(dirtyFields: object, followers: Followers) {
  const isTyped = (field: string): boolean => Object.hasOwn(dirtyFields, field);
  /** Whether it belongs to a field that was typed in. */
  const isFollower = (field: string, but?: string): boolean =>
    Object.entries(followers).some(([leader, follower]) => follower === field && leader !== but && isTyped(leader));
  return { isTyped, isFollower };
}

/** Makes values of the record the form's initial values; also for fields without an input. */
function adoptValues<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  values: Readonly<Record<string, unknown>>,
): void {
  const taken = Object.entries(values).filter(([field]) => Object.hasOwn(form.getValues(), field));
  for (const [field, value] of taken) {
    form.setValue(field as FieldPath<Input>, value as FieldPathValue<Input, FieldPath<Input>>);
    form.clearErrors(field as FieldPath<Input>);
  }
  form.resetDefaultValues({ ...form.formState.defaultValues, ...Object.fromEntries(taken) } as Input);
}

function plainWords(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
