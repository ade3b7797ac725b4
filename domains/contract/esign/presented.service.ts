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

const DATE = "电子签署，时间见末页签署证明";

export const shownOf = (block: Block): ShownBlock =>
  block.kind === "grid" ? { kind: "grid", cells: block.rows } : block;

/** The contract as it is presented for signing: the file, and the same text and figures for who reads them on a phone. */
export async function presentedOf(
  read: Read,
  contract: ContractRecord,
): Promise<{ pdf: Buffer; presented: Presented }> {
  const facts = await paperFacts(read, contract);
  const lease = await paperOf(read, contract);
  const paper: Paper = {
    ...lease,
    mark: "",
    blocks: lease.blocks.map((block) => (block.kind === "signatures" ? { ...block, date: DATE } : block)),
  };
  const title = PAPER_TITLES[facts.kind];
  const { plan, terms } = facts;
  const ahead = terms.due.firstDueDays ?? 0;
  const due = plan.bills
    .filter((bill) => bill.onSigning || bill.dueRuleDate === null || bill.dueRuleDate < read.today)
    .map((bill) => ({ title: bill.title, dueOn: dueOn(bill, read.today, ahead), amount: bill.amount }));
  return {
    pdf: await printed(paper, `${title} ${contract.contractNo}`),
    presented: {
      title,
      blocks: paper.blocks.map(shownOf),
      due,
      facts: [
        { title: "房间", value: contract.roomNames },
        { title: "租期", value: `${facts.start} 至 ${facts.end}（${termText(facts.start, facts.end)}）` },
        { title: "月租金", value: `${yuan(contract.monthlyRent ?? 0)} 元` },
        { title: "押金", value: `${yuan(plan.totals.deposit)} 元` },
        { title: "签约应付", value: `${yuan(plan.totals.atSigning)} 元` },
        { title: "合同总额", value: `${yuan(plan.totals.contractTotal)} 元` },
      ],
    },
  };
}
