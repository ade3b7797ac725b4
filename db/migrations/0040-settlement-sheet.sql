-- What a settlement came to when it was handed in: approval and the tenant's agreement are about this. It is confirmed only while
-- it still comes to the same. Null: handed in before this was kept.
alter table contract_act add column sheet_hash text check (sheet_hash ~ '^[0-9a-f]{64}$');
