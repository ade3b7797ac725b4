import type { Words } from "../../../platform/kernel/field.ts";

export const AUDIENCES = {
  all: ["全体员工", "grey"],
  villages: ["指定门店", "grey"],
  departments: ["指定部门", "grey"],
} as const satisfies Words;
export type Audience = keyof typeof AUDIENCES;

/** What is kept is draft, published or withdrawn; the other two follow from the moments. */
export const STATES = {
  draft: ["草稿", "grey"],
  waiting: ["待发布", "gold"],
  published: ["已发布", "green"],
  expired: ["已失效", "grey"],
  withdrawn: ["已撤回", "orange"],
} as const satisfies Words;
export type State = keyof typeof STATES;
export type KeptState = "draft" | "published" | "withdrawn";

export const SAVED_AS = {
  published: ["发布", "grey"],
  draft: ["存为草稿", "grey"],
} as const satisfies Words;

/** As `publishAt`, `expireAt` and `now` are ISO instants of one zone, they compare as text. */
export function stateOf(
  row: { state: string; publishAt: string; expireAt: string | null },
  now: string,
): State {
  if (row.state !== "published") return row.state as "draft" | "withdrawn";
  if (row.publishAt > now) return "waiting";
  return row.expireAt !== null && row.expireAt <= now ? "expired" : "published";
}

const EDITABLE: readonly State[] = ["draft", "waiting", "published"];
const WITHDRAWABLE: readonly State[] = ["waiting", "published"];

/** Why it cannot be done now, or nothing. */
export const refusal = (act: "edit" | "withdraw", state: State): string | undefined =>
  (act === "edit" ? EDITABLE : WITHDRAWABLE).includes(state)
    ? undefined
    : `当前状态为“${STATES[state][0]}”，不能${act === "edit" ? "编辑" : "撤回"}`;

export const READ_STATES = {
  unread: ["未读", "grey"],
  read: ["已读", "blue"],
  confirmed: ["已确认", "green"],
} as const satisfies Words;
export type ReadState = keyof typeof READ_STATES;
