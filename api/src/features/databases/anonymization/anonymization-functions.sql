-- The functions and tables with which anonymizing makes new values. They are in the session's temporary schema. The run's key is the
-- transaction's setting apotheca.anonymization_key; it is never in a table or a log.

create temp table anonymization_values (rule text not null, old text not null, new text, is_strong boolean not null)
  on commit drop;
create temp table anonymization_parts (rule text not null, part text not null, replacement text, is_strong boolean not null)
  on commit drop;

-- Spaces and punctuation, for the brackets of a regular expression. They are listed because classes depend on the locale.
create function pg_temp.separators() returns text language sql immutable
return '\s!-/:-@\u005b-\u0060{-~\u00a0\u2000-\u206f\u3000';

-- A text without spaces and punctuation, in lower case.
create function pg_temp.normalized(value text) returns text language sql immutable
return lower(regexp_replace(value, '[' || pg_temp.separators() || ']+', '', 'g'));

-- The part of an old value that decides its new one. Two spellings of a phone number have the same part.
create function pg_temp.part_of(rule text, old text) returns text language sql immutable
return case
  when rule in ('email', 'url', 'ip address', 'address (street)', 'address (city)') then lower(old)
  else pg_temp.normalized(old)
end;

-- 32 bytes that nobody can predict without the key.
create function pg_temp.seed(rule text, part text, attempt integer) returns bytea language sql stable
return sha256(convert_to(
  concat_ws(E'\x1f', current_setting('apotheca.anonymization_key'), rule, attempt, part), 'UTF8'
));

-- A pronounceable word of at most 16 syllables.
create function pg_temp.pronounceable_word(seed bytea, syllables integer) returns text language sql immutable
return (
  select string_agg(
    substr('bdfgklmnprstvz', 1 + get_byte(seed, 2 * n) % 14, 1) || substr('aeiou', 1 + get_byte(seed, 2 * n + 1) % 5, 1),
    '' order by n
  )
  from generate_series(0, syllables - 1) n
);

-- A random text of a given shape: a digit for each digit, a letter for each letter.
create function pg_temp.random_like(seed bytea, shape text) returns text language sql immutable
return (
  select string_agg(
    case
      when substr(shape, n + 1, 1) between '0' and '9' then (byte % 10)::text
      else substr('abcdefghijklmnopqrstuvwxyz', 1 + byte % 26, 1)
    end,
    '' order by n
  )
  from generate_series(0, length(shape) - 1) n, lateral (select get_byte(seed, n % 32) + n / 32 as byte) b
);

-- Changes nine digits so that they belong to nobody: areas of social security numbers never begin with 9, and groups of taxpayer numbers
-- begin at 50.
create function pg_temp.unassigned_ssn(digits text) returns text language sql immutable
return case when digits ~ '^[0-9]{9}$'
  then '9' || substr(digits, 2, 2) || substr(digits, 4, 1)::integer % 5 || substr(digits, 5)
  else digits
end;

-- Changes a phone number so that its area code begins with 0 or 1, as none in North America does.
create function pg_temp.unassigned_phone(digits text) returns text language sql immutable
return case when digits ~ '^[0-9]{10,}$'
  then overlay(digits placing (right(digits, 1)::integer % 2)::text from length(digits) - 9 for 1)
  else digits
end;

-- The new part for an old one. Each attempt gives another part. Later attempts give longer ones where the shape is not fixed.
create function pg_temp.new_part(rule text, part text, attempt integer) returns text language plpgsql stable as $$
declare
  seed bytea := pg_temp.seed(rule, part, attempt);
  hex  text  := encode(seed, 'hex');
  more text  := coalesce(pg_temp.random_like(sha256(seed), repeat('0', attempt - 5)), '');
begin
  return case rule
    when 'name' then pg_temp.pronounceable_word(seed, 3 + attempt / 3)
    when 'address (city)' then initcap(pg_temp.pronounceable_word(seed, 3 + attempt / 3))
    when 'address (street)' then
      (1 + get_byte(seed, 30) * 37 + get_byte(seed, 31) % 37) || ' ' || initcap(pg_temp.pronounceable_word(seed, 4)) || ' Street'
    when 'email' then 'person-' || substr(hex, 1, 12) || '@example.invalid'
    when 'url' then 'https://example.invalid/' || substr(hex, 1, 20)
    -- RFC 3849: addresses for documentation.
    when 'ip address' then '2001:db8:' || regexp_replace(substr(hex, 1, 24), '(....)(?=.)', '\1:', 'g')
    when 'ssn' then pg_temp.unassigned_ssn(pg_temp.random_like(seed, part))
    when 'address (postal code)' then pg_temp.random_like(seed, part)
    when 'phone' then pg_temp.unassigned_phone(pg_temp.random_like(seed, part)) || more
    else pg_temp.random_like(seed, part) || more
  end;
