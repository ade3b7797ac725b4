-- What an offer gives and to whom is fixed once it has been switched on: contracts name its version.
create or replace function activity_stays() returns trigger language plpgsql as $$
begin
  if old.state <> 'draft' and (new.enterprise_id, new.kind, new.value, new.every_month, new.applies_to, new.fee_ids,
      new.month_from, new.month_to, new.contract_kinds, new.sources, new.village_ids, new.product_ids, new.room_kinds, new.cycles,
      new.min_term_months, new.sign_from, new.per_party_limit, new.budget, new.stack_group, new.stackable,
      new.priority, new.clawback_on_early_leave, new.content_version)
    is distinct from (old.enterprise_id, old.kind, old.value, old.every_month, old.applies_to, old.fee_ids,
      old.month_from, old.month_to, old.contract_kinds, old.sources, old.village_ids, old.product_ids, old.room_kinds, old.cycles,
      old.min_term_months, old.sign_from, old.per_party_limit, old.budget, old.stack_group, old.stackable,
      old.priority, old.clawback_on_early_leave, old.content_version) then
    raise exception 'an offer that was switched on stays as it is' using errcode = '23514', constraint = 'activity_stays';
  end if;
  return new;
end $$;

create or replace trigger activity_stays before update on activity for each row execute function activity_stays();
