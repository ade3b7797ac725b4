-- Contracts of companies and merchants are few among those of renters; their lists read them alone, the newest first.
create index contract_kind on contract (kind, id desc);
