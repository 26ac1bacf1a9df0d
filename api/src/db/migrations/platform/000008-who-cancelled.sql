-- Who asked for an operation to be given up: { id, name, address }. Null: nobody, or asked before this was noted.
alter table operations add column cancelled_by jsonb;
