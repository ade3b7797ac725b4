import type { Words } from "../../../platform/kernel/field.ts";

/** How far an uploaded spreadsheet is: checked, taken, taken back. */
export const IMPORT_STATES = {
  failed: ["有错误", "red"],
  ready: ["待确认", "gold"],
  done: ["已导入", "green"],
  undone: ["已撤销", "grey"],
} as const satisfies Words;

/** The same where a file may be so long that a job takes it. */
export const LONG_STATES = {
  failed: IMPORT_STATES.failed,
  ready: IMPORT_STATES.ready,
  importing: ["导入中", "blue"],
  done: IMPORT_STATES.done,
  undone: IMPORT_STATES.undone,
} as const satisfies Words;
export type ImportState = keyof typeof LONG_STATES;

/** A long file may be taken so many hours after its check; the world has moved on afterwards. */
export const READY_HOURS = 24;

/** The sentence against taking a batch, or nothing. */
export function commitRefusal(
  state: ImportState | "checking",
  failed = "文件有错误，请改正后重新上传",
): string | undefined {
  if (state === "ready") return undefined;
  return {
    failed,
    checking: "文件正在检查，请稍后",
    importing: "正在导入，请勿重复提交",
    done: "该批次已导入",
    undone: "该批次已撤销，请重新上传文件",
  }[state];
}
