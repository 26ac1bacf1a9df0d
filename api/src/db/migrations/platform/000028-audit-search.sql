-- The audit trail is searched, verified every night, and may be shortened at its beginning (decision 047). Functions of an index name
-- each other with their schema: pg_restore makes indexes with an empty search path.

-- What came of an action, told by the end of its name.
create function audit_outcome(action text) returns text
language sql immutable strict parallel safe as $$
  select case
    when action ~ '(failed|cancelled|damaged)$' then 'failed'
    when action ~ '(refused|blocked|replay)$' then 'refused'
    else 'succeeded'
  end
$$;

-- The words of a text in lower case, without punctuation. In a long text the beginning of a very long word counts: a lexeme has at most
-- 2046 bytes.
create function audit_words(given text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  words text := translate(
    lower(given collate "und-x-icu"), E' \t\n\r!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', '                                    '
  );
begin
  if length(words) > 500 and words ~ '\S{61}' then
    words := regexp_replace(words, '(\S{60})\S+', '\1', 'g');
  end if;
  return array_remove(string_to_array(words, ' '), '');
end $$;

-- What an entry is found by: its stretches of 65,536 and of 4,096 entries, what filters compare, and its words. The lexemes of
-- stretches begin with '#' and those of filters with '=', which no word does.
create function audit_terms(
  id bigint, actor_id uuid, actor_name text, action text, entity text, entity_id text, address text, changes json
) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(
    public.audit_words(concat_ws(
      ' ', actor_name, action, entity_id, address,
      -- Of the escapes of JSON, those that stand for a letter would become part of the next word.
      regexp_replace(left(changes::text, 100000), '\\[nrt]', ' ', 'g')
    ))
    || array[
      '#' || (id >> 16),
      '##' || (id >> 12),
      '=actor:' || lower(actor_name collate "und-x-icu"),
      '=actor:' || coalesce(actor_id::text, ''),
      '=action:' || action,
      '=entity:' || entity,
      '=id:' || entity_id,
      '=address:' || address,
      '=outcome:' || public.audit_outcome(action)
    ]
  );
end $$;

-- What is looked for, as audit_terms names it; null: everything. Words of three letters and more match by their beginning.
create function audit_query(
  actor text, action text, entity text, entity_id text, address text, outcome text, words text
) returns tsquery
language sql immutable parallel safe as $$
  select string_agg(
    '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || case when is_beginning then ':*' else '' end, ' & '
  )::tsquery
  from (
    select '=' || name || ':' || value as lexeme, false as is_beginning
    from (values
      ('actor', lower(actor collate "und-x-icu")), ('action', action), ('entity', entity), ('id', entity_id),
      ('address', address), ('outcome', outcome)
    ) as exact (name, value)
    where value is not null
    union all
    select left(word, 60), length(word) > 2 from unnest(public.audit_words(words)) as word
  ) as wanted
$$;

-- A short list of what is new is read with every search, and merged by the append that fills it.
create index audit_entries__terms__idx on audit_entries
  using gin (audit_terms(id, actor_id, actor_name, action, entity, entity_id, address, changes)) with (gin_pending_list_limit = 256);
create index audit_entries__at__idx on audit_entries (at);

-- The newest verification of the trail, and the one that was asked for and has not ended.
create table audit_verification (
  only_row     boolean not null default true,
  requested_at timestamptz,
  checked      bigint  not null default 0,
  started_at   timestamptz,
  ended_at     timestamptz,
  entries      bigint  not null default 0,
  -- The first thing that is wrong with the trail; empty: nothing.
  problem      text    not null default '',
  constraint audit_verification__only_row primary key (only_row),
  constraint audit_verification__only_row__true check (only_row)
);
insert into audit_verification default values;

-- Up to where entries were removed because of their age: what is left begins after this one. The signature is the server's.
create table audit_checkpoint (
  only_row  boolean not null default true,
  last_id   bigint  not null,
  last_hash bytea   not null,
  signature bytea   not null,
  constraint audit_checkpoint__only_row primary key (only_row),
  constraint audit_checkpoint__only_row__true check (only_row)
);
