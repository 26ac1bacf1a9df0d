-- The pictures that sections name (000089): one index a migration, as each keeps out edits while it is built.
create index faq_sections__pictures__idx on faq_sections using gin (faq_pictures(overview)) with (fastupdate = off);
