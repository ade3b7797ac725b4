-- Contracts are counted and their rents added up by the index alone; those that end soon are found by it.
drop index if exists contract_village;
create index contract_village on contract (village_id, state, id desc) include (kind, current_rent);
drop index if exists contract_kind_end;
create index contract_kind_end on contract (village_id, kind, end_date) include (id, next_id, current_rent)
  where state in ('effective', 'expired');
-- Whoever paid is looked for by the whole name.
create index party_whole_name on party (name);
