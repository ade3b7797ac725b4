-- A confirmed share of nothing has nothing open: it is settled, with nothing.
alter table third_party_income drop constraint third_party_income_check7;
alter table third_party_income add constraint third_party_income_settled_whole check (state <> 'settled' or settled = share);
update third_party_income set state = 'settled' where state = 'confirmed' and share = 0;
