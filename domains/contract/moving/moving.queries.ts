import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { from, is, keyword, named, number, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { openActOf } from "../act/act.queries.ts";
import { ACT_OPEN } from "../act/act.rules.ts";
import { partyPhone } from "../contract/contract.queries.ts";
import { feeChoices, takenBetween } from "../contract/facts.queries.ts";
import { contractRecord, firstRoom } from "../contract/record.queries.ts";
import { agreed, rentsOn } from "../succession/agreed.rules.ts";
import { partyKept } from "../succession/fixed.queries.ts";
import { type Ways, arrearsUntil, depositHeld, successionRefusal } from "../succession/succession.queries.ts";
import { changeRefusal } from "../successor/ask.service.ts";
import type { SucceedPreview } from "../successor/successor.contract.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { type ChangeRow, listChanges } from "./moving.contract.ts";

const ACT_OF = { room: "changeRoom", tenant: "changeTenant" } as const;
const ACTS = sql`('changeRoom', 'changeTenant')`;
/** Its money is what was agreed to; before it is handed in and once it is given up there is none. */
const AGREED = sql`a.state in ('approving', 'signing', 'done')`;
const ifAgreed = (value: string) => sql`case when ${AGREED} then ${sql.raw(value)} end`;
const FIGURES = {
  rentChange: "m.rent_after - m.rent_before",
  due: "m.due",
  refund: "m.deposit_back + m.credit_back",
};

const COLUMNS = sql`a.id, a.act_no "actNo", case a.kind when 'changeRoom' then 'room' else 'tenant' end kind,
  a.contract_id "contractId", c.contract_no "contractNo", c.kind "contractKind", a.source, n.id "nextId", n.contract_no "nextNo",
  coalesce(n.sign_mode = 'electronic', false) electronic,
  a.village_id "villageId", v.name "villageName", c.party_id "partyId", c.party_name "partyName",
  n.party_id "nextPartyId", n.party_name "nextPartyName", ${firstRoom(sql`c.id`)} "roomId", c.room_names "roomNames",
  ${firstRoom(sql`n.id`)} "nextRoomId", n.room_names "nextRoomNames", a.effective_on "effectiveOn",
  p.id "pairedId", p.act_no "pairedNo", coalesce(m.rent_before, c.monthly_rent, 0) "rentBefore",
  case when ${AGREED} then m.rent_after else n.monthly_rent end "rentAfter",
  ${ifAgreed(FIGURES.rentChange)} "rentChange", ${ifAgreed("m.deposit_due - m.deposit_back")} "depositChange",
  ${ifAgreed("m.due - m.deposit_due - m.fee")} "rentDue", ${ifAgreed("m.fee")} fee,
  ${ifAgreed(FIGURES.due)} due, ${ifAgreed(FIGURES.refund)} refund,
  a.state, coalesce(o.real_name, '') "handlerName", a.requested_on "requestedOn", a.reason, a.updated_at "updatedAt", a.version`;
const BESIDE = sql`join contract c on c.id = a.contract_id join village v on v.id = a.village_id
  left join contract n on n.id = a.result_contract_id left join change_money m on m.act_id = a.id
  left join operator o on o.id = a.handler_id left join contract_act p on p.id = a.paired_id`;

const shown = <R extends ChangeRow>(read: Read, row: R): R => {
  if (read.who.permits.has(`${KINDS[row.contractKind].code}.query`)) return row;
  const nextPartyName = row.nextPartyName && maskName(row.nextPartyName);
  return { ...row, partyName: maskName(row.partyName), nextPartyName };
};

/** Found once for all rows, before or after the change alike. */
const contractsOf = (text: string) => sql`(select c.id from contract c
  where ${keyword(number("c.contract_no"), named("c.party_name", "c.room_names"), partyPhone)(text)})`;

/** Changes of room and of tenant in the caller's villages, the latest day first. */
export const movings = listOf(listChanges, {
  id: "a.id",
  from: sql`contract_act a`,
  village: "a.village_id",
  scope: (_, { kind }) => (kind ? sql`a.kind = ${ACT_OF[kind]}` : sql`a.kind in ${ACTS}`),
  where: {
    kind: () => undefined,
    tab: (tab) => (tab === "ended" ? sql`a.state in ('rejected', 'cancelled')` : sql`a.state = ${tab}`),
    effectiveFrom: from("a.effective_on"),
    effectiveTo: to("a.effective_on"),
    requestedFrom: from("a.requested_on"),
    requestedTo: to("a.requested_on"),
    reason: phrase("a.reason"),
    handlerId: is("a.handler_id"),
    contractId: is("a.contract_id"),
    keyword: keyword(
      number("a.act_no"),
      (text) => sql`a.contract_id in ${contractsOf(text)}`,
      (text) => sql`a.result_contract_id in ${contractsOf(text)}`,
    ),
  },
  sort: { effectiveOn: { by: "a.effective_on", indexed: true }, requestedOn: { by: "a.requested_on" } },
  order: "effectiveOn",
  columns: sql<ChangeRow>`${COLUMNS}`,
  join: sql`join contract_act a on a.id = page.id ${BESIDE}`,
  sums: {
    select: sql`coalesce(sum(${sql.raw(FIGURES.rentChange)}), 0)::bigint "rentChange",
      coalesce(sum(${sql.raw(FIGURES.due)}), 0)::bigint due, coalesce(sum(${sql.raw(FIGURES.refund)}), 0)::bigint refund`,
    join: sql`left join change_money m on m.act_id = a.id and ${AGREED}`,
  },
  rows: (raws: ChangeRow[], read) => raws.map((row) => shown(read, row)),
});

type Kept = {
  start: string | null;
  end: string | null;
  nextEnd: string | null;
  payload: Ways;
  endReason: string;
  creditUsed: number | null;
  creditBack: number | null;
  depositBack: number | null;
  depositUsed: number | null;
  shown: {
    cut: SucceedPreview["bills"];
    added: Pick<
      SucceedPreview["contract"]["added"][number],
      "title" | "periodStart" | "periodEnd" | "dueOn" | "amount"
    >[];
  } | null;
  roomIds: number[];
  charged: { id: number; billNo: string; amount: Fen; status: "unpaid" } | null;
};

const AROUND_DAYS = 60;

/** One change: both contracts, what was agreed about the money, and who has the rooms around the day. */
export async function movingDetail(read: Read, id: number) {
  const { rows } = await sql<ChangeRow & Kept>`
    select ${COLUMNS}, c.start_date "start", c.end_date "end", n.end_date "nextEnd", a.payload, a.end_reason "endReason",
      ${ifAgreed("m.credit_used")} "creditUsed", ${ifAgreed("m.credit_back")} "creditBack",
      ${ifAgreed("m.deposit_back")} "depositBack", ${ifAgreed("m.deposit_used")} "depositUsed", case when a.state = 'done' then m.shown end shown,
      array(select room_id from contract_room where contract_id in (c.id, n.id)
        group by room_id order by min(contract_id), room_id) "roomIds",
      (select json_build_object('id', b.id, 'billNo', b.bill_no, 'amount', b.amount + b.adjusted, 'status', b.status)
        from bill b where b.id = a.bill_id) charged
    from contract_act a ${BESIDE} where a.id = ${id} and a.kind in ${ACTS}`.execute(read.tx);
  const { payload, shown: bills, roomIds, ...row } = shown(read, seen(read.who, rows[0]));
  const [begin, end] = [addDays(row.effectiveOn, -AROUND_DAYS), addDays(row.effectiveOn, AROUND_DAYS)];
  const taken = await takenBetween(read, roomIds, begin, end, null);
  const names = await read.tx
    .selectFrom("room")
    .select(["id", "fullName"])
    .where("id", "in", [0, ...roomIds])
    .execute();
  const own = [row.contractNo, row.nextNo];
  const movers = await occupantsOf(read, row.nextId, row.effectiveOn);
  return {
    ...row,
    deposit: payload.deposit,
    rest: payload.rest ?? ("refund" as const),
    credit: payload.credit,
    arrearsReason: payload.arrearsReason,
    cut: bills?.cut ?? [],
    added: bills?.added ?? [],
    rooms: roomIds.map((roomId) => ({
      roomId,
      name: names.find((r) => r.id === roomId)?.fullName ?? "",
      // a whole flat has a row for each of its rooms
      taken: [...Map.groupBy(taken, (t) => `${t.roomId} ${t.from} ${t.label}`).values()]
        .map(([first]) => first!)
        .filter((t) => t.roomId === roomId)
        .map((t) => ({ from: t.from, to: t.to, label: t.label, own: own.includes(t.label) })),
    })),
    movers,
  };
}

/** Who lives there on the day before a change. */
async function occupantsOf(read: Read, contractId: number | null, day: string) {
  const { rows } = await sql<{ id: number; name: string; relation: string }>`
    select id, name, relation from contract_occupant
    where contract_id = ${contractId} and (to_date is null or to_date >= ${addDays(day, -1)}::date)
    order by id`.execute(read.tx);
  return rows;
}

/** What the form of a change starts from, with the first thing that stands in the way. */
export async function basisOf(read: Read, contractId: number, kind: "room" | "tenant") {
  const contract = await contractRecord(read, contractId);
  const { start, end } = contract;
  const open = await openActOf(read, contractId, ACT_OF[kind]);
  const why =
    changeRefusal(contract, kind) ??
    (open && `${ACT_OPEN}（${open}）`) ??
    // arrears are asked about in the form
    (await successionRefusal(read, contract, {
      id: null,
      kind: ACT_OF[kind],
      start: read.today,
      arrearsReason: "-",
    }));
  const rents = start && end ? [...rentsOn(agreed(contract), read.today).values()] : undefined;
  const known = read.who.permits.has(`${KINDS[contract.kind].code}.query`);
  return {
    contractKind: contract.kind,
    villageId: contract.villageId,
    partyId: await partyKept(read, contract),
    partyName: known ? contract.partyName : maskName(contract.partyName),
    roomNames: contract.roomNames,
    start,
    end,
    rent: rents?.reduce((sum, rent) => sum + rent, 0) ?? null,
    held: await depositHeld(read, contractId),
    arrears: await arrearsUntil(read, contractId, read.today),
    why: why ?? null,
    occupants: await occupantsOf(read, contractId, addDays(read.today, 1)),
    fees: (await feeChoices(read, contract.enterpriseId)).flatMap(({ feeId, name, deposit }) =>
      deposit ? [] : [{ feeId, name }],
    ),
  };
}
