-- What was frozen for approvers of price changes shows lowest prices only to those who may see them.
update examine set preview = (
  select jsonb_agg(jsonb_set(t, '{columns}', (
    select coalesce(jsonb_agg(case when c ->> 'title' in ('原底价', '新底价') then c || '{"need": "#601"}' else c end order by n), '[]')
    from jsonb_array_elements(t -> 'columns') with ordinality x (c, n))) order by m)
  from jsonb_array_elements(preview) with ordinality y (t, m))
where module_type = 'priceChange' and jsonb_array_length(preview) > 0;
