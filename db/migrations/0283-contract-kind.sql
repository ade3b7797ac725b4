-- A contract of renters, companies or merchants is with a party of that kind, and with no other.
alter table party add constraint party_id_kind unique (id, kind);
alter table contract add constraint contract_party_kind foreign key (party_id, kind) references party (id, kind);
