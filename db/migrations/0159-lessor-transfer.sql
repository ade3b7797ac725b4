-- A lessor is verified too by an amount of some fen sent to its bank account, which it reads there and types back.
alter table lessor_request
  drop constraint lessor_request_way_check,
  add constraint lessor_request_way_check check (way in ('sms', 'manual', 'transfer', 'letter')),
  add amount bigint check (amount between 1 and 99),
  add sent_at timestamptz,
  add constraint lessor_request_transfer check ((way = 'transfer') = (amount is not null) and (sent_at is null or amount is not null));
