import { sql } from "kysely";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import {
  amongWords,
  from,
  initials,
  is,
  keyword,
  named,
  number,
  phone,
  to,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { PriceUnit } from "../../listing/room/words.rules.ts";
import { PAGE_CODE } from "../../party/party/party.service.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import { type PayPlan, type ReservationState, earnestWarning } from "./reservation.rules.ts";
import { listReservations } from "./reservation.contract.ts";

/** Begin or end today and still stand: the workbench counts these and the list opens them. */
const today = (read: Read) =>
  sql`reservation_keeps(r.state) and (r.move_in_day = ${read.today}::date or r.hold_until = ${read.today}::date)`;
/** Lapsed with money that somebody must decide about. */
const kept = sql`r.state = 'lapsed' and exists (select 1 from earnest_balance h where h.bill_id = r.bill_id and h.held > 0)`;

type Raw = {
  id: number;
  number: string;
  partyId: number;
  partyName: string;
  partyKind: ChoiceKind;
  phone: string;
  villageId: number;
  villageName: string;
  roomId: number;
  roomName: string;
  moveInDay: string;
  plannedEndDay: string | null;
  holdUntil: string;
  rent: number;
  unit: PriceUnit;
  earnestKind: "定金" | "订金";
  earnest: number;
  received: number;
  state: ReservationState;
  ownerId: number;
  ownerName: string;
  contractId: number | null;
  refundId: number | null;
  contractNo: string;
  createdAt: string;
  held: number;
  signing: boolean;
  frozen: boolean;
  version: number;
};

/** What came in for it; a converted one's money, all that its bill asked in the end, went on into the contract. */
const RECEIVED = sql`case when r.state = 'converted' then coalesce(b.amount + b.adjusted, 0) else coalesce(b.settled, 0) end`;

const COLUMNS = sql`r.id, r.number, r.party_id "partyId", p.name "partyName", p.kind "partyKind", p.phone, r.village_id "villageId",
  v.name "villageName", r.room_id "roomId", m.full_name "roomName", r.move_in_day "moveInDay",
  r.planned_end_day "plannedEndDay", r.hold_until "holdUntil", r.rent, r.unit, r.earnest_kind "earnestKind", r.earnest,
  ${RECEIVED} received, r.state, r.owner_id "ownerId", o.real_name "ownerName", r.contract_id "contractId", r.refund_id "refundId",
  coalesce(c.contract_no, '') "contractNo", r.created_at "createdAt", coalesce(e.held, 0) held,
  (r.contract_id is not null and r.state = 'held') signing,
  exists (select 1 from examine x where x.target_kind = 'reservation' and x.target_id = r.id and x.state = 'approving') frozen,
  r.version`;
const BESIDE = sql`join party p on p.id = r.party_id join village v on v.id = r.village_id
  join room m on m.id = r.room_id join operator o on o.id = r.owner_id
  left join bill b on b.id = r.bill_id left join earnest_balance e on e.bill_id = r.bill_id
  left join contract_brief c on c.id = r.contract_id`;

const shown = <R extends Raw>(read: Read, row: R): R => ({
  ...row,
  partyName: read.who.permits.has(`${PAGE_CODE[row.partyKind]}.query`)
    ? row.partyName
    : maskName(row.partyName),
  phone: maskPhone(row.phone),
});

/** Every reservation; those that end soonest first. */
export const reservations = listOf(listReservations, {
  id: "r.id",
  from: sql`reservation r`,
  village: "r.village_id",
  where: {
    state: amongWords("r.state"),
    earnestKind: is("r.earnest_kind"),
    partyKind: (kinds) =>
      sql`exists (select 1 from party p where p.id = r.party_id and ${amongWords("p.kind")(kinds)})`,
    ownerId: is("r.owner_id"),
    leadId: is("r.lead_id"),
    moveInFrom: from("r.move_in_day"),
    moveInTo: to("r.move_in_day"),
    holdFrom: from("r.hold_until"),
    holdTo: to("r.hold_until"),
    today: (_, read) => today(read),
    kept: () => kept,
    keyword: keyword(
      number("r.number"),
      (text) => sql`exists (select 1 from party p where p.id = r.party_id
        and ${keyword(named("p.name"), initials("p.pinyin"), phone("p.phone", 15))(text)})`,
      (text) => sql`exists (select 1 from room m where m.id = r.room_id and ${named("m.full_name")(text)})`,
    ),
  },
  sort: {
    holdUntil: { order: (way) => sql`r.hold_until ${way}, r.id desc` },
    moveInDay: { order: (way) => sql`r.move_in_day ${way}, r.id desc` },
    createdAt: { order: (way) => sql`r.created_at ${way}, r.id desc`, way: "desc" },
  },
  order: "holdUntil",
  columns: sql<Raw>`${COLUMNS}`,
  join: sql`join reservation r on r.id = page.id ${BESIDE}`,
  sums: {
    select: sql`coalesce(sum(r.earnest), 0)::bigint earnest, coalesce(sum(${RECEIVED}), 0)::bigint received`,
    join: sql`left join bill b on b.id = r.bill_id`,
  },
  rows: (raws: Raw[], read) => raws.map((row) => shown(read, row)),
});

type Whole = Raw & {
  area: string;
  leadId: number | null;
  leadNumber: string | null;
  payPlan: PayPlan | null;
  agentName: string;
  remark: string;
  payUntil: string | null;
  heldAt: string | null;
  endedAt: string | null;
  endReason: string;
  billId: number | null;
  billNo: string | null;
  refundNo: string | null;
};

export async function reservationDetail(read: Read, id: number) {
  const { rows } = await sql<Whole>`
    select ${COLUMNS}, m.area::text area, r.lead_id "leadId", l.number "leadNumber", r.pay_plan "payPlan", coalesce((select a.name from agent a where a.id = r.agent_id), r.agent_name) "agentName",
      r.remark, r.pay_until "payUntil", r.held_at "heldAt", r.ended_at "endedAt", r.end_reason "endReason",
      r.bill_id "billId", b.bill_no "billNo", k.refund_no "refundNo"
    from reservation r ${BESIDE} left join lead l on l.id = r.lead_id left join refund k on k.id = r.refund_id
    where r.id = ${id} and r.village_id = any(${read.who.villages as number[]}::bigint[])`.execute(read.tx);
  const [row] = rows;
  if (!row) throw notFound();
  return { ...shown(read, row), warning: earnestWarning(row) ?? null };
}
