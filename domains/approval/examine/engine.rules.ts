import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";

export const EXAMINE_STATE = {
  approving: ["审批中", "blue"],
  approved: ["已通过", "green"],
  rejected: ["已驳回", "red"],
  withdrawn: ["已撤回", "grey"],
  void: ["已作废", "grey"],
} as const satisfies Words;
export type ExamineState = keyof typeof EXAMINE_STATE;

export const STEP_STATE = {
  waiting: ["待审批", "gold"],
  approved: ["通过", "green"],
  rejected: ["驳回", "red"],
  returned: ["退回", "orange"],
  transferred: ["转交", "purple"],
  skipped: ["未处理", "grey"],
} as const satisfies Words;
export type StepState = keyof typeof STEP_STATE;

export const MODES = greys({ any: "任一人通过", all: "全部通过" });
export type Mode = keyof typeof MODES;

export const BOXES = ["mine", "sent", "returned", "done", "all"] as const;
export type Box = (typeof BOXES)[number];

/** Where approvals are decided: a tab of the workbench. */
export const WORKBENCH = "/workbench/WorkbenchPage";
export const FROZEN = "审批中，不能修改";

/** The screen of a record may name the tab that lists it. */
export const recordQuery = ({ page, targetId }: { page: string; targetId: number }) => ({
  ...Object.fromEntries(new URLSearchParams(page.split("?")[1])),
  id: targetId,
});

/** One node of the way, with the people found for it when the act was submitted. */
export type NodePlan = { mode: Mode; people: readonly number[] };
export type Step = {
  /** Absent until it is stored. */
  id?: number;
  round: number;
  order: number;
  operatorId: number;
  state: StepState;
  merged?: boolean;
  transferredToId?: number;
};
export type Run = {
  state: ExamineState;
  /** From 1. */
  order: number;
  round: number;
  nodes: readonly NodePlan[];
  steps: readonly Step[];
};
/** Who can decide at this moment. */
export type Around = { active: ReadonlySet<number>; submitterId: number; fallbackId: number };

export const NOBODY = "没有可用的审批人，请联系管理员调整审批配置";

/** The fallback approver, or nobody. They may be the submitter only here, where there is no other. */
const standIn = ({ active, fallbackId }: Around): number[] => (active.has(fallbackId) ? [fallbackId] : []);

/** Who is asked at a node now: those who can decide, without the submitter; the fallback for who is missing. */
export function asked(node: NodePlan, around: Around): number[] {
  const able = node.people.filter((id) => around.active.has(id) && id !== around.submitterId);
  const lost = node.people.some((id) => !around.active.has(id));
  if (able.length && (node.mode === "any" || !lost)) return able;
  const more = able.length ? standIn(around).filter((id) => id !== around.submitterId) : standIn(around);
  return [...new Set([...able, ...more])];
}

const here = (run: Run, step: Step) => step.round === run.round && step.order === run.order;
const waits = (run: Run) => run.steps.some((s) => here(run, s) && s.state === "waiting");
const skipWaiting = (steps: readonly Step[]): Step[] =>
  steps.map((s) => (s.state === "waiting" ? { ...s, state: "skipped" } : s));

/** Opens the node at `run.order` and goes on while nobody has to be asked any more. */
function open(run: Run, around: Around): Run {
  const node = run.nodes[run.order - 1];
  if (!node) return { ...run, order: run.nodes.length, state: "approved" };
  const people = asked(node, around);
  if (!people.length) throw new Refusal("nobody", NOBODY);
  // whoever has just agreed agrees again
  const agreed = new Set(
    run.steps
      .filter((s) => s.round === run.round && s.order === run.order - 1 && s.state === "approved")
      .map((s) => s.operatorId),
  );
  const same = people.filter((id) => agreed.has(id));
  const over = node.mode === "any" ? same.length > 0 : same.length === people.length;
  const one = (operatorId: number, state: StepState, merged: boolean): Step => ({
    round: run.round,
    order: run.order,
    operatorId,
    state,
    merged,
  });
  const merged = same.map((id) => one(id, "approved", true));
  const wait = over ? [] : people.filter((id) => !agreed.has(id)).map((id) => one(id, "waiting", false));
  const next = { ...run, steps: [...run.steps, ...merged, ...wait] };
  return over ? open({ ...next, order: run.order + 1 }, around) : next;
}

