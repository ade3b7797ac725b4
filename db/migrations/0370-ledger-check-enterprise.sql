-- A run proves the books of one enterprise and is shown to its people alone. Runs of before summed the whole database: they
-- stay with the enterprise where there is only one, and are shown to nobody where there are several.
alter table ledger_check add column enterprise_id bigint references enterprise;
update ledger_check set enterprise_id = (select id from enterprise) where (select count(*) from enterprise) = 1;
create index ledger_check_last on ledger_check (enterprise_id, id desc);
