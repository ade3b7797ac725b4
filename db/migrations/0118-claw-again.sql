-- A line that takes a commission back is void once the leaving is undone; whoever leaves after that is counted anew.
drop index if exists commission_left_early;
create unique index commission_left_early on commission (claws_id) where kind = 'claw' and not by_hand and state <> 'void';
