-- Firms ask for rooms too: whoever a lead turned out to be is one record, of a person or of a firm.
alter table lead add column company_id bigint references company;
alter table lead add column merchant_id bigint references merchant;
alter table lead add constraint lead_one_party check (num_nonnulls(renter_id, company_id, merchant_id) <= 1);
create index lead_company on lead (company_id) where company_id is not null;
create index lead_merchant on lead (merchant_id) where merchant_id is not null;
