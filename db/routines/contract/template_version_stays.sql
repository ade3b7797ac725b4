-- A published version is the text that contracts were signed with: nobody changes it, and it goes only with its template.
create or replace function template_version_stays() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'a published version stays' using errcode = '23514', constraint = 'template_version_stays';
  end if;
  return new;
end $$;

create or replace trigger template_version_stays before update on template_version
  for each row execute function template_version_stays();
