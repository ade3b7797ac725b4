-- A line's account is that of its statement: one reference to both says so and costs half of two.
alter table statement add constraint statement_of_account unique (id, merchant_account_id);
alter table statement_line drop constraint statement_line_statement_id_fkey, drop constraint statement_line_merchant_account_id_fkey,
  add constraint statement_line_statement foreign key (statement_id, merchant_account_id)
    references statement (id, merchant_account_id);
