import type { Pool } from "pg";
import { planRent, type PayPlan } from "../../domains/listing/product/product.rules.ts";
import { addDays, type Day } from "../../platform/kernel/day.ts";

type Seed = {
  code: string;
  name: string;
  kind: "whole" | "room" | "shop";
  bedrooms: number;
  halls: number;
  capacity: number;
  description: string;
  facilities: string[];
};
const FLAT = ["床", "衣柜", "空调", "热水器", "宽带"];
const SEEDS: readonly Seed[] = [
  {
    code: "CP-DJ",
    name: "舒享单间",
    kind: "whole",
    bedrooms: 1,
    halls: 0,
    capacity: 2,
    description: "独立厨卫的开间，拎包入住，适合一人或情侣。",
    facilities: FLAT,
  },
  {
    code: "CP-1F",
    name: "雅致一居",
    kind: "whole",
    bedrooms: 1,
    halls: 1,
    capacity: 2,
    description: "卧室与客厅分开的一居室，配洗衣机和冰箱。",
    facilities: [...FLAT, "洗衣机", "冰箱"],
  },
  {
    code: "CP-2F",
    name: "阖家两居",
    kind: "whole",
    bedrooms: 2,
    halls: 1,
    capacity: 3,
    description: "两室一厅，适合三口之家，可办居住证。",
    facilities: [...FLAT, "洗衣机", "冰箱"],
  },
  {
    code: "CP-HZ",
    name: "合租次卧",
    kind: "room",
    bedrooms: 3,
    halls: 1,
    capacity: 1,
    description: "三室一厅中的一间，公共区域每周保洁一次。",
    facilities: FLAT,
  },
  {
    code: "CP-SP",
    name: "临街商铺",
    kind: "shop",
    bedrooms: 0,
    halls: 0,
    capacity: 10,
    description: "一层临街铺面，独立电表，可办照。",
    facilities: [],
  },
];
const PLANS: readonly PayPlan[] = [
  { depositMonths: 1, payMonths: 1, adjustPercent: 0, default: false },
  { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true },
  { depositMonths: 1, payMonths: 6, adjustPercent: -2, default: false },
  { depositMonths: 1, payMonths: 12, adjustPercent: -5, default: false },
];

/** Room types as a leasing head keeps them: each room has its own, a quarter of them follow its price. */
export async function makeProducts(pool: Pool, enterpriseId: number, today: Day, by: number): Promise<void> {
  const since = addDays(today, -320);
  const raised = addDays(today, -80);
  for (const seed of SEEDS) {
    const { rows } = await pool.query<{ villageId: number; price: number; low: number; high: number }>(
      `select r.village_id "villageId", round(avg(p.list_price) / 5000)::bigint * 5000 price, min(r.area) low, max(r.area) high
       from room r join apartment a on a.id = r.apartment_id join village v on v.id = r.village_id
       join lateral (select list_price from room_price where room_id = r.id order by effective_day desc limit 1) p on true
       where v.enterprise_id = $1 and r.kind = $2 and r.retired_day is null and ($2 <> 'whole' or (a.bedrooms = $3 and a.halls = $4))
       group by 1 order by 1`,
      [enterpriseId, seed.kind, seed.bedrooms, seed.halls],
    );
    if (!rows.length) continue;
    const general = rows.map((row) => Number(row.price)).toSorted((a, b) => a - b)[rows.length >> 1]!;
    const made = await pool.query<{ id: number }>(
      `insert into product (enterprise_id, code, name, kind, village_ids, bedrooms, halls, baths, kitchens, area_from, area_to,
         capacity, facilities, description, min_term_months, max_term_months, pay_plans, fees, created_by, updated_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, 6, 24, $14,
         coalesce((select jsonb_build_array(jsonb_build_object('subjectId', id, 'way', 'amount', 'amount', 10000, 'unitPrice', null, 'cycle', 'month'))
           from fee_subject where enterprise_id = $1 and code = 'property'), '[]'), $15, $15) returning id`,
      [
        enterpriseId,
        seed.code,
        seed.name,
        seed.kind,
        rows.map((row) => row.villageId),
        seed.bedrooms,
        seed.halls,
        seed.kind === "shop" ? 0 : 1,
        Math.floor(Math.min(...rows.map((row) => Number(row.low)))),
        Math.ceil(Math.max(...rows.map((row) => Number(row.high)))),
        seed.capacity,
        seed.facilities,
        seed.description,
        JSON.stringify(PLANS),
        by,
      ],
    );
    const id = made.rows[0]!.id;
    for (const [day, percent] of [
      [since, -3],
      [raised, 0],
    ] as const)
      for (const { villageId, price } of [{ villageId: null, price: general }, ...rows]) {
        if (villageId !== null && Number(price) === general) continue;
        const list = planRent(Number(price), percent);
        await pool.query(
          `insert into product_price (product_id, village_id, effective_day, list_price, lowest_price, created_by, created_at)
           values ($1, $2, $3::date, $4, $5, $6, $3::date + time '10:00')`,
          [id, villageId, day, list, planRent(list, -7), by],
        );
      }
    await pool.query(
      `update room r set product_id = $1, price_mode = case when r.id % 4 = 0 then 'follow' else 'own' end
       from apartment a where a.id = r.apartment_id and r.village_id = any($2::bigint[]) and r.kind = $3
         and r.retired_day is null and ($3 <> 'whole' or (a.bedrooms = $4 and a.halls = $5))`,
      [id, rows.map((row) => row.villageId), seed.kind, seed.bedrooms, seed.halls],
    );
    await pool.query(
      `insert into room_price (room_id, effective_day, list_price, lowest_price, source, source_id, created_by)
       select r.id, $2, p.list_price, p.lowest_price, 'product', $1, $3
       from room r cross join lateral (select * from product_price x where x.product_id = $1 and x.effective_day = $2
         and (x.village_id = r.village_id or x.village_id is null) order by x.village_id nulls last limit 1) p
       where r.product_id = $1 and r.price_mode = 'follow' on conflict (room_id, effective_day) do nothing`,
      [id, raised, by],
    );
    await pool.query(
      `insert into business_log (kind, record_id, number, action, summary, operator_id, operator_name, at)
       select 'product', $1, $2, '新增', $3, o.id, o.real_name, $4::date + time '10:00'
       from operator o where o.id = $5`,
      [id, seed.code, `新增产品 ${seed.name}`, since, by],
    );
  }
}
