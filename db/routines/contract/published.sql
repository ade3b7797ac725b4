-- What domains to the left ask of contracts.

-- Contracts that stay as they are until the transaction ends. `bears`: it came into force and stands, so bills may hang on it; one
-- that is not signed may still become another's or be removed.
create or replace function contracts_kept(ids bigint[])
returns table (id bigint, contract_no text, village_id bigint, party_id bigint, state text, bears boolean)
language sql volatile as $$
  select c.id, c.contract_no, c.village_id, c.party_id, c.state, in_force(c.state) or is_over(c.state)
  from contract c where c.id = any(ids) order by c.id for share of c
$$;

-- The kind of the page that opens a record: a contract's by who rents, every other's by the kind of the record.
create or replace function record_page(kind text, record bigint) returns text language sql stable as $$
  select case when kind = 'contract' then (select c.kind || 'Contract' from contract c where c.id = record) else kind end
$$;
