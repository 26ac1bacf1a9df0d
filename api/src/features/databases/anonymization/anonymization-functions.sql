-- What anonymizing makes new values with, in the session's own temporary schema. The key of the run is the setting
-- apotheca.anonymization_key of its transaction, which no table and no log ever holds.

create temp table anonymization_values (rule text not null, old text not null, new text, is_strong boolean not null)
  on commit drop;
create temp table anonymization_parts (rule text not null, part text not null, replacement text) on commit drop;

-- The blanks and punctuation between words and numbers, for the brackets of a regular expression; the same in every locale.
create function pg_temp.gaps() returns text language sql immutable
return '\s!-/:-@\u005b-\u0060{-~\u00a0\u2000-\u206f\u3000';

-- Without blanks and punctuation, in lower case.
create function pg_temp.plain(value text) returns text language sql immutable
return lower(regexp_replace(value, '[' || pg_temp.gaps() || ']+', '', 'g'));

-- What decides the new value of an old one: two spellings of a phone number have the same.
create function pg_temp.part_of(rule text, old text) returns text language sql immutable
return case
  when rule in ('email', 'url', 'ip address', 'address (street)', 'address (city)') then lower(old)
  else pg_temp.plain(old)
end;

-- 32 bytes that nobody without the key can foretell.
create function pg_temp.seed(rule text, part text, attempt integer) returns bytea language sql stable
return sha256(convert_to(
  concat_ws(E'\x1f', current_setting('apotheca.anonymization_key'), rule, attempt, part), 'UTF8'
));

-- A word that can be spoken, of at most 16 syllables.
create function pg_temp.made_up_word(seed bytea, syllables integer) returns text language sql immutable
return (
  select string_agg(
    substr('bdfgklmnprstvz', 1 + get_byte(seed, 2 * n) % 14, 1) || substr('aeiou', 1 + get_byte(seed, 2 * n + 1) % 5, 1),
    '' order by n
  )
  from generate_series(0, syllables - 1) n
);

-- Digits for digits, letters for letters.
create function pg_temp.shaped(seed bytea, shape text) returns text language sql immutable
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

-- Nine digits that are no social security number (area 9..) and no taxpayer number (group 50 or more).
create function pg_temp.nobodys_ssn(digits text) returns text language sql immutable
return case when digits ~ '^[0-9]{9}$'
  then '9' || substr(digits, 2, 2) || substr(digits, 4, 1)::integer % 5 || substr(digits, 5)
  else digits
end;

-- A number with an area code that is none in North America, where they begin with 2 to 9.
create function pg_temp.nobodys_phone(digits text) returns text language sql immutable
return case when digits ~ '^[0-9]{10,}$'
  then overlay(digits placing (right(digits, 1)::integer % 2)::text from length(digits) - 9 for 1)
  else digits
end;

-- What a part becomes; a higher attempt gives another one, and gives more room where a column has no fixed shape.
create function pg_temp.made_up(rule text, part text, attempt integer) returns text language plpgsql stable as $$
declare
  seed bytea := pg_temp.seed(rule, part, attempt);
  hex  text  := encode(seed, 'hex');
  more text  := coalesce(pg_temp.shaped(sha256(seed), repeat('0', attempt - 5)), '');
begin
  return case rule
    when 'name' then pg_temp.made_up_word(seed, 3 + attempt / 3)
    when 'address (city)' then initcap(pg_temp.made_up_word(seed, 3 + attempt / 3))
    when 'address (street)' then
      (1 + get_byte(seed, 30) * 37 + get_byte(seed, 31) % 37) || ' ' || initcap(pg_temp.made_up_word(seed, 4)) || ' Street'
    when 'email' then 'person-' || substr(hex, 1, 12) || '@example.invalid'
    when 'url' then 'https://example.invalid/' || substr(hex, 1, 20)
    -- RFC 3849: addresses for documentation.
    when 'ip address' then '2001:db8:' || regexp_replace(substr(hex, 1, 24), '(....)(?=.)', '\1:', 'g')
    when 'ssn' then pg_temp.nobodys_ssn(pg_temp.shaped(seed, part))
    when 'address (postal code)' then pg_temp.shaped(seed, part)
    when 'phone' then pg_temp.nobodys_phone(pg_temp.shaped(seed, part)) || more
    else pg_temp.shaped(seed, part) || more
  end;
end $$;

-- A word in upper case, lower case or with a capital, as the model has it.
create function pg_temp.cased(model text, word text) returns text language sql immutable
return case
  when length(model) > 1 and model = upper(model) and model <> lower(model) then upper(word)
  when model = lower(model) and model <> upper(model) then word
  else initcap(word)
end;

-- A name with each word replaced; what stands between the words stays.
create function pg_temp.renamed(old text) returns text language sql stable
return (
  select string_agg(m[1] || coalesce(pg_temp.cased(m[2], p.replacement), ''), '' order by n)
  from regexp_matches(
    old, '([' || pg_temp.gaps() || ']*)([^' || pg_temp.gaps() || ']*)', 'g'
  ) with ordinality words (m, n)
  left join pg_temp.anonymization_parts p on p.rule = 'name' and p.part = lower(m[2])
);

-- The characters of a replacement between the punctuation of the old value.
create function pg_temp.filled(old text, replacement text) returns text language plpgsql immutable as $$
declare
  result text := '';
  taken  integer := 0;
  symbol text;
begin
  foreach symbol in array string_to_array(old, null) loop
    if pg_temp.plain(symbol) = '' then
      result := result || symbol;
    else
      taken := taken + 1;
      result := result || pg_temp.cased(symbol, substr(replacement, taken, 1));
    end if;
  end loop;
  return result || substr(replacement, taken + 1);
end $$;

-- The whole new value of an old one.
create function pg_temp.rendered(rule text, old text, replacement text) returns text language sql immutable
return case
  when rule in ('email', 'url', 'ip address', 'address (street)', 'address (city)') then replacement
  else pg_temp.filled(old, replacement)
end;

-- The JSON text that a value of a JSON type becomes; null: it stays.
create function pg_temp.emptied(type text) returns text language sql immutable
return case type when 'object' then '{}' when 'array' then '[]' when 'string' then '"Text removed"' when 'number' then '0' end;

-- Days to go back by, for a date that a timestamp cannot hold, or hardly: the calendar repeats itself every 400 years, or 146,097 days.
create function pg_temp.cycles_of(day date) returns integer language sql immutable
return case when day > date '290000-01-01' then 146097 * ((day - date '290000-01-01') / 146097 + 1) else 0 end;

-- Another moment of the same year. Every moment goes through the same curve, which rises throughout, so order stays; each year has
-- its own, which lies over or under the straight line everywhere, so that a day stays only at one end of the year.
create function pg_temp.warped(moment timestamp) returns timestamp language plpgsql stable strict as $$
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
  -- PostgreSQL's first year begins in November.
  if moment < timestamp '4713-01-01 BC' then
    return timestamp '4714-12-31 BC';
  end if;
  cycles := pg_temp.cycles_of(moment::date) * interval '1 day';
  if cycles > interval '0' then
    return pg_temp.warped(moment - cycles) + cycles;
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

-- The same of a day, whose years go far beyond those of a moment.
create function pg_temp.warped(day date) returns date language sql stable strict
return case when isfinite(day)
  then pg_temp.warped((day - pg_temp.cycles_of(day))::timestamp)::date + pg_temp.cycles_of(day)
  else day
end;
