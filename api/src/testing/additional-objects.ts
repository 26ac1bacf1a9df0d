/** Statements that make objects which the platform's schema does not have, by what they are. `n` makes names differ. */
const PARTS: Record<string, (n: number) => string> = {
  'a table of a schema': (n) => `
    create schema billing_${n};
    create table billing_${n}.invoices (
      id bigint generated always as identity (start 100) primary key, number text not null unique default 'none',
      amount numeric(12, 2) check (amount >= 0), doubled numeric generated always as (amount * 2) stored, note jsonb, made timestamptz,
      part float8, raw bytea, tags text[], span interval, whatever json, "Odd Name" text);
    insert into billing_${n}.invoices (number, amount, note, made, part, raw, tags, span, whatever, "Odd Name")
      select 'N' || i, i * 1.10, jsonb_build_object('i', i), timestamptz '2026-01-01 UTC' + i * interval '1 hour', i / 3.0,
        decode(md5(i::text), 'hex'), array['a', null, i::text], i * interval '1 day', '{"a":  1}', E'tab\\there'
      from generate_series(1, ${50 + n}) i;
    create index on billing_${n}.invoices (lower(number)) where amount > 3;`,
  'a table that refers to one of the platform’s': (n) => `
    create table public.visits_${n} (id serial primary key, location bigint references public.locations (id), note text);
    insert into public.visits_${n} (note) select 'note ' || i from generate_series(1, ${n + 3}) i;
    create table public."Odd ${n}" (n int);
    insert into public."Odd ${n}" values (1), (1), (null);`,
  views: (n) => `
    create view public.codes_${n} as select code, upper(name) as name from public.locations;
    create materialized view public.counts_${n} as select kind, count(*) as rows from public.locations group by kind;
    create unique index on public.counts_${n} (kind);`,
  functions: (n) => `
    create schema tools_${n};
    create function tools_${n}.twice(x int default 2) returns int language sql immutable as 'select x * 2';
    create function tools_${n}.guarded() returns bigint language plpgsql security definer set search_path = pg_catalog as
      $f$ begin return (select count(*) from public.locations); end $f$;
    create procedure tools_${n}.nothing() language plpgsql as $f$ begin null; end $f$;
    create aggregate tools_${n}.total (int) (sfunc = int4pl, stype = int, initcond = '0');
    revoke execute on function tools_${n}.twice(int) from public;`,
  types: (n) => `
    create type public.mood_${n} as enum ('calm', 'busy');
    create domain public.percent_${n} as int check (value between 0 and 100);
    create type public.pair_${n} as (a int, b text);
    create table public.moods_${n} (mood public.mood_${n}, share public.percent_${n}, pair public.pair_${n});
    insert into public.moods_${n} values ('busy', 40, row (1, 'one')), (null, null, null);`,
  partitions: (n) => `
    create table public.events_${n} (at date not null, what text) partition by range (at);
    create table public.events_${n}_old partition of public.events_${n} for values from ('2020-01-01') to ('2025-01-01');
    create table public.events_${n}_new partition of public.events_${n} default;
    create index on public.events_${n} (at);
    insert into public.events_${n} select date '2024-12-25' + i, 'e' || i from generate_series(1, 20) i;`,
  'an extension': (n) => `
    create extension if not exists pg_trgm with schema public;
    create table public.words_${n} (word text);
    insert into public.words_${n} select md5(i::text) from generate_series(1, 30) i;
    create index on public.words_${n} using gin (word public.gin_trgm_ops);`,
  triggers: (n) => `
    create table public.log_${n} (at timestamptz default now(), what text);
    create function public.note_${n}() returns trigger language plpgsql security definer set search_path = pg_catalog as
      $f$ begin insert into public.log_${n} (what) values (new.code); return new; end $f$;
    create trigger note_${n} after insert on public.locations for each row execute function public.note_${n}();
    comment on table public.log_${n} is 'what came';
    comment on column public.log_${n}.what is 'the code';`,
  'rules and policies': (n) => `
    create table public.secret_${n} (n int, owner text);
    insert into public.secret_${n} values (1, 'a'), (2, 'b');
    alter table public.secret_${n} enable row level security;
    create policy mine on public.secret_${n} for select using (owner = current_user);
    create view public.shown_${n} as select n from public.secret_${n};
    create rule none as on insert to public.shown_${n} do instead nothing;`,
  'sequences and searches': (n) => `
    create table public.wide_${n} (a int, b int);
    insert into public.wide_${n} values (1, 2);
    create sequence public.numbers_${n} start 7 increment 3;
    select nextval('public.numbers_${n}'), nextval('public.numbers_${n}');
    create text search configuration public.plain_${n} (copy = simple);
    create statistics public.kinds_${n} on a, b from public.wide_${n};`,
};
/** Statements that make objects of which a restore can make none, and what its plan calls them. */
const REFUSED: [sql: (n: number) => string, kind: string, name: (n: number) => string][] = [
  [() => 'create extension if not exists dblink with schema public', 'extension', () => 'dblink'],
  [
    (n) => `create function public.internal_${n}(text) returns text language internal strict as 'upper'`,
    'function',
    (n) => `internal_${n}(text)`,
  ],
  [
    (n) => `create function public.stop_${n}() returns event_trigger language plpgsql as $f$ begin null; end $f$;
      create event trigger stop_${n} on sql_drop execute function public.stop_${n}()`,
    'event trigger',
    (n) => `stop_${n}`,
  ],
  [(n) => `create publication all_${n} for table public.locations`, 'publication', (n) => `all_${n}`],
  [(n) => `create index extra_${n} on public.locations (kind, name)`, 'index', (n) => `extra_${n}`],
  [() => "select lo_from_bytea(0, 'abc')", 'objects', () => '1 large object'],
];

export interface AdditionalObjects {
  /** What the archive has, in words. */
  title: string;
  sql: string;
  /** What the plan names. */
  refused: { kind: string; name: string }[];
}

/** Twenty databases' worth of varied objects: each part in several of them; every third has some that cannot be restored. */
export const ADDITIONAL_OBJECTS: AdditionalObjects[] = Array.from({ length: 20 }, (_, n) => {
  const parts = Object.entries(PARTS).filter((_, index) => (n + 1) % (index + 2) === 0 || index === n % 10);
  const refused = n % 3 === 1 ? REFUSED.filter((_, index) => index % 3 === Math.floor(n / 3) % 3) : [];
  return {
    title: [...parts.map(([title]) => title), ...refused.map(([, kind]) => kind)].join(', '),
    sql: [...parts.map(([, sql]) => sql(n)), ...refused.map(([sql]) => `${sql(n)};`)].join('\n'),
    refused: refused.map(([, kind, name]) => ({ kind, name: name(n) })),
  };
});
