-- Pictures of FAQ content (decision 056), by the SHA-256 of their bytes. Whoever has the address of one may see it.
create table faq_images (
  hash          text        not null,
  bytes         bytea       not null,
  width         integer     not null,
  height        integer     not null,
  created_by    uuid,
  created_at    timestamptz not null,
  -- Since when no text names it; null: one does, or has just been checked.
  unused_since  timestamptz,
  constraint faq_images__hash primary key (hash),
  constraint faq_images__created_by foreign key (created_by) references users on delete set null,
  constraint faq_images__hash_form check (hash ~ '^[0-9a-f]{64}$')
);
create index faq_images__created_by__created_at__idx on faq_images (created_by, created_at);
-- WebP is compressed already.
alter table faq_images alter column bytes set storage external;
