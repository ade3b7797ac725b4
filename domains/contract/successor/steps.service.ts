import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead, type Served } from "../../../platform/server/pipeline/serve.ts";
import { type ActRecord, actRecord } from "../act/act.queries.ts";
import type { ActKind, ActState } from "../act/act.rules.ts";
import { changedPreview } from "../act/act.service.ts";
import { refuseWaiting, rejectRequest } from "../act/request.service.ts";
import { type ContractRecord, contractNote, contractRecord, recordById } from "../contract/record.queries.ts";
import { removeDraft, voidNow } from "../signing/end.service.ts";
import { signOffline } from "../signing/sign.service.ts";
import { submit as submitContract, withdraw } from "../signing/submit.service.ts";
import { agreed as agreedTerms, rentsOn } from "../succession/agreed.rules.ts";
import { actBehind } from "../succession/succession.queries.ts";
import { followAct, lockSwapped } from "../succession/succession.service.ts";
import { SUCCESSIONS } from "../terms/terms.contract.ts";
import type { OneSide, SucceedPreview, SuccessorCalls } from "./successor.contract.ts";
import { type Side, type Weighing, shownOf, weighSuccession } from "./weigh.service.ts";

type Stepped = { id: number; state: ActState; version: number };

type Held = Side & { record: ActRecord };

const contractOf = ({ contract }: Side) => contract;

/** The contracts that the act and, where rooms are swapped, the one beside it lead to; its own first. */
async function opened(
  read: Read,
  id: number,
  kinds: readonly ActKind[],
): Promise<{ id: number; contractId: number }[]> {
  refuseWaiting(await actRecord(read, id, kinds));
  const { rows } = await sql<{ id: number; contractId: number | null }>`
    select id, result_contract_id "contractId" from contract_act where id = ${id} or paired_id = ${id}
    order by id <> ${id}`.execute(read.tx);
  return rows.map(({ id, contractId }) => {
    if (contractId === null) throw new Refusal("notAllowed", "该申请已取消", 409);
    return { id, contractId };
  });
}

/** Contracts and acts locked, at the version that the person has seen; contracts first, as signing locks them. */
async function held(act: Act, id: number, kinds: readonly ActKind[], version: number): Promise<Held[]> {
  const sides = await opened(act, id, kinds);
  const contracts = new Map<number, ContractRecord>();
  for (const contractId of sides.map((s) => s.contractId).toSorted((a, b) => a - b))
    contracts.set(contractId, await contractRecord(act, contractId, true));
  const records = new Map<number, ActRecord>();
  for (const actId of sides.map((s) => s.id).toSorted((a, b) => a - b))
    records.set(actId, await actRecord(act, actId, kinds, true));
  asSeen(records.get(id)!, version);
  const found: Held[] = [];
  for (const { id: actId, contractId } of sides)
    found.push({
      contract: contracts.get(contractId)!,
      record: records.get(actId)!,
      of: (await actBehind(act, contractId))!,
    });
  return found;
}

/** What it comes to: of two that swap rooms both, under one hash. */
async function weighed(
  read: Read,
  sides: readonly Side[],
): Promise<{ shown: SucceedPreview; each: OneSide[] }> {
  const each: Weighing[] = [];
  for (const side of sides)
    each.push({ ...side, weighed: await weighSuccession(read, side.contract, side.of) });
  return { each: each.map((e) => e.weighed), shown: shownOf(each) };
}

