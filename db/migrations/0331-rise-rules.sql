-- A rise rule now stands for the rows it makes, unless they were written out with the contract. A rule whose rows were all
-- replaced or removed by hand before rules were kept is given up: what was agreed are the rows.
update contract set terms = jsonb_set(terms, '{stepRule}', 'null')
where jsonb_typeof(terms -> 'stepRule') = 'object'
  and not jsonb_path_exists(terms, '$.steps[*] ? (@.source == "rule")');
