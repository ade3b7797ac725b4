import { Link } from "react-router";
import type { Call } from "../../kernel/call.ts";
import { timeInZone } from "../../kernel/day.ts";
import { useAct } from "../calls/mutation.ts";
import { reach } from "../screens/screen-link.ts";
import { Button } from "./button.tsx";

type Frozen = {
  examineId: number;
  title: string;
  node: string;
  waitingFor: string;
  since: string;
  opens: boolean;
  mine: boolean;
  version: number;
};
type Props = {
  frozen: Frozen;
  /** The page of approvals, and the call that decides them. */
  page: string;
  decide: Call;
  /** What taking it back does: 账单可以再次修改. */
  then: string;
};

/** Where the approval is looked at, for who may open it. */
export const examineAt = (page: string, frozen: Pick<Frozen, "examineId" | "opens"> | null | undefined) =>
  frozen?.opens ? reach(page, { tab: "examine", examineId: frozen.examineId }) : undefined;

/** On top of a record that waits: what for, whom, since when, and the way to take it back. */
export function Waits({ frozen, page, decide, then }: Props) {
  const act = useAct();
  const to = examineAt(page, frozen);
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
            act(decide, { params: { id }, body: { decision: "withdraw", version } } as never, {
              done: "已撤回",
              ask: { title: "撤回审批", body: `撤回后${then}，确定吗？`, ok: "撤回" },
            })
          }
        >
          撤回
        </Button>
      )}
    </div>
  );
}
