import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";

/** One feed for the company's own site, and a partner that is switched off until its address is known. */
const CHANNELS = [
  {
    name: "官网房源",
    adapter: "feed",
    config: { pageSize: 100 },
    minPictures: 0,
    leadDays: 30,
    enabled: true,
  },
  {
    name: "合作找房平台",
    adapter: "httpPush",
    config: { url: "https://partner.example/listings", timeoutSeconds: 10, mapped: false },
    minPictures: 3,
    leadDays: 0,
    enabled: false,
  },
] as const;
const ASKED = [
  ["陈雨桐", "13700008801", "周末可以看房吗，两个人住"],
  ["郑一帆", "13700008802", "能否短租半年"],
  ["何晓琳", "13700008803", "请问是否可以养猫"],
] as const;

/**
 * Channels as an operator sets them up. What stands on them is found by the job that looks at rooms; a few people have
 * asked already, and each became a lead of the pool.
 */
export async function makeChannels(pool: Pool, cipher: Cipher, by: number, today: Day): Promise<void> {
  await pool.query("update village set lng = 120.15 + id * 0.01, lat = 30.25 + id * 0.005 where lng is null");
  const ids: number[] = [];
  for (const c of CHANNELS) {
    const secret = randomBytes(32).toString("base64url");
    const { rows } = await pool.query<{ id: number }>(
      `insert into channel (enterprise_id, name, adapter, config, secret, secret_hash, village_ids, lead_days, min_pictures,
         enabled, created_by, updated_by, created_at)
       select e.id, $1, $2, $3, $4, $5, array(select id from village where enterprise_id = e.id and state = 'open' order by id),
         $6, $7, $8, $9, $9, $10::date + time '09:30'
       from enterprise e where exists (select from village v where v.enterprise_id = e.id and v.state = 'open')
       order by e.id limit 1 returning id`,
      [
        c.name,
        c.adapter,
        JSON.stringify(c.config),
        cipher.seal(secret),
        cipher.hash(`feed ${secret}`),
        c.leadDays,
        c.minPictures,
        c.enabled,
        by,
        addDays(today, -30),
      ],
    );
    if (rows[0]) ids.push(rows[0].id);
  }
  if (!ids.length) return;
  const rooms = await pool.query<{ id: number; villageId: number; enterpriseId: number }>(
    `select r.id, r.village_id "villageId", v.enterprise_id "enterpriseId" from room r join village v on v.id = r.village_id
     where r.is_leaf and r.retired_day is null and v.state = 'open' order by r.id limit $1`,
    [ASKED.length],
  );
  for (const [i, room] of rooms.rows.entries()) {
    const [name, phone, message] = ASKED[i]!;
    const at = `${addDays(today, -i - 1)} ${10 + i}:15:00+08`;
    await pool.query(
      `with asked as (
         insert into channel_enquiry (channel_id, room_id, village_id, outside_id, name, phone, message, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id),
       made as (
         insert into lead (number, enterprise_id, name, phone, source, village_ids, remark, pool_at, created_at)
         values ('KY' || to_char($8::timestamptz, 'YYYYMMDD') || '-9' || lpad($1 || $4, 5, '0'), $9, $5, $6, 'channel', array[$3::bigint], $7, $8, $8)
         returning id),
       said as (insert into lead_event (lead_id, kind, content, at) select id, 'system', '官网房源咨询：' || $7, $8 from made)
       insert into lead_enquiry (enquiry_id, lead_id) select asked.id, made.id from asked, made`,
      [ids[0], room.id, room.villageId, String(1001 + i), name, phone, message, at, room.enterpriseId],
    );
  }
}
