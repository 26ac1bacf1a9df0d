import type { ColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date, Date>;
export type DefaultedTimestamp = ColumnType<Date, Date | undefined, Date>;
