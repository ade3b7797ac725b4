import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { actById } from "../act/act.queries.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { stepsOf } from "../act/act.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { type Drawn, presents } from "../esign/subject.service.ts";
import type { ChangePreview } from "../recut/recut.contract.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { type ChangeKind, clausesOf, PARTS, weighChange } from "./amendment.queries.ts";
import { supplement, type SupplementFacts } from "./sheet.rules.ts";

type Change = Pick<SupplementFacts, "actNo" | "effectiveOn" | "clauses" | "open"> & { kind: ChangeKind };
type Money = Pick<ChangePreview, "bills"> & Partial<Pick<ChangePreview, "credit" | "dueNow" | "refund">>;

/** 补充协议 of a change to a contract. */
export async function supplementOf(
  read: Read,
  contract: ContractRecord,
  { kind, ...change }: Change,
  { bills, credit = 0, dueNow = 0, refund = 0 }: Money,
): Promise<Paper> {
  const { name: lessor } = await read.tx
    .selectFrom("enterprise")
    .select("name")
    .where("id", "=", contract.enterpriseId)
    .executeTakeFirstOrThrow();
  return supplement({
    ...change,
    title: ACT_KIND_WORDS[kind][0],
    contractNo: contract.contractNo,
    lessor,
    partyName: contract.partyName,
    roomNames: contract.roomNames,
    start: contract.start!,
    end: contract.end!,
    bills,
    credit,
    dueNow,
    refund,
    today: read.today,
  });
}

/** The supplement as it is presented for signing: what is agreed, and what it comes to now. */
async function drawn(read: Read, actId: number): Promise<Drawn> {
  const { actNo, effectiveOn, contractId, kind: of, payload } = (await actById(read, actId))!;
  const kind = of as ChangeKind;
  const contract = (await recordById(read, contractId))!;
  const clauses = await clausesOf(read, contract, kind, payload);
  const preview = await weighChange(read, contract, kind, payload);
  const { before, after, credit, dueNow, refund } = preview;
  const money = [
    ["签署后应付", dueNow],
    ["抵付其后账单", credit],
    ["应退押金", refund],
  ] as const;
  return {
    title: "租赁合同补充协议",
    paper: await supplementOf(read, contract, { kind, actNo, effectiveOn, clauses, open: true }, preview),
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
