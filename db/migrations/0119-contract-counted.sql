-- The tabs of the contract lists are counted from this index alone.
create index contract_counted on contract (village_id, kind) include (state, start_date, end_date, id);