end $$;

-- A word in upper case, in lower case or with a capital letter, like its model.
create function pg_temp.match_case(model text, word text) returns text language sql immutable
return case
  when length(model) > 1 and model = upper(model) and model <> lower(model) then upper(word)
  when model = lower(model) and model <> upper(model) then word
  else initcap(word)
end;

-- A name with each word replaced. The characters between the words stay.
create function pg_temp.new_name(old text) returns text language sql stable
return (
  select string_agg(m[1] || coalesce(pg_temp.match_case(m[2], p.replacement), ''), '' order by n)
  from regexp_matches(
    old, '([' || pg_temp.separators() || ']*)([^' || pg_temp.separators() || ']*)', 'g'
  ) with ordinality words (m, n)
  left join pg_temp.anonymization_parts p on p.rule = 'name' and p.part = lower(m[2])
);

-- The characters of a replacement, with the punctuation of the old value between them.
create function pg_temp.keep_punctuation(old text, replacement text) returns text language plpgsql immutable as $$
declare
  result text := '';
  taken  integer := 0;
  symbol text;
begin
  foreach symbol in array string_to_array(old, null) loop
    if pg_temp.normalized(symbol) = '' then
      result := result || symbol;
    else
      taken := taken + 1;
      result := result || pg_temp.match_case(symbol, substr(replacement, taken, 1));
    end if;
  end loop;
  return result || substr(replacement, taken + 1);
end $$;

-- The complete new value for an old one.
create function pg_temp.new_value(rule text, old text, replacement text) returns text language sql immutable
return case
  when rule in ('email', 'url', 'ip address', 'address (street)', 'address (city)') then replacement
  else pg_temp.keep_punctuation(old, replacement)
end;

-- The new JSON text for a value of a JSON type. null: the value stays.
create function pg_temp.empty_json(type text) returns text language sql immutable
return case type when 'object' then '{}' when 'array' then '[]' when 'string' then '"Text removed"' when 'number' then '0' end;

-- How many days to subtract from a date that is near or beyond the latest timestamp. The calendar repeats every 400 years (146,097 days).
create function pg_temp.calendar_cycles(day date) returns integer language sql immutable
return case when day > date '290000-01-01' then 146097 * ((day - date '290000-01-01') / 146097 + 1) else 0 end;

-- Another moment of the same year. All moments of a year go through one strictly growing function, so their order stays. Each year has
-- its own function. It is above or below the identity everywhere, so a day can stay the same only at one end of the year.
create function pg_temp.moved_in_year(moment timestamp) returns timestamp language plpgsql stable strict as $$
declare
  opening timestamp;
  closing timestamp;
  seed    bytea;
  cycles  interval;
  seconds double precision;
  u       double precision;
  bend    double precision;
  gap     double precision;
begin
  if not isfinite(moment) then
    return moment;
  end if;
  -- PostgreSQL's first year begins in November, so date_trunc would go beyond the earliest timestamp.
  if moment < timestamp '4713-01-01 BC' then
    return timestamp '4714-12-31 BC';
  end if;
  cycles := pg_temp.calendar_cycles(moment::date) * interval '1 day';
  if cycles > interval '0' then
    return pg_temp.moved_in_year(moment - cycles) + cycles;
  end if;
  opening := date_trunc('year', moment);
  closing := opening + interval '1 year';
  seed    := pg_temp.seed('date', opening::text, 0);
  seconds := extract(epoch from closing - opening);
  u       := extract(epoch from moment - opening) / seconds;
  bend    := 0.5 + 0.2 * get_byte(seed, 0) / 255;
  gap     := (2 + 4.0 * get_byte(seed, 1) / 255) / 365;
  u := case when get_byte(seed, 2) % 2 = 0
    then gap + (1 - gap) * (u + bend * u * (1 - u))
    else (1 - gap) * (u - bend * u * (1 - u))
  end;
  return least(opening + make_interval(secs => u * seconds), closing - interval '1 microsecond');
end $$;

-- The same for a date, whose range is far beyond that of a timestamp.
create function pg_temp.moved_in_year(day date) returns date language sql stable strict
return case when isfinite(day)
  then pg_temp.moved_in_year((day - pg_temp.calendar_cycles(day))::timestamp)::date + pg_temp.calendar_cycles(day)
  else day
end;
