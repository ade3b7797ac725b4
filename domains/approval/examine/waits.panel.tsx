import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { WORKBENCH } from "./engine.rules.ts";
import { decideExamine, type Frozen } from "./examine.contract.ts";
import "./examine.css";

/** Where the approval is looked at, for who may open it. */
export const examineAt = (frozen: Frozen | null | undefined) =>
  frozen?.opens ? reach(WORKBENCH, { tab: "examine", examineId: frozen.examineId }) : undefined;

/** On top of a record that waits: what for, whom, since when, and the way to take it back with what that does. */
export function Waits({ frozen, then }: { frozen: Frozen; then: string }) {
  const act = useAct();
  const to = examineAt(frozen);
  const { examineId: id, version } = frozen;
  return (
    <div className="waits tinted s-blue row wrap fs-13" role="status">
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
              { done: "已撤回", ask: { title: "撤回审批", body: `撤回后${then}，确定吗？`, ok: "撤回" } },
            )
          }
        >
          撤回
        </Button>
      )}
    </div>
  );
}
