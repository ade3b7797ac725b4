import { Link } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { BILL_TAGS, type BillRow } from "./bills.contract.ts";
import "../account/account.css";

type Frozen = NonNullable<BillRow["frozen"]>;

const examineAt = (frozen: Frozen | null) =>
  frozen?.opens ? reach(WORKBENCH, { tab: "examine", examineId: frozen.examineId }) : undefined;

/** The remarks of a bill; 审批中 leads to the approval for who may see it. */
export const BillTags = ({ bill }: { bill: Pick<BillRow, "tags" | "frozen"> }) => (
  <span className="row">
    {bill.tags.map((tag) => {
      const shown = <WordTag key={tag} words={BILL_TAGS} code={tag} dot={false} />;
      const to = tag === "approving" ? examineAt(bill.frozen) : undefined;
      return to ? (
        <Link key={tag} to={to} title={bill.frozen?.examineNo}>
          {shown}
        </Link>
      ) : (
        shown
      );
    })}
  </span>
);

/** On top of a bill that waits: what for, whom, since when, and the way to take it back. */
export function FrozenStrip({ frozen }: { frozen: Frozen }) {
  const act = useAct();
  const to = examineAt(frozen);
  const { examineId: id, version } = frozen;
  return (
    <div className="waits" role="status">
      <b>审批中</b>
      <span>
        {frozen.title}，节点 {frozen.node}
        {frozen.waitingFor && `，等待 ${frozen.waitingFor}`}，自 {timeInZone(frozen.since).slice(0, 16)}
      </span>
      <span className="grow" />
      {to && <Link to={to}>查看审批</Link>}
      {frozen.mine && (
        <Button
          look="text"
          run={() =>
            act(
              decideExamine,
              { params: { id }, body: { decision: "withdraw", version } },
              { done: "已撤回", ask: { title: "撤回审批", body: "撤回后账单可以再次修改，确定吗？" } },
            )
          }
        >
          撤回
        </Button>
      )}
    </div>
  );
}

/** "已作废 3 笔，2 笔已提交审批". */
export const batchDone = (verb: string, { count, waiting }: { count: number; waiting: number }): string =>
  [count > 0 && `${verb} ${count} 笔`, waiting > 0 && `${waiting} 笔已提交审批`].filter(Boolean).join("，");
