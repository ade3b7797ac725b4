-- Functions that count: switched on themselves, and so is everything above them.
create or replace view function_open as
  select n.key from function_node n
  left join function_node p on p.key = n.parent_key
  left join function_node g on g.key = p.parent_key
  where n.enabled and coalesce(p.enabled, true) and coalesce(g.enabled, true);
