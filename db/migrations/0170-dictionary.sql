-- Words that forms offer: kept per enterprise, begun with these.
create table dic_default (
  kind text not null check (kind in ('house', 'facility', 'customer')),
  group_key text not null,
  sort int not null,
  code text not null,
  name text not null,
  built_in boolean not null default false,
  primary key (kind, group_key, code)
);
create table dic_item (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprise,
  kind text not null check (kind in ('house', 'facility', 'customer')),
  group_key text not null,
  -- what records of coded groups keep; never changed
  code text not null check (code ~ '^[A-Za-z0-9_-]{1,20}$'),
  name text not null check (char_length(name) between 1 and 20),
  colour text not null default 'grey',
  hint text not null default '' check (char_length(hint) <= 50),
  -- cleaning list: done only with a picture
  photo boolean not null default false,
  -- facilities: offered in these villages only; empty = in all
  village_ids bigint[] not null default '{}',
  sort int not null default 0,
  enabled boolean not null default true,
  -- belongs to the product: name and order may change, it is never deleted
  built_in boolean not null default false,
  created_at timestamptz not null default now(), created_by bigint,
  updated_at timestamptz not null default now(), updated_by bigint,
  version int not null default 1,
  constraint dic_item_name unique (enterprise_id, kind, group_key, name),
  constraint dic_item_code unique (enterprise_id, kind, group_key, code)
);

insert into dic_default (kind, group_key, sort, code, name, built_in)
select kind, group_key, n * 10,
  coalesce(split_part(word, '=', 2), ''), split_part(word, '=', 1), built_in
from (values
  ('house', 'orientation', false, '东=E,南=S,西=W,北=N,东南=SE,西南=SW,东北=NE,西北=NW,南北=SN,东西=EW'),
  ('house', 'decoration', false, '毛坯=bare,简装=simple,精装=fine,豪装=luxury'),
  ('house', 'roomTag', false, '阳台=T1,独立卫生间=T2,近电梯=T3,高楼层=T4,临街=T5'),
  ('house', 'areaKind', true, '大堂=lobby,健身房=gym,洗衣房=laundry,会议室=meeting,走廊=corridor,屋顶=roof,储藏间=store'),
  ('house', 'blockNote', false, '设备维修=B1,装修改造=B2,消防整改=B3,样板展示=B4,员工自用=B5'),
  ('house', 'cleanList', false, '地面与墙面=C1,卫生间=C2,厨房=C3,门窗玻璃=C4,家具家电=C5,垃圾清运=C6'),
  ('house', 'holdReason', false, '等待验收=H1,待装修=H2,价格待定=H3,业主自用=H4'),
  ('facility', 'room', false, '空调=F1,热水器=F2,洗衣机=F3,冰箱=F4,床=F5,衣柜=F6,书桌=F7,沙发=F8,餐桌=F9,电视=F10,宽带=F11,燃气灶=F12,油烟机=F13,微波炉=F14,暖气=F15,智能门锁=F16,独立卫生间=F17,独立厨房=F18,阳台=F19,电梯=F20'),
  ('facility', 'village', false, '停车位=V1,快递柜=V2,门禁=V3,监控=V4,充电桩=V5'),
  ('facility', 'area', false, '桌椅=A1,投影=A2,洗衣机=A3,健身器材=A4,饮水机=A5'),
  ('customer', 'source', true, '上门=walkIn,网站=web,转介绍=referral,房源平台=channel,经纪人=agent,其他=other'),
  ('customer', 'tag', false, '优质客户=T1,重点跟进=T2,合租意向=T3'),
  ('customer', 'job', false, '企业职员=J1,公务人员=J2,自由职业=J3,个体经营=J4,学生=J5'),
  ('customer', 'relation', false, '父母=R1,配偶=R2,子女=R3,亲属=R4,朋友=R5,同事=R6'),
  ('customer', 'lostReason', false, '价格过高=L1,位置不合适=L2,房型不合适=L3,选择他处=L4,暂不租房=L5,联系不上=L6'),
  ('customer', 'leaveReason', false, '租约到期=E1,工作变动=E2,购房=E3,房屋问题=E4,费用原因=E5'),
  ('customer', 'blackReason', false, '长期欠费=K1,损坏房屋=K2,扰乱秩序=K3,违规转租=K4'),
  ('customer', 'repairKind', false, '水电=P1,门窗=P2,家电=P3,家具=P4,门锁=P5,网络=P6,墙地面=P7'),
  ('customer', 'industry', false, '互联网=I1,制造业=I2,餐饮=I3,零售=I4,教育=I5,医疗=I6,物流=I7,金融=I8'),
  ('customer', 'scale', false, '50人以下=S1,50至200人=S2,200至1000人=S3,1000人以上=S4'),
  ('customer', 'business', false, '餐饮=M1,便利店=M2,生活服务=M3,健身=M4,教育培训=M5,仓储=M6')
) as g (kind, group_key, built_in, words),
  lateral unnest(string_to_array(words, ',')) with ordinality as w (word, n);

create function begin_dictionary(enterprise bigint) returns void language sql as $$
  insert into dic_item (enterprise_id, kind, group_key, sort, code, name, built_in)
  select enterprise, kind, group_key, sort, code, name, built_in from dic_default
  on conflict do nothing;
$$;
create function dictionary_of_new_enterprise() returns trigger language plpgsql as $$
begin
  perform begin_dictionary(new.id);
  return null;
end $$;
create trigger enterprise_dictionary after insert on enterprise
  for each row execute function dictionary_of_new_enterprise();
select begin_dictionary(id) from enterprise;

-- The functions of 配置中心 are called as their tabs are.
update function_node f set name = n.name
from (values
  ('109', '客户字典', '费用字典'), ('111', '费用字典', '客户字典'), ('119', '设施字典', '评价标签'),
  ('123', '小程序配置', '保洁服务配置'), ('124', '会员等级', '设施字典'), ('125', '评价标签', '知识分类'),
  ('129', '知识分类', '巡检配置'), ('138', '指标配置', '指标与规则'), ('140', '巡检配置', '会员等级'),
  ('250', '保洁配置', '小程序配置'), ('251', '催缴规则', '消息与催缴规则')
) as n (key, was, name)
where f.key = n.key and f.name = n.was;
