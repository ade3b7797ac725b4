-- Each letter of a name by itself (" 王 芳 "), so that an index of three characters at a time finds a name by one letter or two.
create or replace function letters(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(lower(name), '(.)', ' \1', 'g') || ' ';
