-- Never more is taken back than was earned.
create or replace function commission_claw_fits() returns trigger language plpgsql as $$
declare
  earned bigint;
begin
  if new.kind <> 'claw' then return new; end if;
  select amount into earned from commission where id = new.claws_id and kind <> 'claw' for update;
  if earned is null or earned + new.amount
      + coalesce((select sum(amount) from commission where claws_id = new.claws_id and id <> new.id and state <> 'void'), 0) < 0 then
    raise exception 'more is taken back than was earned'
      using errcode = 'check_violation', constraint = 'commission_claw_fits';
  end if;
  return new;
end $$;

create or replace trigger commission_claw_fits before insert on commission for each row execute function commission_claw_fits();
