import { sql } from "kysely";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { mayOpen, NODE_TEXT } from "../../approval/examine/propose.service.ts";
import { BLOCK_REASONS, type BlockReason } from "../room/words.rules.ts";
import type { Renting } from "../room/renting.rules.ts";
import type { Reason } from "./detail.contract.ts";
import type { Condition, Flag, Occupancy } from "../status/status.rules.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { aRow } from "../../../platform/server/database/row.ts";

export const nameFor = (read: Read, name: string) =>
  read.who.permits.has("16.query") ? name : maskName(name);

export async function contractOf(read: Read, id: number, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    kind: Renting;
    state: string;
    partyId: number;
    partyKind: string;
    partyName: string;
    phone: string;
    start: Day;
    end: Day;
    handoverOn: Day | null;
    rentFen: number;
    payText: string;
    depositFen: number;
    billedFen: number;
    receivedFen: number;
    nextDueOn: Day | null;
    nextDueFen: number | null;
    occupants: { name: string; relation: string; lockAccess: boolean }[];
  }>`
    select c.id, c.contract_no number, c.kind, c.state, c.party_id "partyId", p.kind "partyKind", p.name "partyName", p.phone, c.start_date start, c.end_date "end",
      c.handover_on "handoverOn", coalesce(k.monthly_rent, c.monthly_rent, 0) "rentFen", c.pay_text "payText",
      coalesce((select held from money_held where contract_id = c.id and kind = 'deposit'), 0) "depositFen",
      coalesce(m.billed, 0) "billedFen", coalesce(m.received, 0) "receivedFen", m.next_due_on "nextDueOn", m.next_due_fen "nextDueFen",
      coalesce((select json_agg(json_build_object('name', o.name, 'relation', o.relation, 'lockAccess', o.lock_access) order by o.id)
        from contract_occupant_brief o where o.contract_id = c.id and (o.room_id is null or o.room_id = ${roomId})
          and (o.to_date is null or o.to_date >= ${read.today}::date)), '[]') occupants
    from contract_brief c join party_brief p on p.id = c.party_id
    left join contract_money_brief m on m.contract_id = c.id
    left join occupancy_row r on r.contract_id = c.id and r.room_id = ${roomId}
    left join contract_room_brief k on k.contract_id = c.id and k.room_id = coalesce(r.let_room_id, ${roomId})
    where c.id = ${id} limit 1`.execute(read.tx);
  const row = rows[0];
  if (!row) return null;
  const occupants = row.occupants.map((o) => ({ ...o, name: nameFor(read, o.name) }));
  return { ...row, partyName: nameFor(read, row.partyName), phone: maskPhone(row.phone), occupants };
}

export async function nextOf(read: Read, contractId: number) {
  const row = await read.tx
    .selectFrom("contractBrief as c")
    .leftJoin("partyBrief as p", "p.id", "c.partyId")
    .select(["c.contractNo as number", "c.kind", "p.name as partyName"])
    .where("c.id", "=", contractId)
    .executeTakeFirst();
  if (!row) return null;
  const { number, kind } = row;
  return { number, kind: kind as Renting, partyName: nameFor(read, row.partyName ?? "") };
}

