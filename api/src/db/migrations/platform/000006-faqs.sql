-- FAQ content (SPEC §2.16 to §2.19, DECISIONS §11). Rich text is sanitised before it is written.

-- What a reader sees of sanitised rich text, for searching: without tags and entities, blanks made one.
create function plain_text(html text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(
  replace(replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(html, '</?(?:p|br|h[1-6]|ul|ol|li|blockquote|pre|hr)(?:\s[^>]*)?>', ' ', 'g'),
      '<[^>]*>', '', 'g'
    ),
    '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'),
  '\s+', ' ', 'g'
));

create table faqs (
  id             uuid        not null default gen_random_uuid(),
  name           text        not null,
  code           text        not null collate case_insensitive,
  overview       text        not null,
  overview_text  text        not null generated always as (plain_text(overview)) stored,
  sort_order     integer     not null,
  is_active      boolean     not null,
  published      boolean     not null,
  version        integer     not null default 1,
  -- Orders what is otherwise equal.
  creation_number bigint not null generated always as identity,
  created_by     uuid,
  updated_by     uuid,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint faqs__id primary key (id),
  constraint faqs__code unique (code),
  constraint faqs__created_by foreign key (created_by) references users on delete set null,
  constraint faqs__updated_by foreign key (updated_by) references users on delete set null,
  constraint faqs__sort_order check (sort_order >= 0)
);
create index faqs__created_by__idx on faqs (created_by);
create index faqs__updated_by__idx on faqs (updated_by);

create table faq_sections (
  id             uuid        not null default gen_random_uuid(),
  faq_id         uuid        not null,
  name           text        not null,
  code           text        not null collate case_insensitive,
  overview       text        not null,
  overview_text  text        not null generated always as (plain_text(overview)) stored,
  icon           text        not null,
  -- From 0, without gaps: the place within the FAQ.
  sort_order     integer     not null,
  is_active      boolean     not null,
  published      boolean     not null,
  version        integer     not null default 1,
  creation_number bigint not null generated always as identity,
  created_by     uuid,
  updated_by     uuid,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint faq_sections__id primary key (id),
  constraint faq_sections__faq_id foreign key (faq_id) references faqs on delete cascade,
  constraint faq_sections__faq_id__code unique (faq_id, code),
  -- Deferred: places change hands within a transaction.
  constraint faq_sections__faq_id__sort_order unique (faq_id, sort_order) deferrable initially deferred,
  constraint faq_sections__created_by foreign key (created_by) references users on delete set null,
  constraint faq_sections__updated_by foreign key (updated_by) references users on delete set null,
  constraint faq_sections__sort_order check (sort_order >= 0)
);
create index faq_sections__created_by__idx on faq_sections (created_by);
create index faq_sections__updated_by__idx on faq_sections (updated_by);

create table faq_questions (
  id             uuid        not null default gen_random_uuid(),
  section_id     uuid        not null,
  question       text        not null,
  answer         text        not null,
  answer_text    text        not null generated always as (plain_text(answer)) stored,
  -- From 0, without gaps: the place within the section.
  sort_order     integer     not null,
  is_active      boolean     not null,
  published      boolean     not null,
  version        integer     not null default 1,
  creation_number bigint not null generated always as identity,
  created_by     uuid,
  updated_by     uuid,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint faq_questions__id primary key (id),
  constraint faq_questions__section_id foreign key (section_id) references faq_sections on delete cascade,
  constraint faq_questions__section_id__sort_order unique (section_id, sort_order) deferrable initially deferred,
  constraint faq_questions__created_by foreign key (created_by) references users on delete set null,
  constraint faq_questions__updated_by foreign key (updated_by) references users on delete set null,
  constraint faq_questions__sort_order check (sort_order >= 0)
);
create index faq_questions__created_by__idx on faq_questions (created_by);
create index faq_questions__updated_by__idx on faq_questions (updated_by);
