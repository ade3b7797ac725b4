-- Templates are of every kind of document, and may be meant for one kind of contract.
alter table document_template drop constraint document_template_doc_kind_check;
alter table document_template
  add constraint document_template_doc_kind_check check (doc_kind in ('renterContract', 'companyContract',
    'merchantContract', 'renewal', 'supplement', 'changeRoom', 'changeTenant', 'settlementSheet', 'handoverSheet',
    'receipt', 'dunningLetter', 'lendSlip')),
  -- empty: for contracts of any kind
  add contract_kind text check (contract_kind in ('renter', 'company', 'merchant'));
update document_template set contract_kind = replace(doc_kind, 'Contract', '');
alter table document_template add constraint document_template_contract_kind check (case
  when doc_kind like '%Contract' then contract_kind is not distinct from replace(doc_kind, 'Contract', '')
  when doc_kind = 'lendSlip' then contract_kind is null
  else true end);

-- The words that a document was made in, so that it reads the same for ever. Without a version: the built-in ones.
create table document_wording (
  doc_kind text not null check (doc_kind in ('supplement', 'changeRoom', 'changeTenant', 'settlementSheet',
    'handoverSheet', 'receipt', 'lendSlip')),
  -- by the kind: an act on a contract, a hand-over sheet, a flow of money, a loan of an archive
  record_id bigint not null,
  village_id bigint not null references village,
  template_version_id bigint references template_version,
  created_at timestamptz not null default now(), created_by bigint,
  primary key (doc_kind, record_id)
);
create index document_wording_version on document_wording (template_version_id, village_id)
  where template_version_id is not null;
create index document_wording_village on document_wording (village_id);

-- What was handed in or lent before was written in the built-in words.
insert into document_wording (doc_kind, record_id, village_id, created_at)
select case kind when 'settle' then 'settlementSheet' when 'changeRoom' then 'changeRoom'
    when 'changeTenant' then 'changeTenant' else 'supplement' end, id, village_id, now()
from contract_act where kind <> 'renew' and state in ('approving', 'confirming', 'signing', 'toPay', 'done');
insert into document_wording (doc_kind, record_id, village_id, created_at)
select 'lendSlip', l.id, a.village_id, l.created_at
from archive_loan l join contract_archive a on a.id = l.archive_id;
