-- Search inside Chinese and Latin text by trigram, and exclusion constraints that mix an id with a range of days.
-- Text is kept in the database's plain order; where people see an order, a query says `collate "zh-x-icu"`.
create extension if not exists pg_trgm;
create extension if not exists btree_gist;