async function stepped(act: Act, id: number): Promise<Stepped> {
  const row = await act.tx
    .selectFrom("contractAct")
    .select(["id", "state", "version"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { ...row, state: row.state as ActState };
}

/** What was shown is what happens; refused with the new figures where it would not be. */
async function agreed(act: Act, sides: readonly Held[], previewHash: string): Promise<OneSide[]> {
  const { shown, each } = await weighed(act, sides);
  // a room that somebody took meanwhile is no change of figures
  const taken = shown.obstacles.find((o) => o.code === "roomTaken");
  if (taken) throw new Refusal(taken.code, taken.msg, 409);
  if (shown.previewHash !== previewHash) throw changedPreview(shown);
  for (const [i, { record, contract }] of sides.entries())
    await keepMoney(act, record.id, contract, each[i]!);
  return each;
}

/** Keeps what was agreed to beside the act, so that lists and records say it whatever becomes of the bills. */
export async function keepMoney(
  act: Act,
  actId: number,
  next: ContractRecord,
  weighed: OneSide,
): Promise<void> {
  const { contract: preview, bills, deposit, carried, back, spent, credit, used, due, refund } = weighed;
  const lines = preview.added.flatMap((bill) => bill.lines);
  const added = preview.added.map(({ title, periodStart, periodEnd, dueOn, amount }) => ({
    title,
    periodStart,
    periodEnd,
    dueOn,
    amount,
  }));
  await act.tx
    .updateTable("changeMoney")
    .set({
      rentAfter: [...rentsOn(agreedTerms(next), next.start!).values()].reduce((sum, rent) => sum + rent, 0),
      atSigning: preview.totals.atSigning,
      fee: lines.reduce((sum, line) => (line.kind === "once" ? sum + line.amount : sum), 0),
      depositDue: deposit - carried,
      depositBack: back,
      depositUsed: spent,
      creditUsed: used,
      due,
      creditBack: refund > back ? credit : 0,
      shown: JSON.stringify({ cut: bills, added }),
    })
    .where("actId", "=", actId)
    .execute();
}

const sums = ({ due, refund }: OneSide) => `签约应收 ${yuan(due)} 元，应退 ${yuan(refund)} 元`;

/** On the timeline of the contract before, and on the act's own. */
async function noteStep(
  act: Act,
  record: ActRecord,
  next: ContractRecord,
  verb: string,
  text: string,
): Promise<void> {
  const previous = (await recordById(act, record.contractId))!;
  const { kind } = next.terms.takeOver!;
  const action = `${verb}${SUCCESSIONS[kind][0]}`;
  const { id, actNo, villageId } = record;
  const target = kind === "renewal" ? "renewal" : "changeRoom";
  await act.note([
    contractNote(previous, action, `${actNo} ${text}`),
    entryOn(target, { id, villageId }, actNo, action, text),
  ]);
}

/** Serves the steps of contracts that come after others; asking is each page's own. */
export function serveSuccessors(
  calls: SuccessorCalls,
  kinds: readonly ActKind[],
  mayConfirm: (act: Act, kind: ActKind) => void,
): Served[] {
  return [
    serveRead(calls.preview, async (read, { params }) => {
      const sides: Side[] = [];
      for (const { contractId } of await opened(read, params.id, kinds))
        sides.push({
          contract: await contractRecord(read, contractId),
          of: (await actBehind(read, contractId))!,
        });
      return (await weighed(read, sides)).shown;
    }),
    serve(calls.submit, async (act, { params, body }) => {
      const sides = await held(act, params.id, kinds, body.version);
      const each = await agreed(act, sides, body.previewHash);
      if (sides.length > 1) await lockSwapped(act, sides.map(contractOf));
      for (const [i, { contract, record }] of sides.entries()) {
        // of two one may have fallen back alone: its approval was refused, or it was withdrawn
        if (sides.length > 1 && contract.state !== "draft") continue;
        await submitContract(act, contract.id, { previewHash: each[i]!.contract.previewHash, both: true });
        await noteStep(act, record, contract, "提交", sums(each[i]!));
      }
      return stepped(act, params.id);
    }),
    serve(calls.confirm, async (act, { params, body }) => {
      const sides = await held(act, params.id, kinds, body.version);
      mayConfirm(act, sides[0]!.record.kind);
      // what is paid meanwhile is paid before this or after it
      await lockSwapped(act, sides.map(contractOf));
      const each = await agreed(act, sides, body.previewHash);
      const papers = [body.fileIds, body.otherFileIds];
      if (sides.length > 1 && !body.otherFileIds.length)
        throw invalid({ field: "otherFileIds", msg: "请上传对方合同的扫描件" });
      const { bills } = await signOffline(
        act,
        sides.map(({ contract }, i) => ({
          id: contract.id,
          fileIds: papers[i]!,
          previewHash: each[i]!.contract.previewHash,
        })),
        body.signedOn,
      );
      for (const [i, { contract, record }] of sides.entries())
        await noteStep(act, record, contract, "确认", sums(each[i]!));
      return { ...(await stepped(act, params.id)), bills };
    }),
    serve(calls.reject, async (act, { params, body }) => {
      const target = kinds.includes("renew") ? "renewal" : "changeRoom";
      return rejectRequest(act, params.id, kinds, target, body);
    }),
    serve(calls.cancel, async (act, { params, body }) => {
      for (const { contract, record } of await held(act, params.id, kinds, body.version)) {
        // told first: the contract that goes takes its own word for why with it
        await followAct(act, contract.id, "cancelled", body.reason);
        await giveUp(act, contract, body.reason);
        await noteStep(act, record, contract, "取消", body.reason);
      }
      return stepped(act, params.id);
    }),
  ];
}

/** The contract that was drawn goes: a fresh draft altogether, one that was handed in stays as void. */
async function giveUp(act: Act, contract: ContractRecord, reason: string): Promise<void> {
  if (contract.state === "draft" && contract.previewHash === null)
    return removeDraft(act, contract.id, { both: true });
  if (contract.state !== "draft") await withdraw(act, contract.id, reason);
  await voidNow(act, await contractRecord(act, contract.id), reason);
}
