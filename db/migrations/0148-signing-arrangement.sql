-- How a contract is to be signed, as it was chosen on handing it in: the seal, the hours of its links, who signs before whom. Null: as
-- the store signs.
alter table contract
  add seal_id bigint references seal on delete set null,
  add link_hours int constraint contract_link_hours check (link_hours between 1 and 168),
  add sign_order text[] constraint contract_sign_order check (cardinality(sign_order) between 2 and 4);
create index contract_seal on contract (seal_id) where seal_id is not null;
