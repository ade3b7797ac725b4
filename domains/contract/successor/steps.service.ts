import { Refusal, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead, type Served } from "../../../platform/server/pipeline/serve.ts";
import { type ActRecord, actRecord } from "../act/act.queries.ts";
import type { ActKind, ActState } from "../act/act.rules.ts";
import { changedPreview } from "../act/act.service.ts";
import { type ContractRecord, contractNote, contractRecord, recordById } from "../contract/record.queries.ts";
import { removeDraft, voidNow } from "../signing/end.service.ts";
import { type OfflineSigning, signOffline } from "../signing/sign.service.ts";
import { submit as submitContract, withdraw } from "../signing/submit.service.ts";
import { agreed as agreedTerms, rentsOn } from "../succession/agreed.rules.ts";
import { type SuccessionAct, actBehind } from "../succession/succession.queries.ts";
import { followAct } from "../succession/succession.service.ts";
import { SUCCESSIONS } from "../terms/terms.contract.ts";
import type { SucceedPreview, SuccessorCalls } from "./successor.contract.ts";
import { weighSuccession } from "./weigh.service.ts";

type Stepped = { id: number; state: ActState; version: number };

/** The act with the contract that it leads to; the contract first, as signing locks them. */
async function opened(read: Read, id: number, kinds: readonly ActKind[]) {
  const found = await actRecord(read, id, await kindOf(read, id, kinds));
  const contractId = await resultOf(read, id);
  if (contractId === null) throw new Refusal("notAllowed", "该申请已取消", 409);
  return { found, contractId };
}

async function kindOf(read: Pick<Read, "tx">, id: number, kinds: readonly ActKind[]): Promise<ActKind> {
  const row = await read.tx.selectFrom("contractAct").select("kind").where("id", "=", id).executeTakeFirst();
  const kind = kinds.find((k) => k === row?.kind);
  if (!kind) throw notFound();
  return kind;
}

async function resultOf(read: Pick<Read, "tx">, id: number): Promise<number | null> {
  const row = await read.tx
    .selectFrom("contractAct")
    .select("resultContractId")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.resultContractId ?? null;
}

/** Both locked, at the version that the person has seen. */
async function held(
  act: Act,
  id: number,
  kinds: readonly ActKind[],
  version: number,
): Promise<{ contract: ContractRecord; of: SuccessionAct; record: ActRecord }> {
  const { contractId } = await opened(act, id, kinds);
  const contract = await contractRecord(act, contractId, true);
  const record = await actRecord(act, id, await kindOf(act, id, kinds), true);
  if (record.version !== version) throw stale();
  return { contract, of: (await actBehind(act, contractId))!, record };
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
async function agreed(
  act: Act,
  { contract, of }: { contract: ContractRecord; of: SuccessionAct },
  previewHash: string,
): Promise<SucceedPreview> {
  const weighed = await weighSuccession(act, contract, of);
  // a room that somebody took meanwhile is no change of figures
  const taken = weighed.obstacles.find((o) => o.code === "roomTaken");
  if (taken) throw new Refusal(taken.code, taken.msg, 409);
  if (weighed.previewHash !== previewHash) throw changedPreview(weighed);
  return weighed;
}

/** Keeps what was agreed to beside the act, so that lists and records say it whatever becomes of the bills. */
export async function keepMoney(
  act: Act,
  actId: number,
  next: ContractRecord,
  weighed: SucceedPreview,
): Promise<void> {
  const { contract: preview, bills, deposit, carried, back, credit, due, refund } = weighed;
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
      creditUsed: preview.totals.atSigning - due,
      creditBack: refund > back ? credit : 0,
      shown: JSON.stringify({ cut: bills, added }),
    })
    .where("actId", "=", actId)
    .execute();
}

const sums = ({ due, refund }: SucceedPreview) => `签约应收 ${yuan(due)} 元，应退 ${yuan(refund)} 元`;

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
      const { contractId } = await opened(read, params.id, kinds);
      const contract = await contractRecord(read, contractId);
      return weighSuccession(read, contract, (await actBehind(read, contractId))!);
    }),
    serve(calls.submit, async (act, { params, body }) => {
      const both = await held(act, params.id, kinds, body.version);
      const weighed = await agreed(act, both, body.previewHash);
      await keepMoney(act, both.record.id, both.contract, weighed);
      await submitContract(act, both.contract.id, { previewHash: weighed.contract.previewHash });
      await noteStep(act, both.record, both.contract, "提交", sums(weighed));
      return stepped(act, params.id);
    }),
    serve(calls.confirm, async (act, { params, body }) => {
      const both = await held(act, params.id, kinds, body.version);
      mayConfirm(act, both.record.kind);
      const weighed = await agreed(act, both, body.previewHash);
      await keepMoney(act, both.record.id, both.contract, weighed);
      const { fileIds, signedOn } = body;
      const how: OfflineSigning = { fileIds, signedOn, previewHash: weighed.contract.previewHash };
      const { bills } = await signOffline(act, both.contract.id, how);
      await noteStep(act, both.record, both.contract, "确认", sums(weighed));
      return { ...(await stepped(act, params.id)), bills };
    }),
    serve(calls.cancel, async (act, { params, body }) => {
      const { contract, record } = await held(act, params.id, kinds, body.version);
      // told first: the contract that goes takes its own word for why with it
      await followAct(act, contract.id, "cancelled", body.reason);
      await giveUp(act, contract, body.reason);
      await noteStep(act, record, contract, "取消", body.reason);
      return stepped(act, params.id);
    }),
  ];
}

/** The contract that was drawn goes: a fresh draft altogether, one that was handed in stays as void. */
async function giveUp(act: Act, contract: ContractRecord, reason: string): Promise<void> {
  if (contract.state === "draft" && contract.previewHash === null) return removeDraft(act, contract.id);
  if (contract.state !== "draft") await withdraw(act, contract.id, reason);
  await voidNow(act, await contractRecord(act, contract.id), reason);
}
