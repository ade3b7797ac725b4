-- A firm has one to ten contacts, one of them the main one, whenever a transaction ends.
create or replace function party_contact_guard() returns trigger language plpgsql as $$
declare
  firm_id bigint;
  mains int;
  everybody int;
begin
  if tg_table_name = 'firm' then
    firm_id := new.id;
  elsif tg_op = 'DELETE' then
    firm_id := old.party_id;
  else
    firm_id := new.party_id;
  end if;
  if not exists (select 1 from firm where id = firm_id and merged_into_id is null) then
    return null;
  end if;
  select count(*) filter (where main), count(*) into mains, everybody from party_contact where party_id = firm_id;
  if mains <> 1 then
    raise exception '请设置一个主联系人' using errcode = 'check_violation', constraint = 'party_contact_one_main';
  end if;
  if everybody > 10 then
    raise exception '联系人最多10个' using errcode = 'check_violation', constraint = 'party_contact_most';
  end if;
  return null;
end $$;

drop trigger if exists party_contact_guard on party_contact;
create constraint trigger party_contact_guard after insert or update or delete on party_contact
  deferrable initially deferred for each row execute function party_contact_guard();

drop trigger if exists firm_contact_guard on firm;
create constraint trigger firm_contact_guard after insert on firm
  deferrable initially deferred for each row execute function party_contact_guard();
