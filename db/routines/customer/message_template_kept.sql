-- What a rule takes stays fit for it.
create or replace function message_template_kept() returns trigger language plpgsql as $$
begin
  if exists (select from reminder_way w join reminder_rule r on r.id = w.rule_id
    where w.template_id = new.id and (new.event not in ('any', r.event) or (r.enabled and not new.enabled))) then
    raise exception 'a rule takes this template' using errcode = '23514', constraint = 'message_template_kept';
  end if;
  return new;
end $$;

create or replace trigger message_template_kept before update of event, enabled on message_template
  for each row execute function message_template_kept();
