-- Settlements that came to nothing were over when they were confirmed, and left their rooms with 到期未结账, or with 退租中.
update room_leaving l
set closed_on = greatest(l.applied_on, a.effective_on),
  ended_on = coalesce(l.ended_on, greatest(l.applied_on, a.effective_on))
from contract_act a
where a.contract_id = l.contract_id and a.kind = 'settle' and a.state = 'done' and a.net = 0 and a.refund_id is null
  and l.closed_on is null and not l.withdrawn;
