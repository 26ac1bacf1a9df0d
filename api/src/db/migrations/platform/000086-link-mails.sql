-- Whose link has ended before its mail was sent gets no mail (decision 046): null for a mail without a link, and from the version before.
alter table mails add column link_hash bytea;
create index mails__link_hash__idx on mails (link_hash) where link_hash is not null;

-- Whatever ends a link removes the mail that waits with it, in the same transaction.
create function remove_link_mail() returns trigger
language plpgsql set search_path from current as $$
begin
  delete from mails where link_hash = old.token_hash;
  return null;
end $$;

create trigger remove_link_mail after update of token_hash or delete on password_links
  for each row execute function remove_link_mail();
