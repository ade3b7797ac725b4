import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { take } from "../../listing/occupancy/occupancy.service.ts";
import { enterpriseOf } from "../config/config.service.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { type RoomFact, roomFacts, partyFacts, snapshotOf } from "../contract/facts.queries.ts";
import { planBills, restAfter } from "../schedule/bills.rules.ts";
import { anchorFor } from "../schedule/months.rules.ts";
import { firstRent } from "../schedule/steps.rules.ts";
import { scheduleErrors } from "../terms/check.rules.ts";
import { isAttached } from "../terms/product.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { payTextOf, rentOn, scheduleOf, termsOf } from "../terms/terms.rules.ts";
import { putInForce, type Signed } from "./force.service.ts";

/** A contract that both sides have signed already, with everything agreed: from a spreadsheet, another system or demo data. */
export type ManySigned = Omit<ContractForm, "kind" | "partyId" | "start" | "end" | "occupants"> & {
  /** A renter's unless told otherwise. */
  kind?: ContractKind;
  partyId: number;
  start: Day;
  end: Day;
  signedOn: Day;
  handoverOn?: Day | null;
  source?: "new" | "import";
  /** The contract runs already: what was settled before it came here. */
  opening?: {
    importId: number;
    /** Of the file. */
    row: number;
    /** Rows that bring further open bills of it. */
    further: readonly number[];
    /** The number it had before. */
    oldNo: string;
    /** Days up to here are not billed again. */
    paidTo: Day;
    takenOn: Day;
    deposit: Fen;
    arrears: Fen;
    prepaid: Fen;
    told: Signed["told"];
  };
};

/**
 * Brings any number of signed contracts into force in one transaction and a few statements: rows, leases, bills, ledger, timelines.
 * The rules of the schedule hold as in the form; limits of the village and the black list are the caller's business.
 * For thousands, call it with a few hundred at a time, each in a transaction of its own.
 */
export async function signMany(
  act: Act,
  contracts: readonly ManySigned[],
): Promise<{ ids: number[]; bills: number }> {
  if (!contracts.length) return { ids: [], bills: 0 };
  const parties = await partyFacts(
    act,
    contracts.map((c) => c.partyId),
  );
  const facts = await roomFacts(
    act,
    contracts.flatMap((c) => c.rooms.map((r) => r.roomId)),
    contracts.flatMap((c) => c.rooms.map(() => c.start)),
  );
  const enterprises = new Map<number, number>();
  for (const villageId of new Set(contracts.map((c) => c.villageId)))
    enterprises.set(villageId, await enterpriseOf(act, villageId));
  const ids = await nextIds(act, "contract", contracts.length);
  const numbers = await act.numbers("HT", contracts.length);
  let taken = 0;
  const made = contracts.map((c, i) => {
    const rooms = facts.slice(taken, (taken += c.rooms.length));
    const party = parties.get(c.partyId);
    if (party?.kind !== (c.kind ?? "renter")) throw invalid({ field: `${i}.partyId`, msg: "请选择客户" });
    return rowsOf(
      act,
      c,
      { id: ids[i]!, contractNo: numbers[i]!, enterpriseId: enterprises.get(c.villageId)!, party, rooms },
      i,
    );
  });
  await insert(act, made);
  await take(
    act,
    made.flatMap(({ signed }) =>
      signed.roomIds.map((roomId) => ({
        roomId,
        from: signed.start,
        to: signed.end,
        kind: "lease" as const,
        contractId: signed.id,
      })),
    ),
  );
  const bills = await putInForce(
    act,
    made.map((m) => m.signed),
  );
  return { ids, bills };
}

type Parties = Awaited<ReturnType<typeof partyFacts>>;
type Known = {
  id: number;
  contractNo: string;
  enterpriseId: number;
  party: Parties extends Map<number, infer P> ? P : never;
  rooms: readonly RoomFact[];
};

