-- What FAQs, sections and questions were after each write of their content (decision 056): the newest 300 of each. They go with their record.
create table faq_revisions (
  faq_id       uuid,
  section_id   uuid,
  question_id  uuid,
  -- The version that the write gave the record. Moves give versions too, but change no content.
  version      integer     not null,
  verb         text        not null,
  -- The fields that the write changed, in the contract's names.
  fields       text[]      not null,
  -- All of the content, in the contract's names.
  content      jsonb       not null,
  -- As in the audit trail, which outlasts the user too.
  actor_name   text        not null,
  at           timestamptz not null,
  constraint faq_revisions__faq_id__version unique (faq_id, version),
  constraint faq_revisions__section_id__version unique (section_id, version),
  constraint faq_revisions__question_id__version unique (question_id, version),
  constraint faq_revisions__faq_id foreign key (faq_id) references faqs on delete cascade,
  constraint faq_revisions__section_id foreign key (section_id) references faq_sections on delete cascade,
  constraint faq_revisions__question_id foreign key (question_id) references faq_questions on delete cascade,
  constraint faq_revisions__of_one check (num_nonnulls(faq_id, section_id, question_id) = 1),
  constraint faq_revisions__verb check (verb in ('create', 'edit', 'restore'))
);
call track_changes('faq_revisions');

-- What there is becomes the first revision of each.
create function iso_moment(moment timestamptz) returns text
language sql stable strict
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

insert into faq_revisions (faq_id, version, verb, fields, content, actor_name, at)
select
  f.id, f.version, case f.version when 1 then 'create' else 'edit' end, '{}',
  jsonb_build_object(
    'name', name, 'code', code, 'overview', overview, 'module', module, 'isActive', f.is_active, 'published', published,
    'publishAtUtc', iso_moment(publish_at), 'publishUntilUtc', iso_moment(publish_until)
  ),
  coalesce(nullif(u.user_name, ''), u.email, 'server'), f.updated_at
from faqs f
left join users u on u.id = coalesce(f.updated_by, f.created_by);

insert into faq_revisions (section_id, version, verb, fields, content, actor_name, at)
select
  s.id, s.version, case s.version when 1 then 'create' else 'edit' end, '{}',
  jsonb_build_object(
    'name', name, 'code', code, 'overview', overview, 'icon', icon, 'isActive', s.is_active, 'published', published,
    'publishAtUtc', iso_moment(publish_at), 'publishUntilUtc', iso_moment(publish_until)
  ),
  coalesce(nullif(u.user_name, ''), u.email, 'server'), s.updated_at
from faq_sections s
left join users u on u.id = coalesce(s.updated_by, s.created_by);

insert into faq_revisions (question_id, version, verb, fields, content, actor_name, at)
select
  q.id, q.version, case q.version when 1 then 'create' else 'edit' end, '{}',
  jsonb_build_object(
    'question', question, 'answer', answer, 'isActive', q.is_active, 'published', published,
    'publishAtUtc', iso_moment(publish_at), 'publishUntilUtc', iso_moment(publish_until)
  ),
  coalesce(nullif(u.user_name, ''), u.email, 'server'), q.updated_at
from faq_questions q
left join users u on u.id = coalesce(q.updated_by, q.created_by);

drop function iso_moment;
