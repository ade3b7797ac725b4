import type { Rule } from "../../domains/customer/reminder/rule.service.ts";
import { KIND_OF, ofBills } from "../../domains/customer/reminder/reminder.rules.ts";
import { filled, smsParts } from "../../domains/system/template/template.rules.ts";
import { daysBetween, type Day } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import { brandOf } from "../../platform/server/pipeline/brand.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { nextIds } from "../../platform/server/database/next-ids.ts";
import { readSettings } from "../../platform/server/process/settings.ts";

const DAYS = 29;
/** Enough to look at, however large the company. */
const MOST = 300;

type Said = {
  on: Day;
  partyId: number;
  villageId: number;
  name: string;
  phone: string;
  room: string;
  day: Day;
  number: string;
  amount: number;
  records: number[];
};

/** Bills that were open on the day, each at one of its days; what a payer had on one day went in one message. */
const BILLS = `
  select to_char(d.on, 'YYYY-MM-DD') "on", b.party_id "partyId", min(b.village_id) "villageId", p.name, p.phone,
    string_agg(distinct c.room_names, '、') room, to_char(min(b.due_date), 'YYYY-MM-DD') "day", min(b.bill_no) number,
    sum(b.amount + b.adjusted)::bigint amount, array_agg(b.id order by b.id) records
  from (select $1::date - n "on" from generate_series(1, $3::int) n) d cross join unnest($2::int[]) o
  join bill b on b.due_date = d.on - o join contract c on c.id = b.contract_id join party p on p.id = b.party_id
  where b.direction = 'receivable' and b.issued_at is not null and b.voided_at is null and p.phone <> ''
    and b.village_id <= 12
    and (b.outstanding > 0 or (select max(a.date) from allocation a where a.bill_id = b.id) >= d.on)
  group by d.on, b.party_id, p.name, p.phone order by d.on desc, b.party_id limit $4`;

const CONTRACTS = `
  select to_char(d.on, 'YYYY-MM-DD') "on", c.party_id "partyId", c.village_id "villageId", p.name, p.phone,
    c.room_names room, to_char(c.end_date, 'YYYY-MM-DD') "day", c.contract_no number, 0::bigint amount, array[c.id] records
  from (select $1::date - n "on" from generate_series(1, $3::int) n) d cross join unnest($2::int[]) o
  join contract c on c.end_date = d.on - o join party p on p.id = c.party_id
  where c.state in ('effective', 'expired') and p.phone <> ''
  order by d.on desc, c.id limit $4`;

type Message = { rule: number; kind: string; at: string } & Record<string, unknown>;

/** What a rule has sent in the last weeks. */
export async function remindedBefore(
  { pool, cipher }: Pick<Database, "pool"> & { cipher: Cipher },
  rule: Rule,
  today: Day,
): Promise<Message[]> {
  const { productTitle } = await brandOf(readSettings({ MODE: "demo" }).BRAND);
  const { rows } = await pool.query<Said>(ofBills(rule.event) ? BILLS : CONTRACTS, [
    today,
    rule.offsets,
    DAYS,
    MOST,
  ]);
  const [way] = rule.ways;
  return rows.map((said, i) => {
    const body = filled(way!.body, valuesOf(said));
    const failed = i % 41 === 7;
    return {
      rule: rule.id,
      kind: KIND_OF[rule.event],
      at: `${said.on}T${rule.sendAt}:30+08:00`,
      party: said.partyId,
      village: said.villageId,
      address: cipher.seal(said.phone).toString("hex"),
      body,
      parts: smsParts(body, productTitle),
      state: failed ? "failed" : "delivered",
      reason: failed ? "号码停机" : "",
      on: said.on,
      day: said.day,
      records: said.records,
    };
  });
}

/** Keeps what several rules have sent, in the order in which it went. */
export async function keepReminded(
  { pool, db }: Pick<Database, "pool" | "db">,
  messages: readonly Message[],
): Promise<void> {
  const ids = await nextIds({ tx: db }, "push_recipient", messages.length);
  const sorted = messages.toSorted((a, b) => a.at.localeCompare(b.at)).map((m, i) => ({ ...m, id: ids[i] }));
  await pool.query(
    `with m as materialized (select * from jsonb_to_recordset($1) as m(id bigint, rule bigint, kind text, at timestamptz,
       party bigint, village bigint, address text, body text, parts int, state text, reason text, "on" date, "day" date,
       records bigint[])),
     put as (insert into push_recipient (id, rule_id, made_at, party_id, channel, village_id, address_cipher, body, parts,
         state, reason, done_at)
       select id, rule, at, party, 'sms', village, decode(address, 'hex'), body, parts, state, reason, at from m order by id)
     insert into reminder_line (rule_id, kind, record_id, days, party_id, channel, recipient_id)
     select m.rule, m.kind, x.id, m.on - coalesce(b.due_date, m.day), m.party, 'sms', m.id
     from m cross join unnest(m.records) x(id) left join bill b on b.id = x.id and m.kind = 'bill'`,
    [JSON.stringify(sorted)],
  );
}

const valuesOf = (said: Said) => ({
  姓名: said.name,
  房间: said.room,
  账单数: String(said.records.length),
  应付金额: yuan(said.amount),
  应收日: said.day,
  逾期天数: String(daysBetween(said.day, said.on)),
  到期日: said.day,
  合同编号: said.number,
});
