-- What readers of public pages say of answers (decision 056): the counts, and who has been counted today, by a hash.
create table faq_helpfulness (
  question_id  uuid    not null,
  helpful      integer not null,
  unhelpful    integer not null,
  constraint faq_helpfulness__question_id primary key (question_id),
  constraint faq_helpfulness__question_id__fk foreign key (question_id) references faq_questions on delete cascade
);
call track_changes('faq_helpfulness');

create table faq_votes (
  question_id  uuid        not null,
  -- HMAC of day, question and address.
  voter        bytea       not null,
  voted_at     timestamptz not null,
  constraint faq_votes__question_id__voter primary key (question_id, voter),
  constraint faq_votes__question_id foreign key (question_id) references faq_questions on delete cascade
);
create index faq_votes__voted_at__idx on faq_votes (voted_at);