/** The beginning of the way; at once over when it has no nodes. */
export const start = (
  nodes: readonly NodePlan[],
  around: Around,
  before: { round: number; steps: readonly Step[] } = { round: 0, steps: [] },
): Run => open({ state: "approving", order: 1, round: before.round + 1, nodes, steps: before.steps }, around);

function deciding(run: Run, operatorId: number): Step {
  const step = run.steps.find((s) => here(run, s) && s.operatorId === operatorId && s.state === "waiting");
  if (run.state !== "approving" || !step) throw new Refusal("notAllowed", "该审批当前不由您处理");
  return step;
}

const put = (run: Run, step: Step, state: StepState, more: Partial<Step> = {}): Run => ({
  ...run,
  steps: run.steps.map((s) => (s === step ? { ...s, state, ...more } : s)),
});

/** One yes. The node is over when all have said it, or one where one is enough. */
export function approve(run: Run, operatorId: number, around: Around): Run {
  const voted = put(run, deciding(run, operatorId), "approved");
  if (run.nodes[run.order - 1]!.mode === "all" && waits(voted)) return voted;
  return open({ ...voted, steps: skipWaiting(voted.steps), order: run.order + 1 }, around);
}

export function reject(run: Run, operatorId: number): Run {
  const voted = put(run, deciding(run, operatorId), "rejected");
  return { ...voted, steps: skipWaiting(voted.steps), state: "rejected" };
}

/** Back to an earlier node, whose people are asked again. */
export function sendBack(run: Run, operatorId: number, to: number, around: Around): Run {
  const step = deciding(run, operatorId);
  if (to < 1 || to >= run.order) throw new Refusal("notAllowed", "只能退回到之前的节点");
  const voted = put(run, step, "returned");
  const steps = skipWaiting(voted.steps);
  return open({ ...voted, steps, round: run.round + 1, order: to }, around);
}

export function transfer(run: Run, operatorId: number, to: number): Run {
  const step = deciding(run, operatorId);
  if (run.steps.some((s) => here(run, s) && s.operatorId === to && ["waiting", "approved"].includes(s.state)))
    throw new Refusal("notAllowed", "对方已在本节点的审批人中");
  const moved = put(run, step, "transferred", { transferredToId: to });
  return {
    ...moved,
    steps: [
      ...moved.steps,
      { round: run.round, order: run.order, operatorId: to, state: "waiting", merged: false },
    ],
  };
}

/** Ends it without a decision: withdrawn by the submitter, or void with its record. */
export function end(run: Run, state: "withdrawn" | "void"): Run {
  if (run.state !== "approving") throw new Refusal("notAllowed", "审批已结束");
  return { ...run, steps: skipWaiting(run.steps), state };
}

/** People who were disabled, or lost sight of the store, while they were asked give way to the fallback approver. */
export function replaceLost(run: Run, around: Around): Run {
  const isLost = (s: Step) => here(run, s) && s.state === "waiting" && !around.active.has(s.operatorId);
  if (run.state !== "approving" || !run.steps.some(isLost)) return run;
  const left = run.steps.map((s): Step => (isLost(s) ? { ...s, state: "skipped" } : s));
  const next = { ...run, steps: left };
  const live = left.filter((s) => here(run, s) && ["waiting", "approved"].includes(s.state));
  if (run.nodes[run.order - 1]!.mode === "any" && live.length) return next;
  const alone = live.length === 0;
  const more = standIn(around).filter(
    (id) => !live.some((s) => s.operatorId === id) && (alone || id !== around.submitterId),
  );
  if (alone && !more.length) return run;
  const added = more.map((operatorId): Step => ({
    round: run.round,
    order: run.order,
    operatorId,
    state: "waiting",
    merged: false,
  }));
  const filled = { ...next, steps: [...left, ...added] };
  return waits(filled) ? filled : open({ ...filled, order: run.order + 1 }, around);
}