function rowsOf(act: Act, c: ManySigned, { id, contractNo, enterpriseId, party, rooms }: Known, i: number) {
  const { signedOn: _s, handoverOn, source, partyId, opening, ...form } = c;
  const { kind = "renter" } = c;
  const terms = termsOf({ ...form, kind, partyId, occupants: [] });
  const strange = rooms.length < c.rooms.length || rooms.some((r) => r.villageId !== c.villageId);
  if (strange) throw invalid({ field: `${i}.rooms`, msg: "请选择该门店的房间" });
  const letRooms = c.rooms.map((r, k) => ({ ...r, unitPrice: r.unitPrice ?? null, area: rooms[k]!.area }));
  const input = scheduleOf({ start: c.start, end: c.end, terms, rooms: letRooms });
  const errors = scheduleErrors(terms, input);
  if (errors.length) throw invalid(...errors.map((e) => ({ ...e, field: `${i}.${e.field}` })));
  const plan = opening ? restAfter(input, opening.paidTo) : planBills(input);
  const rent = input.rooms.reduce((sum, room) => sum + firstRent(input, room), 0);
  const signed: Signed = {
    id,
    contractNo,
    villageId: c.villageId,
    partyId,
    partyName: party.name,
    roomIds: c.rooms.map((r) => r.roomId),
    roomNames: rooms.map((r) => r.name).join("、"),
    start: c.start,
    end: c.end,
    terms,
    plan,
    signedOn: c.signedOn,
    ...(opening?.told && { told: opening.told }),
  };
  const { importId, oldNo, told: _t, ...brought } = opening ?? {};
  return {
    signed,
    row: {
      id,
      contractNo,
      enterpriseId,
      villageId: c.villageId,
      partyId,
      kind,
      partySnapshot: snapshotOf(party),
      start: c.start,
      end: c.end,
      anchorDate: anchorFor(c.start, terms.calendarPeriods),
      signedOn: c.signedOn,
      handoverOn: handoverOn ?? null,
      source: source ?? "new",
      managerId: c.managerId ?? null,
      signerId: c.signerId ?? (act.who.operatorId || null),
      terms,
      monthlyRent: rent,
      currentRent: rentOn(input, act.today),
      netRent: plan.totals.netMonthlyRent,
      depositAmount: plan.totals.deposit,
      cycleMonths: terms.cycleMonths,
      payText: payTextOf(terms),
      roomNames: signed.roomNames,
      partyName: party.name,
      remark: c.remark,
      importId: importId ?? null,
      oldNo: oldNo ?? "",
      opening: opening ? brought : null,
    },
    rooms: rooms.map((r, seq) => ({
      ...r,
      contractId: id,
      seq,
      role: isAttached(r.kind) ? "attached" : "main",
      joinDate: c.start,
      monthlyRent: c.rooms[seq]!.monthlyRent,
      unitPrice: c.rooms[seq]!.unitPrice ?? null,
    })),
  };
}

async function insert(act: Act, made: readonly ReturnType<typeof rowsOf>[]): Promise<void> {
  const by = act.who.operatorId || null;
  await sql`
    insert into contract (id, contract_no, kind, state, enterprise_id, village_id, party_id, party_snapshot, start_date,
      end_date, anchor_date, signed_on, handover_on, source, chain_id, signer_operator_id, manager_operator_id, terms,
      preview_hash, monthly_rent, current_rent, net_rent, deposit_amount, cycle_months, pay_text, room_names, party_name,
      remark, import_id, old_no, opening, created_at, created_by, updated_at, updated_by)
    select r.id, r."contractNo", r.kind, 'effective', r."enterpriseId", r."villageId", r."partyId", r."partySnapshot",
      r."start", r."end", r."anchorDate", r."signedOn", r."handoverOn", r.source, r.id, r."signerId", r."managerId",
      r.terms, '', r."monthlyRent", r."currentRent", r."netRent", r."depositAmount", r."cycleMonths", r."payText",
      r."roomNames", r."partyName", r.remark, r."importId", r."oldNo", r.opening, ${act.now}, ${by}, ${act.now}, ${by}
    from json_to_recordset(${JSON.stringify(made.map((m) => m.row))}::json) r(id bigint, "contractNo" text, kind text,
      "enterpriseId" bigint, "villageId" bigint, "partyId" bigint, "partySnapshot" jsonb, "start" date, "end" date,
      "anchorDate" date, "signedOn" date, "handoverOn" date, source text, "signerId" bigint, "managerId" bigint,
      terms jsonb, "monthlyRent" bigint, "currentRent" bigint, "netRent" bigint, "depositAmount" bigint,
      "cycleMonths" int, "payText" text, "roomNames" text, "partyName" text, remark text,
      "importId" bigint, "oldNo" text, opening jsonb)`.execute(act.tx);
  await sql`
    insert into contract_room (contract_id, room_id, seq, name, kind, role, join_date, monthly_rent, unit_price, area,
      capacity, list_price, lowest_price)
    select r."contractId", r."roomId", r.seq, r.name, r.kind, r.role, r."joinDate", r."monthlyRent", r."unitPrice",
      r.area, r.capacity, r."listPrice", r."lowestPrice"
    from json_to_recordset(${JSON.stringify(made.flatMap((m) => m.rooms))}::json) r("contractId" bigint,
      "roomId" bigint, seq int, name text, kind text, role text, "joinDate" date, "monthlyRent" bigint,
      "unitPrice" numeric, area numeric, capacity int, "listPrice" bigint, "lowestPrice" bigint)`.execute(
    act.tx,
  );
}