export async function blockOf(read: Read, id: number, until: Day | null) {
  const row = await read.tx
    .selectFrom("roomBlock")
    .select((eb) => [
      "id",
      "number",
      "reason",
      "fromDay as from",
      "note",
      "version",
      eb
        .selectFrom("occupancyRow")
        .select((e) => e.fn.countAll<number>().as("n"))
        .whereRef("occupancyRow.blockId", "=", "roomBlock.id")
        .as("rooms"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { ...row, reason: row.reason as BlockReason, rooms: row.rooms ?? 0, to: until } : null;
}

/** The next one that stands on the timeline of the room, or that a contract being signed stands in for. */
export async function reservationOf(read: Read, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    state: "pending" | "held";
    partyName: string;
    moveInDay: Day;
    holdUntil: Day;
    earnestKind: "定金" | "订金";
    signing: boolean;
  }>`
    select v.id, v.number, v.state, p.name "partyName", v.move_in_day "moveInDay", v.hold_until "holdUntil",
      v.earnest_kind "earnestKind", v.contract_id is not null signing
    from reservation_brief v join party_brief p on p.id = v.party_id
    where v.keeps and (v.room_id = ${roomId} or v.id in (
      select reservation_id from occupancy_row where room_id = ${roomId} and reservation_id is not null))
    order by v.move_in_day, v.id limit 1`.execute(read.tx);
  const [row] = rows;
  return row ? { ...row, partyName: nameFor(read, row.partyName) } : null;
}

export const turnoverOf = async (read: Read, id: number) =>
  (await aRow(read, "turnover", ["id", "openedDay", "note"], { id })) ?? null;

export const priceOf = (read: Read, roomId: number, day: Day) =>
  read.tx
    .selectFrom("roomPrice")
    .select(["listPrice", "lowestPrice", "unit"])
    .where("roomId", "=", roomId)
    .where("effectiveDay", "<=", day)
    .orderBy("effectiveDay", "desc")
    .limit(1)
    .executeTakeFirst();

/** A room's status as room_status_at tells it. */
export type Standing = {
  occupancy: Occupancy;
  condition: Condition;
  isLet: boolean;
  contractId: number | null;
  since: Day | null;
  until: Day | null;
  nextKind: "lease" | "reservation" | null;
  nextFrom: Day | null;
  nextTo: Day | null;
  nextContractId: number | null;
  vacantSince: Day | null;
  blockId: number | null;
  blockUntil: Day | null;
  turnoverId: number | null;
  arrears: boolean;
  arrearsFen: number;
  signing: boolean;
  unsettled: boolean;
};

type Around = {
  contract: { id: number; number: string; start: Day; end: Day } | null;
  next: { number: string; partyName: string } | null;
  block: { id: number; number: string; reason: BlockReason; from: Day; to: Day | null } | null;
  turnover: { openedDay: Day } | null;
  reservation: { number: string; partyName: string; holdUntil: Day; state: "pending" | "held" } | null;
};

const plain = (text: string): Reason => ({ text, link: null });

/** Who has it reserved, and until when it is kept. */
function reservedText(s: Standing, { reservation: r }: Around): string {
  if (!r) return `${s.since} 起预订`;
  const kept = r.state === "held" ? `保留至 ${r.holdUntil}` : "待付定金";
  return `${r.number} ${r.partyName}，${s.since} 起，${kept}`;
}

function occupancyReason(s: Standing, around: Around, day: Day): Reason {
  const { contract, next } = around;
  const after = next ? `，${s.nextFrom} 起${s.nextKind === "lease" ? "已签" : "已订"}` : "";
  if (!contract) {
    const days = s.vacantSince ? daysBetween(s.vacantSince, day) : 0;
    if (s.occupancy === "reserved") return plain(reservedText(s, around));
    return plain(s.vacantSince ? `自 ${s.vacantSince} 空置 ${days} 天${after}` : `无租约${after}`);
  }
  const left = daysBetween(day, contract.end);
  const text: Partial<Record<Occupancy, string>> = {
    reserved: `${s.since} 起，待签署`,
    toMoveIn: s.isLet ? `已于 ${contract.start} 起租，未办理入住` : `${contract.start} 起租，未入住`,
    occupied: `至 ${contract.end}，剩 ${left} 天${after}`,
    expiring: `至 ${contract.end}，剩 ${left} 天，未续租${after}`,
    holdingOver: `已于 ${contract.end} 到期，超期 ${-left} 天未退${after}`,
    leaving: `退租中，租期至 ${contract.end}${after}`,
  };
  return {
    text: text[s.occupancy] ?? "",
    link: { kind: "contract", id: contract.id, number: contract.number },
  };
}

function conditionReason({ block, turnover }: Around): Reason {
  if (block)
    return {
      text: `${BLOCK_REASONS[block.reason][0]}，${block.from} 至 ${block.to ?? "解除为止"}`,
      link: { kind: "roomBlock", id: block.id, number: block.number },
    };
  if (turnover) return plain(`自 ${turnover.openedDay} 待保洁`);
  return plain("无封房，无待保洁");
}

/** The oldest late bill of the contract. */
async function lateBill(read: Read, contractId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    title: string;
    due: Day;
    fen: number;
    count: number;
  }>`
    select b.id, b.bill_no number, b.title, b.due_date due, b.outstanding fen, count(*) over () count from receivable_open b
    where b.contract_id = ${contractId} and b.due_date < ${read.today}::date order by b.due_date, b.id limit 1`.execute(
    read.tx,
  );
  return rows[0];
}

/** What of a room's records waits for approval longest; a link only for who may open it. */
async function waitingOf(
  read: Read,
  day: Day,
  room: { id: number; villageId: number },
): Promise<Reason | undefined> {
  const { rows } = await sql<{ id: number; number: string; title: string; node: string; opens: boolean }>`
    select e.id, e.examine_no number, e.title, ${NODE_TEXT} node, ${mayOpen(read)} opens
    from rooms_waiting(${day}, ${read.today}, array[${room.villageId}::bigint]) w join examine e on e.id = w.examine_id
    where w.room_id = ${room.id} order by e.submitted_at, e.id`.execute(read.tx);
  const [first] = rows;
  if (!first) return undefined;
  const { id, number, title, node, opens } = first;
  const more = rows.length > 1 ? ` 等 ${rows.length} 件` : "";
  return {
    text: `${title}，${day === read.today ? node : "当日"} 待审批${more}`,
    link: opens ? { kind: "examine", id, number } : null,
  };
}

/** The three chips, each with what makes it so. */
export async function reasonsOf(
  read: Read,
  day: Day,
  room: { id: number; villageId: number },
  s: Standing,
  around: Around,
) {
  const flags: { value: Flag; reason: Reason }[] = [];
  if (s.arrears && s.contractId) {
    const bill = day === read.today ? await lateBill(read, s.contractId) : undefined;
    const more = bill && bill.count > 1 ? ` 等 ${bill.count} 笔` : "";
    flags.push({
      value: "arrears",
      reason: bill
        ? {
            text: `${bill.title} ${yuan(bill.fen)}，逾期 ${daysBetween(bill.due, day)} 天${more}`,
            link: { kind: "bill", id: bill.id, number: bill.number },
          }
        : plain(`欠 ${yuan(s.arrearsFen)} 元`),
    });
  }
  const waits = await waitingOf(read, day, room);
  if (waits) flags.push({ value: "approval", reason: waits });
  if (s.signing) flags.push({ value: "signing", reason: plain("合同已提交，等待审批或签署") });
  if (s.unsettled) flags.push({ value: "unsettled", reason: plain("租期已过，尚未结清") });
  return {
    occupancy: { value: s.occupancy, reason: occupancyReason(s, around, day) },
    condition: { value: s.condition, reason: conditionReason(around) },
    flags,
  };
}
