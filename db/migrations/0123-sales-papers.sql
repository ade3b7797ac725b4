-- Slips and exports of the till that a merchant brings on the page of a month's link, until the month is declared.
alter table sales_link add file_ids bigint[] not null default '{}' check (cardinality(file_ids) <= 10);
