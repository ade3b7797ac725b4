-- Whether somebody who may signs with whom the black list forbids let it be when the contract was handed in, and who handed it in.
alter table contract
  add black_list_forbids boolean not null default false,
  add submitted_by bigint references operator;
update contract c set black_list_forbids = black_list_reason is not null,
  submitted_by = (select o.id from operator o where o.id = c.created_by)
  where state in ('approving', 'signing');
