import type { Pool } from "pg";
import { blacken } from "../../domains/customer/blacklist/entry.service.ts";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { acting } from "../acting.ts";

const SAID = [
  {
    level: "forbid",
    reasonKind: "长期欠费",
    reason: "退房后仍欠两个月租金，多次催收无果，电话已停机",
    ago: 40,
  },
  {
    level: "warn",
    reasonKind: "扰乱秩序",
    reason: "在住期间夜间噪音多次被邻居投诉，再次签约前请谈清住户公约",
    ago: 12,
  },
] as const;

/** Two who once lived in the first store: one is not to sign again, of the other one should know. */
export async function keepBlackList(
  place: Pick<Database, "pool" | "db"> & { cipher: Cipher },
  managerId: number,
  today: Day,
): Promise<void> {
  const { rows } = await place.pool.query<{ id: number }>(
    `select distinct c.party_id id from contract c join renter r on r.id = c.party_id
     where c.village_id = 1 and c.state in ('ended', 'terminated') and r.merged_into_id is null
       and not exists (select from contract n where n.party_id = c.party_id and n.state in ('approving', 'signing', 'effective', 'expired'))
       and not exists (select from party p join party o on o.phone = p.phone and o.id <> p.id where p.id = c.party_id)
     order by 1 limit ${SAID.length}`,
  );
  for (const [i, { id }] of rows.entries()) {
    const { ago, ...said } = SAID[i]!;
    await acting(place, managerId, new Date(`${addDays(today, -ago)}T15:20:00+08:00`), (act) =>
      blacken(act, { ...said, partyId: id, fileIds: [] }),
    );
  }
}

/** What customers were told about their reservations has arrived. */
export async function deliverNotices(pool: Pool): Promise<void> {
  await pool.query(`update outbox set state = 'sent', sent_at = created_at where state = 'queued' and source = 'notice'
    and party_id is not null`);
  await pool.query(
    "update push_recipient set state = 'delivered', done_at = made_at where notice <> '' and state = 'handed'",
  );
}
