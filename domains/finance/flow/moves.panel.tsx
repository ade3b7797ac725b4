import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { freshKey } from "../../../platform/console/calls/mutation.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rejectFlow, reverseFlow, allocateFlow, confirmFlow } from "./acts.contract.ts";
import type { FlowRow } from "./flow.contract.ts";
import { FLOW_MOVES, REFUND_FLOW } from "./flow.rules.ts";

/** What somebody is about to do with a flow. */
export type Doing = { what: "confirm" | "allocate" | "print"; flow: FlowRow };

/** Acts that need no more than a reason; answers true when it was done. */
async function reverse(flow: FlowRow): Promise<boolean> {
  const key = freshKey();
  const paid = flow.allocated > 0 ? `已分配的 ${yuan(flow.allocated)} 将退回未收，` : "";
  const fee = flow.fee > 0 ? `，手续费 ${yuan(flow.fee)} 仍计入成本` : "";
  return askReason(
    {
      title: `冲销流水 ${flow.flowNo}`,
      text: `${paid}${flow.direction === "in" ? "收款" : "付款"} ${yuan(flow.amount)} 按今天冲回${fee}。`,
      ok: "冲销",
    },
    async (reason) => {
      const sent = { params: { id: flow.id }, body: { reason, version: flow.version } };
      await send(reverseFlow, sent, { idempotencyKey: key });
      toast("已冲销");
    },
  );
}

const reject = (flow: FlowRow): Promise<boolean> =>
  askReason(
    { title: `驳回流水 ${flow.flowNo}`, text: `${yuan(flow.amount)} 没有到账，不记入账户。`, ok: "驳回" },
    async (reason) => {
      await send(rejectFlow, { params: { id: flow.id }, body: { reason } });
      toast("已驳回");
    },
  );

/** What can be done with a flow now; what cannot is greyed with its sentence. */
export function flowActions(
  flow: FlowRow,
  me: number | undefined,
  start: (doing: Doing) => void,
  refresh: () => Promise<unknown> = async () => undefined,
): Actions {
  const standing = { ...flow, status: flow.state };
  const again = async (work: Promise<boolean>) => void ((await work) && (await refresh()));
  const waits = flow.state === "pending";
  if (flow.state === "reversed" || flow.state === "rejected") return [];
  return [
    waits && {
      label: "确认",
      does: confirmFlow,
      main: true,
      why: flow.createdBy === me ? "录入人不能确认自己的流水" : undefined,
      run: () => start({ what: "confirm", flow }),
    },
    waits && { label: "驳回", does: rejectFlow, run: () => again(reject(flow)) },
    !waits &&
      flow.direction === "in" && {
        label: "分配",
        does: allocateFlow,
        main: flow.unallocated > 0,
        why: FLOW_MOVES.refusal("allocate", standing) ?? (flow.unallocated ? undefined : "没有未分配的金额"),
        run: () => start({ what: "allocate", flow }),
      },
    !waits &&
      flow.direction === "in" && {
        label: "收据",
        need: "102.get",
        run: () => start({ what: "print", flow }),
      },
    !waits && {
      label: "冲销",
      does: reverseFlow,
      danger: true,
      why: flow.kind === "refund" ? REFUND_FLOW : FLOW_MOVES.refusal("reverse", standing),
      run: () => again(reverse(flow)),
    },
  ];
}
