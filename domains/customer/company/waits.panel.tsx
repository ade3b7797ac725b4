import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { WORKBENCH } from "../../approval/examine/words.rules.ts";
import type { getCompany } from "./company.contract.ts";

type Frozen = NonNullable<Reply<typeof getCompany>["frozen"]>;

/** On top of a company that waits: what for, whom, since when, and the way to take it back. */
export function Waits({ frozen }: { frozen: Frozen }) {
  const act = useAct();
  const { examineId: id, version } = frozen;
  const to = frozen.opens ? reach(WORKBENCH, { tab: "examine", examineId: id }) : undefined;
  return (
    <div className="notice s-gold" role="status">
      <b>审批中</b>
      <span className="grow">
        {frozen.title}，节点 {frozen.node}
        {frozen.waitingFor && `，等待 ${frozen.waitingFor}`}，自 {timeInZone(frozen.since).slice(0, 16)}
      </span>
      {to && <Link to={to}>查看审批</Link>}
      {frozen.mine && (
        <Button
          look="text"
          run={() =>
            act(
              decideExamine,
              { params: { id }, body: { decision: "withdraw", version } },
              {
                done: "已撤回",
                ask: { title: "撤回审批", body: "撤回后可以再次修改，确定吗？", ok: "撤回" },
              },
            )
          }
        >
          撤回
        </Button>
      )}
    </div>
  );
}
