-- What a session has that adopts a database. Each name stands in pg_temp, so that all of it goes with the session.

-- The rows of one table of the source, as texts.
create temporary table staged (
  line bigint primary key,
  v    text[] not null
);

create temporary table rejected (
  line            bigint primary key,
  kind            text   not null,
  column_name     text,
  constraint_name text   not null,
  reason          text   not null
);

-- How rows come into the table.
create temporary table loading (
  -- Inserts the lines from $1 to $2.
  statement   text   not null,
  columns     text[] not null,
  -- The SQL of each column's value.
  expressions text[] not null
);

create function pg_temp.exact_numeric(value text, decimals integer) returns numeric
language plpgsql stable strict as $$
begin
  if value::numeric <> round(value::numeric, decimals) then
    raise data_exception using message = format('"%s" has more than %s decimals', left(value, 100), decimals);
  end if;
  return value::numeric;
end $$;

-- Of 03/04/2020 nobody knows which is the day, and 'today' is another day tomorrow.
create function pg_temp.refuse_unclear(value text) returns void
language plpgsql stable strict as $$
begin
  if value !~ '^\s*(\d{4,}-\d{1,2}-\d{1,2}.*|-?infinity\s*)$' then
    raise data_exception using message = format('"%s" is not written as year-month-day', left(value, 100));
  end if;
end $$;

create function pg_temp.exact_date(value text) returns date
language plpgsql stable strict as $$
begin
  perform pg_temp.refuse_unclear(value);
  if value::timestamp <> value::date::timestamp then
    raise data_exception using message = format('"%s" has a time of day', left(value, 100));
  end if;
  return value::date;
end $$;

create function pg_temp.exact_moment(value text) returns timestamptz
language plpgsql stable strict as $$
begin
  perform pg_temp.refuse_unclear(value);
  if value ~ '\.\d{6}\d*[1-9]' then
    raise data_exception using message = format('"%s" is finer than a microsecond', left(value, 100));
  end if;
  return value::timestamptz;
end $$;

create function pg_temp.exact_json(value text) returns jsonb
language plpgsql stable strict as $$
begin
  if exists (
    with recursive part (value) as (
      select exact_json.value::json
      union all
      select inner_part.value from part, lateral (
        select e.value from json_each(case when json_typeof(part.value) = 'object' then part.value else '{}' end) e
        union all
        select a.value from json_array_elements(case when json_typeof(part.value) = 'array' then part.value else '[]' end) a
      ) inner_part
    )
    select from part, lateral (
      select from json_object_keys(case when json_typeof(part.value) = 'object' then part.value else '{}' end) key
      group by key having count(*) > 1
    ) twice
  ) then
    raise data_exception using message = 'An object has a name twice';
  end if;
  return value::jsonb;
end $$;

-- Notes why the row of a line was rejected. For a value it finds out which column it is.
create function pg_temp.reject(line_number bigint, code text, message text, detail text, column_found text, broken text)
returns void language plpgsql as $$
declare
  how pg_temp.loading;
  found_in text := nullif(column_found, '');
begin
  select * into strict how from pg_temp.loading;
  if code !~ '^23' then
    for position in 1 .. coalesce(cardinality(how.columns), 0) loop
      begin
        execute format('select %s from pg_temp.staged s where s.line = $1', how.expressions[position]) using line_number;
      exception when data_exception or program_limit_exceeded then
        found_in := how.columns[position];
        exit;
      end;
    end loop;
  end if;
  insert into pg_temp.rejected (line, kind, column_name, constraint_name, reason) values (
    line_number,
    case code when '23502' then 'required' when '23503' then 'reference' when '23505' then 'duplicate'
      when '23514' then 'rule' else 'value' end,
    found_in,
    broken,
    -- The detail of other errors has the whole row.
    message || case when code in ('23503', '23505') then ': ' || detail else '' end
  );
end $$;

create function pg_temp.load_lines(first_line bigint, last_line bigint) returns void
language plpgsql as $$
declare
  insertion text := (select statement from pg_temp.loading);
  middle bigint := first_line + (last_line - first_line) / 2;
  code text;
  message text;
  detail text;
  column_found text;
  broken text;
begin
  begin
    execute insertion using first_line, last_line;
    return;
  exception when data_exception or integrity_constraint_violation or program_limit_exceeded then
    get stacked diagnostics code = returned_sqlstate, message = message_text, detail = pg_exception_detail,
      column_found = column_name, broken = constraint_name;
  end;
  if first_line = last_line then
    perform pg_temp.reject(first_line, code, message, detail, column_found, broken);
  else
    perform pg_temp.load_lines(first_line, middle);
    perform pg_temp.load_lines(middle + 1, last_line);
  end if;
end $$;

-- Goes forwards and backwards in turn, as long as that lets a row in: parents may stand before their children, or behind them.
create function pg_temp.retry_references(target regclass) returns void
language plpgsql as $$
declare
  own text[] := array(select conname::text from pg_constraint where conrelid = target and confrelid = target);
  direction integer := 1;
  let_in integer;
  retried pg_temp.rejected;
begin
  loop
    let_in := 0;
    for retried in
      select * from pg_temp.rejected where constraint_name = any(own) and kind = 'reference' order by line * direction
    loop
      delete from pg_temp.rejected where line = retried.line;
      perform pg_temp.load_lines(retried.line, retried.line);
      let_in := let_in + (select count(*) from pg_temp.staged s where s.line = retried.line
        and not exists (select from pg_temp.rejected r where r.line = s.line));
    end loop;
    exit when let_in = 0;
    direction := -direction;
  end loop;
end $$;
