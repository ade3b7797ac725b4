-- More words that forms offer: marks of layouts, kinds of buildings, and whose a flat is.
insert into dic_default (kind, group_key, sort, code, name, built_in)
select kind, group_key, n * 10, split_part(word, '=', 2), split_part(word, '=', 1), built_in
from (values
  ('house', 'layoutTag', false, '开间=L1,一居=L2,两居=L3,三居=L4,复式=L5,平层=L6'),
  ('house', 'buildingKind', false, '公寓楼=K1,塔楼=K2,板楼=K3,商住楼=K4,写字楼=K5,洋房=K6'),
  -- what these mean is known to the product: a leased flat has a lease above it
  ('house', 'source', true, '自持=own,承租=leased,托管=managed')
) as g (kind, group_key, built_in, words),
  lateral unnest(string_to_array(words, ',')) with ordinality as w (word, n);
insert into dic_item (enterprise_id, kind, group_key, sort, code, name, built_in)
select e.id, d.kind, d.group_key, d.sort, d.code, d.name, d.built_in
from enterprise e cross join dic_default d
where d.kind = 'house' and d.group_key in ('layoutTag', 'buildingKind', 'source');

alter table apartment drop constraint apartment_source_check;
alter table apartment
  add constraint apartment_source_check check (source ~ '^[A-Za-z0-9_-]{1,20}$'),
  add layout_tags text[] not null default '{}' check (cardinality(layout_tags) <= 10);
alter table building add kind text not null default '' check (char_length(kind) <= 20);

-- facilities of public areas are called as the areas are; each facility may have a picture of its own
update dic_default set group_key = 'publicArea' where kind = 'facility' and group_key = 'area';
update dic_item set group_key = 'publicArea' where kind = 'facility' and group_key = 'area';
alter table dic_item add icon text not null default '' check (icon ~ '^[a-z]{0,20}$');
alter table dic_default add icon text not null default '';
update dic_default d set icon = i.icon
from (values
  ('空调', 'wind'), ('热水器', 'drop'), ('洗衣机', 'drop'), ('宽带', 'globe'), ('电视', 'screen'), ('智能门锁', 'lock'),
  ('燃气灶', 'flame'), ('暖气', 'flame'), ('床', 'bed'), ('衣柜', 'box'), ('书桌', 'table'), ('餐桌', 'table'),
  ('电梯', 'building'), ('阳台', 'sun'), ('停车位', 'car'), ('快递柜', 'box'), ('门禁', 'lock'), ('监控', 'eye'),
  ('充电桩', 'bolt'), ('桌椅', 'table'), ('投影', 'screen'), ('饮水机', 'drop')
) as i (name, icon)
where d.kind = 'facility' and d.name = i.name;
update dic_item d set icon = f.icon from dic_default f
where d.kind = 'facility' and f.kind = 'facility' and f.group_key = d.group_key and f.code = d.code;

create or replace function begin_dictionary(enterprise bigint) returns void language sql as $$
  insert into dic_item (enterprise_id, kind, group_key, sort, code, name, built_in, icon)
  select enterprise, kind, group_key, sort, code, name, built_in, icon from dic_default
  on conflict do nothing;
$$;
