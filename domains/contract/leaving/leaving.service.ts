import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { rowsAlone } from "../../../platform/server/jobs/rows-alone.ts";
import type { House } from "../../../platform/server/pipeline/pipeline.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { needsActive, whoActs } from "../../access/operator/scope.service.ts";
import { actRecord } from "../act/act.queries.ts";
import { ACT_MOVES, ACT_STATES, type ActState } from "../act/act.rules.ts";
import { stepsOf } from "../act/act.service.ts";
import { signers } from "../contract/facts.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import type { SettleDraft } from "../settlement/settlement.contract.ts";
import { RESUBMIT } from "../settlement/settlement.rules.ts";
import { SETTLE } from "../settlement/settlement.service.ts";
import { type AskMany, leavingsStarted } from "./leaving.contract.ts";

const settle = stepsOf(SETTLE);

type Row = { contractId: number; actId?: number; version?: number; previewHash?: string };

async function start(act: Act, kind: "ask" | "confirm", draft: object | null, rows: readonly Row[]) {
  const { id } = await act.tx
    .insertInto("leavingBatch")
    .values({
      enterpriseId: act.who.enterpriseId,
      kind,
      draft: draft && JSON.stringify(draft),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("leavingBatchRow")
    .values(rows.map((row, seq) => ({ batchId: id, seq, ...row })))
    .execute();
  await act.emit(leavingsStarted, { id });
  return { id };
}

/** Asks for many leavings; each contract is in scope, what stands in the way of one is said of that one. */
export async function askMany(act: Act, { contractIds, ...draft }: AskMany) {
  const ids = [...new Set(contractIds)];
  const seen = await act.tx
    .selectFrom("contract")
    .select("id")
    .where("id", "=", anyOf(ids))
    .where("villageId", "=", anyOf(act.who.villages))
    .execute();
  if (seen.length < ids.length) throw notFound();
  return start(
    act,
    "ask",
    { ...draft, penaltyReason: "", charges: [] },
    ids.map((contractId) => ({ contractId })),
  );
}

/** What each comes to now, and why it would not be confirmed; by the same reckoning as its own preview. */
export async function previewMany(read: Read, ids: readonly number[]) {
  const rows = [];
  for (const id of new Set(ids)) {
    const record = await actRecord(read, id, "settle");
    const contract = await contractRecord(read, record.contractId);
    const weighed = await SETTLE.weigh(read, contract, record.payload as SettleDraft);
    const changed = record.sheetHash !== null && weighed.sheetHash !== record.sheetHash;
    const why =
      ACT_MOVES.refusal("confirm", { ...record, agreed: record.agreed !== null }) ??
      (changed ? RESUBMIT : weighed.obstacles[0]?.msg) ??
      "";
    rows.push({
      id,
      version: record.version,
      actNo: record.actNo,
      contractNo: contract.contractNo,
      partyName: contract.partyName,
      net: weighed.net,
      previewHash: weighed.previewHash,
      warnings: weighed.warnings.join("；"),
      why,
    });
  }
  return rows;
}

export async function confirmMany(
  act: Act,
  rows: readonly { id: number; version: number; previewHash: string }[],
) {
  const made: Row[] = [];
  for (const { id: actId, version, previewHash } of new Map(rows.map((row) => [row.id, row])).values()) {
    const { contractId } = await actRecord(act, actId, "settle");
    made.push({ contractId, actId, version, previewHash });
  }
  return start(act, "confirm", null, made);
}

const OVER: readonly ActState[] = ["done", "rejected", "cancelled"];

type Waiting = Required<Row> & { seq: number };
const FAILED = "未能办理，请单独办理";

/**
 * Works through a batch as whoever started it, each row in a transaction of its own that writes down what became of it: started
 * again, it goes on where it stopped.
 */
export async function workThrough(house: House, batchId: number): Promise<number> {
  const { db } = house.database;
  const batch = await db
    .selectFrom("leavingBatch")
    .selectAll()
    .where("id", "=", batchId)
    .executeTakeFirstOrThrow();
  const who = await whoActs(db, batch.createdBy);
  const rowOf = async (act: Act, seq: number) =>
    (
      await sql<Waiting>`
        select seq, contract_id "contractId", act_id "actId", version, preview_hash "previewHash" from leaving_batch_row
        where batch_id = ${batchId} and seq = ${seq} and state = 'waiting' for update`.execute(act.tx)
    ).rows[0];
  const write = (act: Act, seq: number, set: object) =>
    act.tx
      .updateTable("leavingBatchRow")
      .set(set)
      .where("batchId", "=", batchId)
      .where("seq", "=", seq)
      .execute();
  const one = async (act: Act, seq: number) => {
    const row = await rowOf(act, seq);
    if (!row) return;
    await needsActive(act);
    if (batch.kind === "confirm") {
      await settle.confirm(act, row.actId, row);
      return write(act, seq, { state: "done" });
    }
    const asked = { ...(batch.draft as SettleDraft), contractId: row.contractId };
    const { id } = await settle.ask(act, asked);
    return write(act, seq, { state: "done", actId: id });
  };
  const left = await db
    .selectFrom("leavingBatchRow")
    .select("seq")
    .where("batchId", "=", batchId)
    .where("state", "=", "waiting")
    .orderBy("seq")
    .execute();
  const worked = await rowsAlone(house, {
    who,
    requestId: `leavings ${batchId}`,
    left: left.map(({ seq }) => seq),
    one,
    refused: (act, seq, refusal) => {
      const said = refusal ? (refusal.fields?.[0]?.msg ?? refusal.message) : FAILED;
      return write(act, seq, { state: "refused", said });
    },
  });
  await db
    .updateTable("leavingBatch")
    .set({ state: "done", endedAt: house.clock().toISOString() })
    .where("id", "=", batchId)
    .where("state", "=", "running")
    .execute();
  worked.rethrow();
  return left.length;
}

/** Gives leavings that are not over to somebody of their store. */
export async function assign(act: Act, { ids, handlerId }: { ids: readonly number[]; handlerId: number }) {
  const { rows } = await sql<{
    id: number;
    actNo: string;
    state: ActState;
    villageId: number;
    villageName: string;
  }>`
    select a.id, a.act_no "actNo", a.state, a.village_id "villageId", v.name "villageName"
    from contract_act a join village v on v.id = a.village_id
    where a.id = ${anyOf(ids)} and a.kind = 'settle' and a.village_id = ${anyOf(act.who.villages)}
    order by a.id for no key update of a`.execute(act.tx);
  if (rows.length < new Set(ids).size) throw notFound();
  const over = rows.find((r) => OVER.includes(r.state));
  if (over)
    throw new Refusal("notAllowed", `${over.actNo} ${ACT_STATES[over.state][0]}，不能指派处理人`, 409);
  const person = await act.tx
    .selectFrom("operator")
    .select("realName")
    .where("id", "=", handlerId)
    .where("enterpriseId", "=", act.who.enterpriseId)
    .where("state", "<>", "disabled")
    .executeTakeFirst();
  if (!person) throw invalid({ field: "handlerId", msg: "该员工不存在或已停用" });
  for (const [villageId, [row]] of Map.groupBy(rows, (r) => r.villageId)) {
    const staff = await signers(act, act.who.enterpriseId, villageId);
    if (!staff.some((s) => s.operatorId === handlerId))
      throw invalid({ field: "handlerId", msg: `${person.realName}不在${row!.villageName}任职` });
  }
  await act.tx
    .updateTable("contractAct")
    .set({ handlerId, ...stamp(act), version: NEXT_VERSION })
    .where("id", "=", anyOf(rows.map((r) => r.id)))
    .execute();
  await act.note(
    rows.map((r) => entryOn("settlement", r, r.actNo, "指派处理人", `处理人 ${person.realName}`)),
  );
  return { changed: rows.length };
}
