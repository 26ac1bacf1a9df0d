-- Signing in by a provider of OpenID Connect (decision 051).

-- Who a user is at a provider. Nothing else finds them: a provider may give an e-mail address or a name to another person.
create table user_identities (
  issuer      text        not null,
  subject     text        not null,
  user_id     uuid        not null,
  created_at  timestamptz not null,
  constraint user_identities__issuer__subject primary key (issuer, subject),
  -- Else whoever gets the e-mail address of a user who is known already would be taken for them.
  constraint user_identities__user_id__issuer unique (user_id, issuer),
  constraint user_identities__user_id foreign key (user_id) references users on delete cascade
);

-- What belongs to a session that a provider has opened.
create table provider_sessions (
  session_id     uuid        not null,
  issuer         text        not null,
  subject        text        not null,
  -- The provider's own id of its session, if it has said one.
  sid            text,
  -- Both encrypted. Without a refresh token the provider cannot be asked again, so the session is short.
  refresh_token  bytea,
  id_token       bytea       not null,
  -- When the provider has last said that the person may still sign in.
  checked_at     timestamptz not null,
  -- Since when a refresh asks the provider; null: none does.
  asking_since   timestamptz,
  constraint provider_sessions__session_id primary key (session_id),
  constraint provider_sessions__session_id__sessions foreign key (session_id) references sessions on delete cascade
);
create index provider_sessions__issuer__subject__idx on provider_sessions (issuer, subject);

-- What counts once: the state of a sign-in, and the id of a logout token. Hashes of them.
create table used_provider_tokens (
  digest      bytea       not null,
  expires_at  timestamptz not null,
  constraint used_provider_tokens__digest primary key (digest)
);
create index used_provider_tokens__expires_at__idx on used_provider_tokens (expires_at);
