-- A set of default terms with a rent by the month counts no days by area: no contract could be typed in with it.
update contract_config set default_terms = jsonb_set(default_terms, '{basis}', '"actual"')
where default_terms ->> 'basis' = 'area' and coalesce(default_terms ->> 'pricing', 'month') = 'month';
