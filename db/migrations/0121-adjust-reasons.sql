-- Why a bill is corrected: words that the form proposes, each enterprise's own from then on.
insert into dic_default (kind, group_key, sort, code, name)
select 'customer', 'adjustReason', n * 10, 'A' || n, word
from unnest(array['协商减免', '房屋维修影响', '服务补偿', '优惠活动', '抄表差错', '录入差错']) with ordinality as w (word, n)
on conflict do nothing;
insert into dic_item (enterprise_id, kind, group_key, sort, code, name, built_in, icon)
select e.id, d.kind, d.group_key, d.sort, d.code, d.name, d.built_in, d.icon
from enterprise e, dic_default d where d.group_key = 'adjustReason'
on conflict do nothing;
