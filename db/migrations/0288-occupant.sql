-- Who lives in a company's rooms, and since when: the hash finds a certificate without opening it, and nobody stands twice in a contract on one day.
alter table contract_occupant
  add column cert_hash bytea,
  add column leave_reason text not null default '' check (length(leave_reason) <= 100),
  add constraint contract_occupant_once exclude using gist (contract_id with =, cert_hash with =, daterange(from_date, to_date, '[]') with &&)
    where (cert_hash is not null);
create index contract_occupant_cert on contract_occupant (cert_hash) where cert_hash is not null;
