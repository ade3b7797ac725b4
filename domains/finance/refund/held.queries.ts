import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { earnestHeld, lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import type { Origin } from "./refund.rules.ts";

/** `settlement`: what is left of a contract's deposit and then of its party's prepaid balance, in one sum. */
export type HeldSource = "prepaid" | "deposit" | "earnest" | "settlement";
/** Where money is held: a party's balance in a village, a contract's deposit, the earnest bill of a reservation. */
export type Holding = {
  source: HeldSource;
  /** The party, the contract or the bill. */
  sourceId: number;
  villageId: number;
  partyId: number;
  roomId: number | null;
  contractId: number | null;
};

type Asked = { source: HeldSource; sourceId: number; villageId: number };

/** The holding as it is recorded; another village's is none here. */
export async function holdingOf(read: Pick<Read, "tx">, asked: Asked): Promise<Holding> {
  const { source, sourceId, villageId } = asked;
  const from =
    source === "prepaid"
      ? sql`select party_id, null::bigint room_id, null::bigint contract_id, null voided_bill_no from party_balance
          where party_id = ${sourceId} and village_id = ${villageId} and kind = 'prepaid'`
      : source === "deposit" || source === "settlement"
        ? sql`select party_id, (select room_id from contract_room_brief where contract_id = c.id order by 1 limit 1) room_id, id contract_id, null voided_bill_no
            from contract_brief c where id = ${sourceId} and village_id = ${villageId}`
        : sql`select party_id, room_id, null::bigint contract_id, case when voided_at is not null then bill_no end voided_bill_no from bill
            where id = ${sourceId} and village_id = ${villageId} and source = 'reservation'`;
  const { rows } = await sql<{
    partyId: number;
    roomId: number | null;
    contractId: number | null;
    voidedBillNo: string | null;
  }>`
    select party_id "partyId", room_id "roomId", contract_id "contractId", voided_bill_no "voidedBillNo"
    from (${from}) h`.execute(read.tx);
  if (!rows[0]) throw notFound();
  const { voidedBillNo, ...of } = rows[0];
  if (voidedBillNo) throw new Refusal("billVoid", `定金账单 ${voidedBillNo} 已作废，请先撤销其收款分配`);
  return { source, sourceId, villageId, ...of };
}

/** Locks what is held, as every act on that money does. */
export async function lockHolding(act: Act, of: Holding): Promise<void> {
  if (of.source === "earnest") return void (await lockBills(act, [of.sourceId]));
  if (of.source !== "deposit") await lockPrepaid(act, of.villageId, of.partyId);
  if (of.source !== "prepaid") await lockDeposits(act, [of.contractId!]);
}

/** The deposit and the prepaid balance that a settlement gives back. */
export const halvesOf = (of: Holding): [deposit: Holding, prepaid: Holding] => [
  { ...of, source: "deposit", sourceId: of.contractId! },
  { ...of, source: "prepaid", sourceId: of.partyId },
];

type Money = Pick<Holding, "source" | "sourceId" | "villageId" | "partyId" | "contractId">;
type Sum = { held: Fen; asked: Fen };
/** What is held, and what other applications ask for of it and have not got yet; since when the part of `prepaid` that has no flow. */
export type Balances = Record<Exclude<HeldSource, "settlement">, Sum> & { openingOn: Day | null };
const NOTHING: Sum = { held: 0, asked: 0 };

export const sumOf = (balances: Balances, source: HeldSource, what: keyof Sum): Fen =>
  source === "settlement" ? balances.deposit[what] + balances.prepaid[what] : balances[source][what];

/**
 * How a party's money stands now, for all who take of it. A settlement's application takes what others leave of its contract's deposit
 * first, then the prepaid money of its party; more of the deposit where that is not there.
 */
export async function balancesOf(read: Pick<Read, "tx">, of: Money, except = 0): Promise<Balances> {
  const open = sql`state in ('applied', 'approving') and village_id = ${of.villageId} and id <> ${except}`;
  if (of.source === "earnest") {
    const { rows } = await sql<{ fen: Fen }>`
      select coalesce(sum(amount), 0)::bigint fen from refund
      where source = 'earnest' and source_id = ${of.sourceId} and ${open}`.execute(read.tx);
    const earnest = { held: await earnestHeld(read, of.sourceId), asked: rows[0]!.fen };
    return { earnest, deposit: NOTHING, prepaid: NOTHING, openingOn: null };
  }
  type Found = { deposit: Fen; depositAsked: Fen; prepaid: Fen; prepaidAsked: Fen; openingOn: Day | null };
  const { rows } = await sql<Found>`
    with asked as materialized (
      select source, source_id, contract_id, party_id, amount from refund
      where (party_id = ${of.partyId} or contract_id = ${of.contractId}) and ${open}),
    settled as (
      select s.contract_id, s.party_id, s.fen, least(s.fen, greatest(0, coalesce(d.held, 0)
        - coalesce((select sum(amount) from asked a where a.source = 'deposit' and a.source_id = s.contract_id), 0))) deposit
      from (select contract_id, party_id, sum(amount) fen from asked where source = 'settlement' group by 1, 2) s
      left join deposit_balance d on d.contract_id = s.contract_id and d.kind = 'deposit')
    select
      coalesce((select held from deposit_balance where contract_id = ${of.contractId} and kind = 'deposit'), 0) deposit,
      (coalesce((select sum(amount) from asked where source = 'deposit' and source_id = ${of.contractId}), 0)
        + coalesce((select sum(deposit) from settled where contract_id = ${of.contractId}), 0))::bigint "depositAsked",
      coalesce(b.balance, 0) prepaid,
      (coalesce((select sum(amount) from asked where source = 'prepaid' and source_id = ${of.partyId}), 0)
        + coalesce((select sum(fen - deposit) from settled where party_id = ${of.partyId}), 0))::bigint "prepaidAsked",
      b.opening_on "openingOn"
    from (select) one left join party_balance b
      on b.village_id = ${of.villageId} and b.party_id = ${of.partyId} and b.kind = 'prepaid'`.execute(
    read.tx,
  );
  const { deposit, depositAsked, prepaid, prepaidAsked, openingOn } = rows[0]!;
  return {
    deposit: { held: deposit, asked: depositAsked },
    prepaid: { held: prepaid, asked: prepaidAsked },
    earnest: NOTHING,
    openingOn,
  };
}

/** Whether it is locked, and for which refund: what others want is not its own. */
export type Doing = { lock?: boolean; except?: number };

/** The flows behind it, each with what is left for a refund; in the order of their ids, locked where asked. */
export async function originsOf(
  read: Read,
  of: Holding,
  balances: Balances,
  { lock = false, except = 0 }: Doing,
): Promise<Origin[]> {
  const whose =
    of.source === "deposit"
      ? sql`r.contract_id = ${of.contractId}`
      : of.source === "prepaid"
        ? sql`r.party_id = ${of.partyId} and r.village_id = ${of.villageId}`
        : sql`r.source_id = ${of.sourceId}`;
  const partsOn = (flow: RawBuilder<unknown>) => sql`select sum(p.amount) from refund_part p
    join refund r on r.id = p.refund_id
    where p.flow_id is not distinct from ${flow} and p.source = ${of.source} and ${whose}`;
  const wanted = (flow: RawBuilder<unknown>) =>
    sql`coalesce((${partsOn(flow)} and r.state in ('applied', 'approving') and r.id <> ${except}), 0)::bigint`;
  const own =
    of.source === "prepaid"
      ? sql`select id flow_id, unallocated fen from flow where village_id = ${of.villageId}
          and party_id = ${of.partyId} and state = 'confirmed' and direction = 'in' and unallocated > 0`
      : sql`select a.flow_id, sum(a.amount) - coalesce((${partsOn(sql`a.flow_id`)}
            and r.state not in ('applied', 'approving', 'rejected', 'cancelled')), 0) fen
          from allocation a join bill_line l on l.id = a.bill_line_id join fee_subject s on s.id = l.fee_subject_id
          join bill b on b.id = a.bill_id
          where a.kind = 'money' and a.flow_id is not null
            and ${of.source === "deposit" ? sql`b.contract_id = ${of.contractId} and s.kind = 'deposit'` : sql`b.id = ${of.sourceId}`}
          group by a.flow_id`;
  if (lock)
    await sql`select from flow where id in (select flow_id from (${own}) o) order by id for update`.execute(
      read.tx,
    );
  const { rows } = await sql<Origin>`
    select f.id "flowId", f.flow_no "flowNo", f.channel, f.paid_on "paidOn", o.fen::bigint available, ${wanted(sql`f.id`)} wanted,
      (p.id is not null) coded, f.amount - coalesce(t.gone, 0) rest, coalesce(t.times, 0)::int times
    from (${own}) o join flow f on f.id = o.flow_id left join pay_order p on p.flow_id = f.id
    left join lateral (
      select sum(x.amount)::bigint gone, count(*) times from refund_attempt x
      where x.original_flow_id = f.id and x.route = 'channel' and x.state in ('requested', 'unknown', 'success')) t on true
    where o.fen > 0 order by f.id`.execute(read.tx);
  // money from before the take-over has no flow
  const available = sumOf(balances, of.source, "held") - rows.reduce((sum, row) => sum + row.available, 0);
  if (available <= 0) return rows;
  const told = await sql<{ wanted: Fen }>`select ${wanted(sql`null::bigint`)} wanted`.execute(read.tx);
  const origin = { flowId: null, flowNo: "", channel: "", coded: false, paidOn: balances.openingOn };
  return [{ ...origin, available, wanted: told.rows[0]!.wanted, rest: available, times: 0 }, ...rows];
}

/** What a person can ask back; a settlement asks by itself. */
export type AskedSource = Exclude<HeldSource, "settlement">;
export type Source = {
  source: AskedSource;
  sourceId: number;
  villageId: number;
  villageName: string;
  label: string;
  held: number;
  available: number;
};

/** Everything that is held of a customer's money in the operator's villages, less what was asked back already. */
export async function sourcesOf(read: Read, partyId: number): Promise<Source[]> {
  const mine = anyOf(read.who.villages);
  const { rows: known } = await sql`
    select from party p where p.id = ${partyId} and (
      exists (select from party_village l where l.party_id = p.id and l.village_id = ${mine})
      or exists (select from bill b where b.party_id = p.id and b.village_id = ${mine}))`.execute(read.tx);
  if (!known.length) throw notFound();
  const { rows } = await sql<Omit<Source, "available">>`
    select h.source, h."sourceId", h."villageId", v.name "villageName", h.label, h.held
    from (
      select 'prepaid' source, party_id "sourceId", village_id "villageId", '预存款' label, balance held
        from party_balance where party_id = ${partyId} and kind = 'prepaid' and balance > 0
      union all
      select 'deposit', d.contract_id, d.village_id, '押金 ' || c.contract_no, d.held
        from deposit_balance d join contract_brief c on c.id = d.contract_id
        where c.party_id = ${partyId} and d.kind = 'deposit' and d.held > 0
      union all
      select 'earnest', e.bill_id, e.village_id, b.title, e.held
        from earnest_balance e join bill b on b.id = e.bill_id where b.party_id = ${partyId} and e.held > 0) h
    join village v on v.id = h."villageId" where h."villageId" = ${mine}
    order by h.source desc, h."sourceId"`.execute(read.tx);
  const sources: Source[] = [];
  for (const h of rows) {
    const contractId = h.source === "deposit" ? h.sourceId : null;
    const balances = await balancesOf(read, { ...h, partyId, contractId });
    sources.push({ ...h, available: Math.max(0, h.held - sumOf(balances, h.source, "asked")) });
  }
  return sources;
}
