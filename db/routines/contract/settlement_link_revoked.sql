-- The tenant's link leads to what waits for his answer, and nowhere once that was changed, answered otherwise or settled.
create or replace function settlement_link_revoked() returns trigger language plpgsql as $$
begin
  update settlement_link set state = 'revoked', ended_at = now() where act_id = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger settlement_link_revoked after update of state, agreed, sheet_hash on contract_act for each row
  when (new.state <> 'confirming' or new.agreed is not null or new.sheet_hash is distinct from old.sheet_hash)
  execute function settlement_link_revoked();
