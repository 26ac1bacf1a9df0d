-- What CLDR calls time zones, and so browsers and Node: their older names. Debian packs these apart from the others (tzdata-legacy), and its
-- PostgreSQL knows only the newer ones without it (https://data.iana.org/time-zones/tzdb/backward).
create function renamed_time_zone(zone text) returns text
language sql immutable as $$
  select name from (values
    ('Africa/Asmera', 'Africa/Asmara'),
    ('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
    ('America/Catamarca', 'America/Argentina/Catamarca'),
    ('America/Coral_Harbour', 'America/Atikokan'),
    ('America/Cordoba', 'America/Argentina/Cordoba'),
    ('America/Godthab', 'America/Nuuk'),
    ('America/Indianapolis', 'America/Indiana/Indianapolis'),
    ('America/Jujuy', 'America/Argentina/Jujuy'),
    ('America/Louisville', 'America/Kentucky/Louisville'),
    ('America/Mendoza', 'America/Argentina/Mendoza'),
    ('Asia/Calcutta', 'Asia/Kolkata'),
    ('Asia/Katmandu', 'Asia/Kathmandu'),
    ('Asia/Rangoon', 'Asia/Yangon'),
    ('Asia/Saigon', 'Asia/Ho_Chi_Minh'),
    ('Atlantic/Faeroe', 'Atlantic/Faroe'),
    ('Europe/Kiev', 'Europe/Kyiv'),
    ('Pacific/Enderbury', 'Pacific/Kanton'),
    ('Pacific/Ponape', 'Pacific/Pohnpei'),
    ('Pacific/Truk', 'Pacific/Chuuk')
  ) as renamed (older, name)
  where older = zone
$$;

-- Under the name that this PostgreSQL knows; a zone that it knows under none counts as UTC.
create or replace function known_time_zone(zone text) returns text
language plpgsql stable as $$
declare
  name text;
begin
  foreach name in array array_remove(array[zone, renamed_time_zone(zone)], null) loop
    begin
      perform now() at time zone name;
      return name;
    exception when invalid_parameter_value then
      continue;
    end;
  end loop;
  return 'UTC';
end $$;
