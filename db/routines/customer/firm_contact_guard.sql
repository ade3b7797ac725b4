drop trigger if exists firm_contact_guard on firm;
create constraint trigger firm_contact_guard after insert on firm
  deferrable initially deferred for each row execute function party_contact_guard();
