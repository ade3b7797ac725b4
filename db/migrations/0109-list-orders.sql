-- Acts of a kind by day, whatever state they are in.
create index contract_act_day on contract_act (kind, effective_on, id);
-- Entries of the journal by day, the newest of a day first.
create index journal_entry_day on journal_entry (date, id);
-- What a fee subject is used by.
create index bill_line_subject on bill_line (fee_subject_id);
-- Who owes most of all contracts.
create index contract_money_owed on contract_money (outstanding, contract_id);
