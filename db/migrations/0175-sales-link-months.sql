-- A link may be for several months of a shop: each is a row of its own, with one hash.
alter table sales_link drop constraint sales_link_hash_key;
create unique index sales_link_hash_month on sales_link (hash, month_no);
