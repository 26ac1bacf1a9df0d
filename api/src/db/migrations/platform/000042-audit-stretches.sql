-- An entry's lexemes each begin with its stretch of the trail (decision 047). So a search reads the index one stretch after the other,
-- whatever is looked for, and what is appended goes into a small part of the index. Functions of an index name each other with their
-- schema: pg_restore makes indexes with an empty search path.

drop index audit_entries__terms__idx;
drop function audit_terms(bigint, uuid, text, text, text, text, text, json);
drop function audit_query(text, text, text, text, text, text, text);
-- Times are found by halving the ids.
drop index audit_entries__at__idx;

-- The stretch of an entry, of 8,192 each, as its lexemes begin.
create function audit_stretch(id bigint) returns text
language sql immutable strict parallel safe as $$ select to_hex(id >> 13) $$;

-- What an entry is found by: what filters compare, behind '=', and its words, behind '#'.
create function audit_terms(
  id bigint, actor_id uuid, actor_name text, action text, entity text, entity_id text, address text, changes json
) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  stretch text := public.audit_stretch(id);
  words text[] := public.audit_words(concat_ws(
    ' ', actor_name, action, entity_id, address,
    -- Of the escapes of JSON, those that stand for a letter would become part of the next word.
    regexp_replace(left(changes::text, 100000), '\\[nrt]', ' ', 'g')
  ));
begin
  return array_to_tsvector(
    string_to_array(stretch || '#' || array_to_string(words, ' ' || stretch || '#'), ' ')
    || array[
      stretch || '=actor:' || lower(actor_name collate "und-x-icu"),
      stretch || '=actor:' || coalesce(actor_id::text, ''),
      stretch || '=action:' || action,
      stretch || '=entity:' || entity,
      stretch || '=id:' || entity_id,
      stretch || '=address:' || address,
      stretch || '=outcome:' || public.audit_outcome(action)
    ]
  );
end $$;

-- The lexemes of what is looked for, without their stretch and quoted but for the first quote; words of three letters and more match by
-- their beginning.
create function audit_wanted(
  actor text, action text, entity text, entity_id text, address text, outcome text, words text
) returns text[]
language sql immutable parallel safe as $$
  select array_agg(replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || case when is_beginning then ':*' else '' end)
  from (
    select '=' || name || ':' || value as lexeme, false as is_beginning
    from (values
      ('actor', lower(actor collate "und-x-icu")), ('action', action), ('entity', entity), ('id', entity_id),
      ('address', address), ('outcome', outcome)
    ) as exact (name, value)
    where value is not null
    union all
    select distinct '#' || left(word, 60), length(word) > 2 from unnest(public.audit_words(words)) as word
  ) as wanted
$$;

-- What is looked for in one stretch, made of what audit_wanted has answered.
create function audit_query(stretch text, wanted text[]) returns tsquery
language sql immutable strict parallel safe as $$
  select ('''' || stretch || array_to_string(wanted, ' & ''' || stretch))::tsquery
$$;

-- The first entry from a moment on, as far as times are in the order of ids; behind the newest one: there is none.
create function audit_first_since(moment timestamptz) returns bigint
language plpgsql stable parallel safe as $$
declare
  low bigint := (select min(id) from public.audit_entries);
  high bigint := (select max(id) + 1 from public.audit_entries);
  middle bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    if (select at < moment from public.audit_entries where id >= middle order by id limit 1) then
      low := middle + 1;
    else
      high := middle;
    end if;
  end loop;
  return low;
end $$;

-- What waits to be merged into the index is read with every stretch: the least that PostgreSQL allows.
create index audit_entries__terms__idx on audit_entries
  using gin (audit_terms(id, actor_id, actor_name, action, entity, entity_id, address, changes)) with (gin_pending_list_limit = 64);
