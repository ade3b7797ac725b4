import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { actById } from "../act/act.queries.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { stepsOf } from "../act/act.service.ts";
import { type ContractRecord, contractRecord, recordById } from "../contract/record.queries.ts";
import { type Drawn, presents } from "../esign/subject.service.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import type { ChangePreview } from "../recut/recut.contract.ts";
import { type Document, documentPaper } from "../template/document.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { changeDetail, type ChangeKind, clausesOf, PARTS, weighChange } from "./amendment.queries.ts";
import { supplementContent, type SupplementFacts } from "./sheet.rules.ts";

type Change = Pick<SupplementFacts, "actNo" | "effectiveOn" | "reason" | "clauses" | "open"> & {
  id: number;
  kind: ChangeKind;
  agreedOn?: Day | undefined;
};
type Money = Pick<ChangePreview, "bills"> & Partial<Pick<ChangePreview, "credit" | "dueNow" | "refund">>;

/** 补充协议 of a change to a contract: what it is, and what stands on it. */
async function sheetOf(
  read: Read,
  contract: ContractRecord,
  { id, kind, actNo, effectiveOn, reason, clauses, open, agreedOn }: Change,
  { bills, credit = 0, dueNow = 0, refund = 0 }: Money,
): Promise<{ facts: SupplementFacts; document: Document }> {
  const { villageId, kind: contractKind } = contract;
  return {
    document: { docKind: "supplement", recordId: id, villageId, contractKind },
    facts: {
      lease: await leaseFacts(read, contract),
      actNo,
      title: ACT_KIND_WORDS[kind][0],
      effectiveOn,
      reason,
      clauses,
      bills,
      credit,
      dueNow,
      refund,
      open,
      dated: agreedOn ?? read.today,
    },
  };
}

/** What stands on the supplement of a change: while it is open as it comes to now, afterwards as it was carried out. */
export async function supplementOf(
  read: Read,
  id: number,
): Promise<{ facts: SupplementFacts; name: string; document: Document }> {
  const change = await changeDetail(read, id);
  const contract = await contractRecord(read, change.contractId);
  const { preview, done } = change;
  const agreedOn = (await actById(read, id))!.agreed?.on;
  const of = { ...change, kind: change.kind as ChangeKind, open: change.state !== "done", agreedOn };
  const sheet = await sheetOf(read, contract, of, preview ?? { bills: done ?? [] });
  return { ...sheet, name: `补充协议_${change.actNo}` };
}

/** The supplement as it is presented for signing: what is agreed, and what it comes to now. Its reader may have no login. */
async function drawn(read: Read, actId: number): Promise<Drawn> {
  const { actNo, effectiveOn, contractId, kind: of, payload } = (await actById(read, actId))!;
  const kind = of as ChangeKind;
  const contract = (await recordById(read, contractId))!;
  const clauses = await clausesOf(read, contract, kind, payload);
  const preview = await weighChange(read, contract, kind, payload);
  const { reason } = payload as { reason: string };
  const change = { id: actId, kind, actNo, effectiveOn, reason, clauses, open: true };
  const { document, facts } = await sheetOf(read, contract, change, preview);
  const { before, after, credit, dueNow, refund } = preview;
  const money = [
    ["签署后应付", dueNow],
    ["抵付其后账单", credit],
    ["应退押金", refund],
  ] as const;
  return {
    title: "租赁合同补充协议",
    paper: await documentPaper(read, document, supplementContent(facts)),
    facts: [
      { title: "原合同", value: contract.contractNo },
      { title: "房间", value: contract.roomNames },
      { title: "生效日", value: effectiveOn },
      { title: "变更内容", value: clauses.join("；") },
      { title: "合同总额", value: `${yuan(before)} 变更为 ${yuan(after)} 元` },
      ...money.filter(([, fen]) => fen).map(([title, fen]) => ({ title, value: `${yuan(fen)} 元` })),
    ],
    due: preview.bills
      .filter((bill) => bill.dueOn === null && bill.after > bill.before)
      .map((bill) => ({ title: bill.title, dueOn: read.today, amount: bill.after - bill.before })),
    previewHash: preview.previewHash,
    preview,
    obstacles: preview.obstacles,
  };
}

for (const part of Object.values(PARTS)) {
  const { kind, target } = part;
  const steps = stepsOf(part as typeof PARTS.amend);
  presents(kind, {
    docKind: "supplement",
    target,
    send: (of) => (kind === "amend" ? permitOf(of, "amend") : "#1108"),
    get: (of) => permitOf(of, "get"),
    draw: drawn,
    signed: steps.signed,
    back: async (act, id, why) => {
      const { version } = (await actById(act, id))!;
      return steps.step(act, id, version, "object", { set: { agreed: null }, text: why });
    },
  });
}
