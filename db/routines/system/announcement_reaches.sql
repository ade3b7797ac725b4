-- True for the active people it is for: of its company, of its stores, or of its departments and those below them.
create or replace function announcement_reaches(a announcement, o operator) returns boolean language sql stable as $$
  select o.state = 'active' and o.enterprise_id = a.enterprise_id and case a.audience
    when 'all' then true
    when 'villages' then o.all_villages or o.village_ids && a.village_ids
    else exists (
      with recursive under as (
        select unnest(a.department_ids) as id
        union select d.id from department d join under on d.parent_id = under.id)
      select 1 from operator_assignment x join under on under.id = x.department_id where x.operator_id = o.id)
  end
$$;
