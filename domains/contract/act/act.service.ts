import type { Need } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { together } from "../../../platform/server/database/once.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead, type Served } from "../../../platform/server/pipeline/serve.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { demand } from "../contract/contract.queries.ts";
import { type ContractRecord, contractNote, contractRecord } from "../contract/record.queries.ts";
import { keepWording } from "../template/document.service.ts";
import type { ActCalls } from "./act.contract.ts";
import { endSignings, refuseSigned } from "./signing.service.ts";
import { type ActRecord, actRecord } from "./act.queries.ts";
import { answerTenant, keepRequest } from "./request.service.ts";
import {
  type AnyPart,
  type Draft,
  type Part,
  type Weighed,
  approvesPart,
  freeHeld,
  holdFor,
  worked,
} from "./part.service.ts";
import {
  ACT_KINDS,
  ACT_OPEN,
  type ActFacts,
  type ActKind,
  type ActMove,
  type ActState,
  documentOf,
  movesOf,
} from "./act.rules.ts";

export type { Outcome, Part } from "./part.service.ts";

/** What came after it stands on it as it is. */
export const SUCCEEDED = "该合同已有后续合同，请先作废后续合同，或在后续合同上办理";

constraintSays("contract_act_open", {
  code: "actOpen",
  msg: ACT_OPEN,
});

const factsOf = (record: ActRecord): ActFacts => ({
  agreed: record.agreed !== null,
  frozen: record.frozen,
});
const next = (move: ActMove, record: ActRecord): ActState =>
  movesOf(record.kind).next(move, { ...factsOf(record), status: record.status });
const answer = (row: { id: number; state: string; version: number }) => ({
  id: row.id,
  state: row.state as ActState,
  version: row.version,
});

/** What is being signed ends with another step on the act; what the party has signed already keeps others off. */
async function endSigning(act: Act, record: ActRecord, move: ActMove): Promise<void> {
  const of = { contractId: record.contractId, actId: record.id };
  const label = movesOf(record.kind).label(move);
  await refuseSigned(act, of, `承租方已电子签署，等待盖章，不能${label}`);
  await endSignings(act, of, "cancelled", move === "agree" ? "已改为线下签署" : `补充协议已${label}`);
}

/** The act with its contract, both locked, at the version that the person has seen. */
async function opened(act: Act, id: number, kind: ActKind, version: number) {
  const seen = await actRecord(act, id, kind);
  const contract = await contractRecord(act, seen.contractId, true);
  const record = await actRecord(act, id, kind, true);
  asSeen(record, version);
  return { record, contract };
}

export const changedPreview = (preview: object) =>
  new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });

function refuseObstacles({ obstacles }: Weighed): void {
  const [first] = obstacles;
  if (first) throw new Refusal(first.code, first.msg, 409);
}

/** The paper of an act is in the words of the day on which it was handed in last. */
export async function keepActWording(
  act: Act,
  { kind: contractKind, villageId }: Pick<ContractRecord, "kind" | "villageId">,
  { id: recordId, kind }: Pick<ActRecord, "id" | "kind">,
): Promise<void> {
  const docKind = documentOf(kind);
  if (docKind) await keepWording(act, { docKind, recordId, villageId, contractKind }, true);
}

