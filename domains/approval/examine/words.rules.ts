import type { Words } from "../../../platform/kernel/field.ts";

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

export const MODES = { any: ["任一人通过", "grey"], all: ["全部通过", "grey"] } as const satisfies Words;
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
