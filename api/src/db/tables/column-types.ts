import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date, Date>;
export type OptionalTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
export type DefaultedTimestamp = ColumnType<Date, Date | undefined, Date>;
