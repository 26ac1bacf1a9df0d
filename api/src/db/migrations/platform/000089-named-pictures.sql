-- Which texts and revisions name a picture stands in indexes, so that unused pictures are found without reading any text (decision 056). PostgreSQL
-- keeps them whoever writes, also processes of the version before.

-- The SHA-256 of each picture that a text names. It is dear, so no plan reads texts where it can use an index. Texts are parted by the address, as
-- looking for it by a regular expression takes three times as long.
create function faq_pictures(html text) returns text[]
language sql immutable strict parallel safe cost 10000
return array(
  select distinct left(part, 64)
  from unnest(string_to_array(html, '/faqs/images/')) with ordinality as parts (part, place)
  where place > 1 and left(part, 64) ~ '^[0-9a-f]{64}$'
);

-- Without a list of what is new, which each search would read.
create index faqs__pictures__idx on faqs using gin (faq_pictures(overview)) with (fastupdate = off);
