-- A Chinese name of two characters, and a surname alone, are too short for an index of three characters at a time: their letters have
-- one. The function stands in db/routines/platform/letters.sql.
create or replace function letters(name text) returns text language sql immutable strict parallel safe
  return regexp_replace(lower(name), '(.)', ' \1', 'g') || ' ';
create index party_letters on party using gin (letters(name) gin_trgm_ops);
create index room_letters on room using gin (letters(full_name) gin_trgm_ops);
create index contract_letters on contract using gin (letters(room_names) gin_trgm_ops, letters(party_name) gin_trgm_ops);
create index flow_payer_letters on flow using gin (letters(payer_name) gin_trgm_ops);
-- The newest contracts of a store, though many of other stores are newer.
create index contract_newest on contract (village_id, id desc);
