-- When FAQ content is shown, and to which tenants (decision 056). Moments are whole minutes: what is shown changes with the minute only.
do $$
declare
  content text;
begin
  foreach content in array array['faqs', 'faq_sections', 'faq_questions'] loop
    execute format(
      'alter table %1$I
         add column publish_at timestamptz,
         add column publish_until timestamptz,
         add constraint %2$I check (date_trunc(''minute'', publish_at, ''UTC'') = publish_at),
         add constraint %3$I check (date_trunc(''minute'', publish_until, ''UTC'') = publish_until),
         add constraint %4$I check (publish_at < publish_until)',
      content, content || '__publish_at', content || '__publish_until', content || '__period'
    );
  end loop;
end $$;

-- The module of permissions that a tenant must have to see the FAQ; null: everybody sees it.
alter table faqs add column module text;

-- As in migration 000006, with tables and the texts that stand for pictures.
create or replace function plain_text(html text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(
  replace(replace(replace(replace(replace(
    regexp_replace(
      regexp_replace(
        regexp_replace(html, '<img(?:\s[^>]*?)?\salt="([^"]*)"[^>]*>', ' \1 ', 'g'),
        '</?(?:p|br|h[1-6]|ul|ol|li|blockquote|pre|hr|table|thead|tbody|tr|th|td)(?:\s[^>]*)?>', ' ', 'g'),
      '<[^>]*>', '', 'g'
    ),
    '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'),
  '\s+', ' ', 'g'
));