/** The steps of one kind of act, each in the caller's transaction. */
export function stepsOf<P extends Draft, W extends Weighed>(part: Part<P, W>) {
  const { kind, title, target } = part;
  const draftOf = (record: ActRecord) => record.payload as P;
  /** On the timeline of the contract, and on the act's own. */
  const noted = (
    contract: ContractRecord,
    record: { id: number; actNo: string },
    action: string,
    text: string,
  ) => [
    contractNote(contract, action, `${record.actNo} ${text}`),
    entryOn(target, { id: record.id, villageId: contract.villageId }, record.actNo, action, text),
  ];
  const save = (record: ActRecord, draft: P) => ({
    payload: JSON.stringify(draft),
    effectiveOn: draft.effectiveOn,
    reason: draft.reason,
    net: record.net,
  });

  /** The contract, locked, on which this may be asked for. */
  const askable = async (act: Act, contractId: number, draft: P) => {
    const contract = await contractRecord(act, contractId, true);
    if (contract.nextId !== null) throw new Refusal("notAllowed", SUCCEEDED, 409);
    await part.check(act, contract, draft);
    return contract;
  };

  /** The tenant asks for himself: it waits until somebody takes it up. */
  const request = async (act: Act, contractId: number, draft: P) => {
    const contract = await askable(act, contractId, draft);
    const { effectiveOn, reason } = draft;
    const made = await keepRequest(act, contract, { kind, target, effectiveOn, reason, payload: draft });
    await part.begun(act, contract, act.today);
    return made;
  };

  const ask = async (act: Act, { contractId, ...draft }: P & { contractId: number }) => {
    const contract = await askable(act, contractId, draft as unknown as P);
    const [actNo] = await act.numbers(ACT_KINDS[kind]);
    const row = await act.tx
      .insertInto("contractAct")
      .values({
        actNo: actNo!,
        kind,
        contractId,
        villageId: contract.villageId,
        state: worked(kind),
        requestedOn: act.today,
        effectiveOn: draft.effectiveOn,
        reason: draft.reason,
        payload: JSON.stringify(draft),
        handlerId: act.who.operatorId,
        createdBy: act.who.operatorId,
        ...stamp(act),
      })
      .returning(["id", "state", "version"])
      .executeTakeFirstOrThrow();
    await part.begun(act, contract, act.today);
    await act.note(
      noted(
        contract,
        { id: row.id, actNo: actNo! },
        title,
        `${title}日 ${draft.effectiveOn}：${draft.reason}`,
      ),
    );
    return { ...answer(row), actNo: actNo! };
  };

  const edit = async (act: Act, id: number, { version, ...draft }: P & { version: number }) => {
    const { record, contract } = await opened(act, id, kind, version);
    const state = next("edit", record);
    await endSigning(act, record, "edit");
    await part.check(act, contract, draft as unknown as P, draftOf(record));
    const freed = await freeHeld(act, contract, record);
    const to = { ...save(record, draft as unknown as P), state, agreed: null, ...freed, ...stamp(act) };
    return answer(await revise(act, "contractAct", { id, version }, to));
  };

  const step = async (
    act: Act,
    id: number,
    version: number,
    move: ActMove,
    more: { set?: object; text: string; drop?: boolean },
  ) => {
    const { record, contract } = await opened(act, id, kind, version);
    const state = next(move, record);
    await endSigning(act, record, move);
    // what stays where it waits for its signatures keeps its rooms
    const freed = state === record.status ? undefined : await freeHeld(act, contract, record);
    const to = { state, ...more.set, ...freed, ...stamp(act) };
    const row = await revise(act, "contractAct", { id, version }, to);
    if (more.drop) await part.dropped(act, contract);
    await act.note(noted(contract, record, `${title}${movesOf(kind).label(move)}`, more.text));
    if (record.source === "renter" && (move === "accept" || move === "reject"))
      await answerTenant(act, contract, record, move === "reject" ? more.text : undefined);
    return answer(row);
  };

  const submit = async (act: Act, id: number, how: { version: number; previewHash: string }) => {
    const { record, contract } = await opened(act, id, kind, how.version);
    const state = next("submit", record);
    const weighed = await part.weigh(act, contract, draftOf(record));
    if (weighed.previewHash !== how.previewHash) throw changedPreview(weighed);
    refuseObstacles(weighed);
    const held = await holdFor(act, contract, part.holds?.(contract, draftOf(record)) ?? []);
    const kept = await revise(
      act,
      "contractAct",
      { id, version: how.version },
      {
        state: "approving",
        previewHash: how.previewHash,
        sheetHash: weighed.sheetHash ?? null,
        // whoever agreed did so to what was handed in before
        agreed: null,
        presentedOn: null,
        net: weighed.net,
        ...held,
        ...stamp(act),
      },
    );
    await keepActWording(act, contract, record);
    await act.note(noted(contract, record, `提交${title}`, `结果 ${yuan(weighed.net)} 元`));
    const { waiting } = await propose(act, target, [
      { recordId: id, villageId: record.villageId, payload: {}, reason: draftOf(record).reason },
    ]);
    if (waiting[0]) return { ...answer(kept), examineNo: waiting[0].examineNo };
    const { version } = kept;
    return { ...answer(await revise(act, "contractAct", { id, version }, { state })), examineNo: null };
  };

  const agree = async (
    act: Act,
    id: number,
    how: { version: number; how: "paper" | "silence"; note: string; fileIds: number[] },
  ) => {
    const record = await actRecord(act, id, kind);
    const { villageId, contractId } = record;
    await part.mayAgree?.(act, record as ActRecord<P>, how.how);
    const proof = how.how === "paper" ? `租客签字的${part.sheet}` : "送达证明";
    if (!how.fileIds.length) throw invalid({ field: "fileIds", msg: `请上传${proof}` });
    const { files } = part;
    const needs = typeof files === "string" ? files : files((await contractRecord(act, contractId)).kind);
    await attachFiles(act, how.fileIds, { targetKind: target, targetId: id, villageId, needs });
    const agreed = JSON.stringify({ how: how.how, note: how.note, on: act.today, fileIds: how.fileIds });
    return step(act, id, how.version, "agree", { set: { agreed }, text: how.note });
  };

  const confirm = async (act: Act, id: number, how: { version: number; previewHash: string }) => {
    const { record, contract } = await opened(act, id, kind, how.version);
    next("confirm", record);
    const done = await together(act, () =>
      part.carryOut(act, contract, record as ActRecord<P>, how.previewHash),
    );
    const row = await revise(
      act,
      "contractAct",
      { id, version: how.version },
      {
        state: done.state,
        net: done.net,
        trace: JSON.stringify(done.trace),
        refundId: done.refundId,
        billId: done.billId,
        resultContractId: done.resultContractId ?? null,
        holdUntil: null,
        previewHash: how.previewHash,
        doneAt: act.now.toISOString(),
        ...stamp(act),
      },
    );
    const result =
      done.net > 0 ? `应退 ${yuan(done.net)}` : done.net < 0 ? `应收 ${yuan(-done.net)}` : "两清";
    await act.note(noted(contract, record, `确认${title}`, `${result} 元`.replace("两清 元", "两清")));
    return answer(row);
  };

  /** The party has signed electronically what was shown: that is what is carried out, or nothing. */
  const signed = async (act: Act, id: number, how: { note: string; previewHash: string }) => {
    const { version } = await actRecord(act, id, kind);
    const agreed = JSON.stringify({ how: "page", note: how.note, on: act.today });
    const row = await step(act, id, version, "agree", { set: { agreed }, text: how.note });
    return confirm(act, id, { version: row.version, previewHash: how.previewHash });
  };

  const undo = async (act: Act, id: number, how: { version: number; reason: string }) => {
    const { record, contract } = await opened(act, id, kind, how.version);
    const state = next("undo", record);
    await together(act, () => part.undo(act, contract, record as ActRecord<P>));
    const cleared = { trace: null, refundId: null, billId: null, doneAt: null, agreed: null };
    const row = await revise(
      act,
      "contractAct",
      { id, version: how.version },
      { state, ...cleared, ...stamp(act) },
    );
    await act.note(noted(contract, record, `撤销${title}`, how.reason));
    return answer(row);
  };

  return { ask, request, edit, step, submit, agree, confirm, signed, undo };
}

