-- Not only the rows of CSV files (decision 057) are planned, kept and written one after the other, but also many selected records (decision 060).

alter table imports rename to batches;
alter table batches rename constraint imports__id to batches__id;
alter table batches rename constraint imports__created_by to batches__created_by;
alter table batches rename constraint imports__operation_id to batches__operation_id;
alter table batches drop constraint imports__subject;
alter index imports__created_by__idx rename to batches__created_by__idx;
alter index imports__operation_id__idx rename to batches__operation_id__idx;
-- The kind of operation that writes its rows.
alter table batches rename column subject to kind;
update batches set kind = 'import-' || kind;
-- What is asked of all its rows; null: each says it itself.
alter table batches add column asked jsonb;

alter table import_rows rename to batch_rows;
alter table batch_rows rename column import_id to batch_id;
alter table batch_rows rename constraint import_rows__import_id__line to batch_rows__batch_id__line;
alter table batch_rows rename constraint import_rows__import_id to batch_rows__batch_id;
alter table batch_rows rename constraint import_rows__outcome to batch_rows__outcome;
alter table batch_rows rename constraint import_rows__state to batch_rows__state;
-- The operation that does what the row asks for, where that takes long. It is noted before it is started, so the run that follows a kill finds it.
alter table batch_rows add column operation_id uuid;

update operations set input = jsonb_build_object('batchId', input -> 'importId') where kind like 'import-%';
