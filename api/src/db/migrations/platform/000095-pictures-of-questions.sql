-- The pictures that answers name (000089): one index a migration, as each keeps out edits while it is built.
create index faq_questions__pictures__idx on faq_questions using gin (faq_pictures(answer)) with (fastupdate = off);
