-- What domains to the left read of parties.
create or replace view party_brief as
  select id, enterprise_id, kind, name, phone, pinyin, updated_at from party;
