-- The fee subjects that a contract or a product may charge beside rent and deposit. Costs are paid by the house itself,
-- late
-- fees follow from dates, earnest money is taken by reservations: billed as a fee, such a line would stay in 2204 for
-- ever.
create or replace view fee_choice as
  select id from fee_subject where kind in ('income', 'agency', 'deposit') and code not in ('rent', 'deposit');