/** Declares a kind of act: its calls are served and its approval is registered. */
export function serveAct<P extends Draft, W extends Weighed>(part: Part<P, W>, calls: ActCalls): Served[] {
  const { kind } = part;
  const { ask, edit, step, submit, agree, confirm, undo } = stepsOf(part);
  approvesPart(part as unknown as AnyPart);
  const admitted = async (read: Read, contractId: number, { needs }: { needs: Need }) => {
    const contract = await contractRecord(read, contractId);
    if (part.byKind) demand(read.who, contract.kind, needs);
    return contract;
  };
  /** The act with its contract, of whoever may do this to contracts of its kind. */
  const opened = async (read: Read, id: number, call: { needs: Need }) => {
    const record = await actRecord(read, id, kind);
    return { record, contract: await admitted(read, record.contractId, call) };
  };
  /** The handler of a step on an act that is there. */
  const on =
    <S extends { params: { id: number } }, R>(
      call: { needs: Need },
      handle: (act: Act, sent: S) => Promise<R>,
    ) =>
    async (act: Act, sent: S): Promise<R> => {
      if (part.byKind) await opened(act, sent.params.id, call);
      return handle(act, sent);
    };

  type Body<B> = { params: { id: number }; body: B };
  const ends = (how: "reject" | "cancel") =>
    serve(
      calls[how],
      on(calls[how], (act, { params, body }) =>
        step(act, params.id, body.version, how, {
          set: { endReason: body.reason },
          text: body.reason,
          drop: true,
        }),
      ),
    );
  return [
    serve(calls.ask, async (act, { body }) => {
      if (part.byKind) await admitted(act, Number(body.contractId), calls.ask);
      return ask(act, body as unknown as P & { contractId: number });
    }),
    serve(
      calls.edit,
      on(calls.edit, (act, { params, body }: Body<object>) =>
        edit(act, params.id, body as unknown as P & { version: number }),
      ),
    ),
    serveRead(calls.preview, async (read, { params, body }: Body<{ draft?: object | null }>) => {
      const { record, contract } = await opened(read, params.id, calls.preview);
      const draft = (body.draft ?? record.payload) as P;
      if (body.draft) await part.check(read, contract, draft, record.payload as P);
      return part.weigh(read, contract, draft);
    }),
    serveRead(calls.trial, async (read, { body }) => {
      const { contractId, ...draft } = body as unknown as P & { contractId: number };
      const contract = await admitted(read, contractId, calls.trial);
      await part.check(read, contract, draft as unknown as P);
      return part.weigh(read, contract, draft as unknown as P);
    }),
    serve(
      calls.accept,
      on(calls.accept, (act, { params, body }) =>
        step(act, params.id, body.version, "accept", {
          set: { handlerId: act.who.operatorId },
          text: "已受理",
        }),
      ),
    ),
    ends("reject"),
    serve(
      calls.submit,
      on(calls.submit, (act, { params, body }) => submit(act, params.id, body)),
    ),
    serve(
      calls.agree,
      on(calls.agree, (act, { params, body }) => agree(act, params.id, body)),
    ),
    serve(
      calls.confirm,
      on(calls.confirm, (act, { params, body }) => confirm(act, params.id, body)),
    ),
    ends("cancel"),
    serve(
      calls.undo,
      on(calls.undo, (act, { params, body }) => undo(act, params.id, body)),
    ),
  ];
}
