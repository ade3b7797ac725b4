import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Block, Paper } from "../../system/paper/block.rules.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { PAPER_TITLES } from "../paper/paper.rules.ts";
import { paperFacts, paperOf } from "../paper/paper.queries.ts";
import { termText } from "../schedule/months.rules.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import type { Presented, ShownBlock } from "./flow.queries.ts";
import type { Drawn } from "./subject.service.ts";

const DATE = "电子签署，时间见末页签署证明";

/** In place of the signatures of a contract that stands behind its supplement. */
const ANNEXED: Block = { kind: "note", text: "本合同为补充协议的附件，签署见补充协议。" };

export const shownOf = (block: Block): ShownBlock =>
  block.kind === "grid" ? { kind: "grid", cells: block.rows } : block;

export const presentedSigned = ({ code: _, ...paper }: Paper): Paper => ({
  ...paper,
  mark: "",
  blocks: paper.blocks.map((block) => (block.kind === "signatures" ? { ...block, date: DATE } : block)),
});

export type ToSign = { pdf: Buffer; presented: Presented; previewHash: string };

async function toSign(
  number: string,
  paper: Paper,
  shown: Omit<Presented, "blocks">,
  previewHash: string,
): Promise<ToSign> {
  const signed = presentedSigned(paper);
  const presented = { ...shown, blocks: signed.blocks.map(shownOf) };
  const { title } = shown;
  return { pdf: await printed(signed, `${title} ${number}`), presented, previewHash };
}

/** The supplement of an act as it is presented: the file, and the same text and figures for who reads them on a phone. */
export const supplementToSign = (number: string, { paper, ...drawn }: Drawn): Promise<ToSign> => {
  const { previewHash, preview: _, obstacles: _o, ...shown } = drawn;
  return toSign(number, paper, shown, previewHash);
};

/** Contracts behind the supplement of the change that they come of: signed once, at the end of the supplement. */
export async function annexedToSign(
  read: Read,
  contracts: readonly ContractRecord[],
  drawn: Drawn,
): Promise<ToSign> {
  const { paper } = drawn;
  const blocks: Block[] = [...paper.blocks];
  let seam = Boolean(paper.seam);
  for (const contract of contracts) {
    const lease = await paperOf(read, contract);
    seam ||= Boolean(lease.seam);
    blocks.push(
      { kind: "break" },
      ...lease.blocks.map((block) => (block.kind === "signatures" ? ANNEXED : block)),
    );
  }
  return supplementToSign(contracts[0]!.contractNo, { ...drawn, paper: { ...paper, seam, blocks } });
}

export async function contractToSign(read: Read, contract: ContractRecord): Promise<ToSign> {
  const facts = await paperFacts(read, contract);
  const lease = await paperOf(read, contract);
  const { plan, terms } = facts;
  const ahead = terms.due.firstDueDays ?? 0;
  const due = plan.bills
    .filter((bill) => bill.onSigning || bill.dueRuleDate === null || bill.dueRuleDate < read.today)
    .map((bill) => ({ title: bill.title, dueOn: dueOn(bill, read.today, ahead), amount: bill.amount }));
  const shown = [
    { title: "房间", value: contract.roomNames },
    { title: "租期", value: `${facts.start} 至 ${facts.end}（${termText(facts.start, facts.end)}）` },
    { title: "月租金", value: `${yuan(contract.monthlyRent ?? 0)} 元` },
    { title: "押金", value: `${yuan(plan.totals.deposit)} 元` },
    { title: "签约应付", value: `${yuan(plan.totals.atSigning)} 元` },
    { title: "合同总额", value: `${yuan(plan.totals.contractTotal)} 元` },
  ];
  const title = PAPER_TITLES[facts.kind];
  return toSign(contract.contractNo, lease, { title, facts: shown, due }, contract.previewHash!);
}
