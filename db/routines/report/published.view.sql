-- What domains to the left read of reports.

-- The days on which debtors promised to pay; the last row of a debtor and store holds.
create or replace view payment_promise as
  select id, party_id, village_id, promise_day from owing_follow;
