-- Which steps towards the end of a subscription have been announced in the audit trail (decision 053): each once for each end.
create table expiry_notices (
  tenant_id   uuid not null,
  -- The last day of the subscription, as it counted then.
  ends_on     date not null,
  step        text not null,
  constraint expiry_notices__tenant_id__ends_on__step primary key (tenant_id, ends_on, step),
  constraint expiry_notices__tenant_id foreign key (tenant_id) references tenants on delete cascade,
  constraint expiry_notices__step check (step in ('30-days', '7-days', '1-day', 'grace', 'read-only', 'expired'))
);

-- Which API keys have been given the password of a login (decision 052): the audit trail notes the first time.
create table database_login_readers (
  login_id       uuid not null,
  -- The public id of the key.
  key_public_id  text not null,
  constraint database_login_readers__login_id__key_public_id primary key (login_id, key_public_id),
  constraint database_login_readers__login_id foreign key (login_id) references database_logins on delete cascade
);
