import type { Pool } from "pg";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Category } from "../../domains/listing/asset/asset.rules.ts";

type Kind = readonly [
  name: string,
  category: Category,
  spec: string,
  unit: string,
  yuan: number,
  damage: number,
  warranty: number,
];

const KINDS: readonly Kind[] = [
  ["双人床", "furniture", "1.5m×2.0m", "张", 1280, 800, 12],
  ["床垫", "furniture", "1.5m×2.0m", "张", 690, 500, 12],
  ["衣柜", "furniture", "两门", "个", 860, 600, 12],
  ["书桌", "furniture", "1.2m", "张", 360, 260, 12],
  ["座椅", "furniture", "", "把", 120, 90, 0],
  ["沙发", "furniture", "双人", "个", 1180, 800, 12],
  ["空调", "appliance", "1.5匹", "台", 2299, 1600, 72],
  ["电热水器", "appliance", "60L", "台", 1099, 800, 24],
  ["洗衣机", "appliance", "8kg", "台", 1499, 1000, 36],
  ["冰箱", "appliance", "180L", "台", 1199, 900, 36],
  ["智能门锁", "hardware", "", "把", 799, 600, 24],
  ["窗帘", "soft", "遮光", "套", 220, 180, 0],
  ["商用洗衣机", "shared", "10kg", "台", 4600, 3200, 12],
  ["烘干机", "shared", "10kg", "台", 5200, 3600, 12],
  ["跑步机", "shared", "", "台", 6800, 4500, 12],
  ["接待沙发", "shared", "三人", "组", 3200, 2000, 12],
  ["灭火器", "shared", "4kg", "只", 85, 85, 60],
];

/** Areas of a store: where they are, and what stands in them. */
const AREAS = [
  {
    name: "大堂",
    kind: "lobby",
    floor: 1,
    area: 86.5,
    capacity: 40,
    hours: "全天",
    holds: ["接待沙发", "灭火器"],
  },
  {
    name: "洗衣房",
    kind: "laundry",
    floor: 1,
    area: 24,
    capacity: 8,
    hours: "07:00-23:00",
    holds: ["商用洗衣机", "烘干机"],
  },
  {
    name: "健身房",
    kind: "gym",
    floor: 2,
    area: 58,
    capacity: 15,
    hours: "06:30-22:30",
    holds: ["跑步机", "灭火器"],
  },
  ...[2, 3, 4, 5].map((floor) => ({
    ...{ name: `走廊 ${floor}F`, kind: "corridor", floor, area: 42.5, capacity: null, hours: "全天" },
    holds: ["灭火器"],
  })),
];

const IN_A_ROOM = ["双人床", "床垫", "衣柜", "书桌", "座椅", "空调", "电热水器", "智能门锁", "窗帘"];
const FURNISHED_STORES = 3;
const FURNISHED_ROOMS = 20;

/** Shared spaces of every store and, in the first stores, what stands in them and in their rooms. */
export async function furnish(pool: Pool, enterpriseId: number, today: Day): Promise<void> {
  await pool.query(
    `insert into asset_dic (enterprise_id, name, category, spec, unit, price, damage_price, warranty_months,
       needs_serial, life_months, created_by)
     select $1, k.name, k.category, k.spec, k.unit, k.price * 100, k.damage * 100, k.warranty, k.name = '智能门锁', 60, 1
     from json_to_recordset($2) as k(name text, category text, spec text, unit text, price bigint, damage bigint, warranty int)`,
    [
      enterpriseId,
      JSON.stringify(
        KINDS.map(([name, category, spec, unit, price, damage, warranty]) => ({
          ...{ name, category, spec, unit, price, damage, warranty },
        })),
      ),
    ],
  );
  await pool.query(
    `insert into public_area (village_id, building_id, floor_id, name, kind_dic, area, capacity, open_hours, manager_id,
       created_by)
     select v.id, b.id, f.id, a.name, a.kind, a.area, a.capacity, a.hours, v.manager_id, v.manager_id
     from village v
     join lateral (select id from building where village_id = v.id order by sort, id limit 1) b on true
     cross join json_to_recordset($2) as a(name text, kind text, floor int, area numeric, capacity int, hours text)
     join floor f on f.building_id = b.id and f.number = a.floor
     where v.enterprise_id = $1 and (v.mode = 'centralised' or a.kind <> 'gym') order by v.id, f.number, a.name`,
    [enterpriseId, JSON.stringify(AREAS)],
  );
  const put = (places: string, values: readonly unknown[]) =>
    pool.query(
      `insert into room_asset (enterprise_id, village_id, room_id, public_area_id, asset_dic_id, code, name, brand,
         quantity, purchased_on, warranty_to, price, state, reason, created_by)
       select $1, p.village_id, p.room_id, p.area_id, d.id,
         'QH' || case when p.room_id is null then 'G' else 'F' end ||
           lpad((row_number() over (order by p.village_id, p.room_id, p.area_id, d.id))::text, 5, '0'),
         d.name, case d.category when 'appliance' then '海蓝' when 'hardware' then '安居' else '' end,
         case when d.name in ('商用洗衣机', '灭火器', '座椅') then 2 else 1 end, p.bought,
         case when d.warranty_months > 0 then (p.bought + make_interval(months => d.warranty_months))::date end,
         d.price, case when p.n % 17 = 3 and d.name = '书桌' then 'damaged' else 'inUse' end,
         case when p.n % 17 = 3 and d.name = '书桌' then '桌面开裂，待更换' else '' end, 1
       from (${places}) p join asset_dic d on d.enterprise_id = $1 and d.name = any(p.names)`,
      [enterpriseId, ...values],
    );
  const bought = addDays(today, -420);
  await put(
    `select r.village_id, r.id room_id, null::bigint area_id, $2::text[] names,
       $3::date + (r.n % 90)::int bought, r.n
     from (select r.*, row_number() over (partition by village_id order by place, id) n from room r
       where r.is_leaf and r.kind in ('whole', 'room')
         and r.village_id in (select id from village where enterprise_id = $1 order by id limit $4)) r
     where r.n <= $5`,
    [IN_A_ROOM, bought, FURNISHED_STORES, FURNISHED_ROOMS],
  );
  await put(
    `select a.village_id, null::bigint room_id, a.id area_id, h.holds names, $3::date bought, 0 n
     from public_area a join village v on v.id = a.village_id and v.enterprise_id = $1
     join (select name, array(select json_array_elements_text(holds)) holds
       from json_to_recordset($2) as x(name text, holds json)) h on h.name = a.name`,
    [JSON.stringify(AREAS), bought],
  );
}
