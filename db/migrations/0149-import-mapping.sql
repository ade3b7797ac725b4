-- How a file with headings of its own is read: the row of its headings, their texts, and which field is read from which column.
alter table agent_import add column mapping jsonb;
alter table bill_import add column mapping jsonb;
alter table budget_import add column mapping jsonb;
alter table contract_import add column mapping jsonb;
alter table dic_import add column mapping jsonb;
alter table firm_import add column mapping jsonb;
alter table lead_import add column mapping jsonb;
alter table occupant_import add column mapping jsonb;
alter table refund_import add column mapping jsonb;
alter table renter_import add column mapping jsonb;
alter table room_import add column mapping jsonb;
alter table sales_import add column mapping jsonb;
alter table sub_account_import add column mapping jsonb;
alter table target_import add column mapping jsonb;
alter table third_party_import add column mapping jsonb;
