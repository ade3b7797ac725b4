-- A signing presents a contract, or the document of an act on one: a supplement. A contract that comes of a change of room or of
-- tenant is presented together with the supplement of that change, as one document.
alter table contract_act add constraint contract_act_of_contract unique (id, contract_id);
alter table sign_flow
  -- the act whose supplement it is; none: the contract itself
  add act_id bigint,
  add doc_kind text,
  -- of an act: until then its signing may be closed, as a contract's deadline says of a contract
  add closes_at timestamptz,
  add constraint sign_flow_act foreign key (act_id, contract_id) references contract_act (id, contract_id);
update sign_flow w set doc_kind = c.kind || 'Contract' from contract c where c.id = w.contract_id;
alter table sign_flow
  alter doc_kind set not null,
  add constraint sign_flow_doc_kind check
    (doc_kind in ('renterContract', 'companyContract', 'merchantContract', 'supplement', 'changeRoom', 'changeTenant')),
  add constraint sign_flow_subject check ((doc_kind = 'supplement') = (act_id is not null)),
  add constraint sign_flow_closes check ((act_id is not null) = (closes_at is not null));
-- One live signing a contract, and one an act.
drop index sign_flow_live;
create unique index sign_flow_live on sign_flow (contract_id) where ended_at is null and act_id is null;
create unique index sign_flow_live_act on sign_flow (act_id) where ended_at is null and act_id is not null;
create index sign_flow_act on sign_flow (act_id, contract_id) where act_id is not null;

-- Where a lease is passed on, its tenant until then signs before the new one.
alter table sign_signer drop constraint sign_signer_role_check, add constraint sign_signer_role_check
  check (role in ('party', 'previousParty', 'occupantGuarantor', 'enterprise'));
