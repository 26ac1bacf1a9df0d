-- The pictures that revisions name (000089): one index a migration, as each keeps out edits while it is built.
create index faq_revisions__pictures__idx on faq_revisions using gin (faq_pictures(content::text)) with (fastupdate = off);
