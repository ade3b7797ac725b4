import type { useAct } from "../../../platform/console/act.ts";
import type { Action } from "../../../platform/console/actions.tsx";
import { rejectFlow, reverseFlow } from "./acts.contract.ts";
import { FLOW_MOVES, type FlowState } from "./flow.rules.ts";

export type FormName = "confirm" | "allocate";
type Acting = { act: ReturnType<typeof useAct>; open: (form: FormName) => void };
type Standing = {
  id: number;
  flowNo: string;
  state: FlowState;
  direction: "in" | "out";
  refunded: number;
  unallocated: number;
  version: number;
};

/** What can be done with a flow; what the state machine refuses stays visible with its sentence. */
export function flowActions(flow: Standing, { act, open }: Acting): (Action | false)[] {
  const row = { ...flow, status: flow.state };
  const waits = flow.state === "pending";
  return [
    waits && {
      label: "确认",
      main: true,
      need: "#10201",
      why: FLOW_MOVES.refusal("confirm", row),
      run: () => open("confirm"),
    },
    waits && {
      label: "驳回",
      need: "#10201",
      run: () =>
        act(
          rejectFlow,
          { params: { id: flow.id } },
          { done: "已驳回", reason: { title: `驳回 ${flow.flowNo}`, ok: "驳回" } },
        ),
    },
    !waits && {
      label: "分配",
      need: "#10203",
      why: FLOW_MOVES.refusal("allocate", row) ?? (flow.unallocated > 0 ? undefined : "没有未分配的金额"),
      run: () => open("allocate"),
    },
    !waits && {
      label: "冲销",
      need: "#10202",
      danger: true,
      why: FLOW_MOVES.refusal("reverse", row),
      run: () =>
        act(
          reverseFlow,
          { params: { id: flow.id }, body: { version: flow.version } },
          {
            done: "已冲销",
            reason: {
              title: `冲销 ${flow.flowNo}`,
              text: "已分配的账单将恢复未收，手续费保留为成本，冲销记在今天。",
              ok: "冲销",
            },
          },
        ),
    },
  ];
}
