import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const VIEWING_STATES = {
  pending: ["待确认", "gold"],
  confirmed: ["已确认", "blue"],
  viewed: ["已看房", "green"],
  noShow: ["未到", "red"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type ViewingState = keyof typeof VIEWING_STATES;

export const RESULTS = {
  满意: ["满意", "green"],
  再考虑: ["再考虑", "gold"],
  不合适: ["不合适", "grey"],
} as const satisfies Words;

export const VIEWING_SOURCES = {
  lead: ["客源", "grey"],
  store: ["门店登记", "grey"],
  online: ["线上预约", "grey"],
} as const satisfies Words;

export const MINUTES = {
  "30": ["30 分钟", "grey"],
  "60": ["1 小时", "grey"],
  "90": ["1.5 小时", "grey"],
  "120": ["2 小时", "grey"],
} as const satisfies Words;

const NAMES = Object.fromEntries(
  Object.entries(VIEWING_STATES).map(([state, [title]]) => [state, title]),
) as Record<ViewingState, string>;

type Row = { assigneeId: number | null };
export const VIEWING_MOVES = moves<ViewingState, Row>(NAMES)({
  confirm: {
    label: "确认",
    from: ["pending"],
    to: "confirmed",
    unless: (row) => row.assigneeId === null && "请先指派带看人",
  },
  assign: {
    label: "指派",
    from: ["pending", "confirmed"],
    to: (row) => (row as Row & { status: ViewingState }).status,
  },
  move: {
    label: "改期",
    from: ["pending", "confirmed"],
    to: (row) => (row as Row & { status: ViewingState }).status,
  },
  view: { label: "登记看房", from: ["pending", "confirmed"], to: "viewed" },
  noShow: { label: "登记未到", from: ["pending", "confirmed"], to: "noShow" },
  cancel: { label: "取消", from: ["pending", "confirmed"], to: "cancelled" },
});

export const SLOT_TAKEN = "该时段已有预约";

/** Why people cannot be shown around then, or nothing: on the half-hour, within the store's hours, in the future. */
export function timeRefusal(
  /** "2026-11-20 14:30" in the store's own time. */
  local: string,
  minutes: number,
  hours: { from: string; to: string },
  future: boolean,
): string | undefined {
  const [hour, minute] = local.slice(11, 16).split(":").map(Number) as [number, number];
  if (minute % 30 !== 0) return "看房时间须为整点或半点";
  if (!future) return "看房时间须晚于现在";
  const start = hour * 60 + minute;
  const clock = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  return start < clock(hours.from) || start + minutes > clock(hours.to)
    ? `该门店看房时间为 ${hours.from}-${hours.to}`
    : undefined;
}

export type Result = keyof typeof RESULTS;
export type RoomResult = { roomId: number; result: Result; feedback: string };

/** How far a viewing brought the customer: as far as the room that was liked best. */
const ORDER: readonly Result[] = ["满意", "再考虑", "不合适"];
export const bestOf = (results: readonly Pick<RoomResult, "result">[]): Result | undefined =>
  ORDER.find((word) => results.some((r) => r.result === word));

/** 1201 满意（采光好）、1202 不合适 */
export const resultsText = (results: readonly { name: string; result: Result; feedback: string }[]): string =>
  results.map((r) => `${r.name} ${r.result}${r.feedback && `（${r.feedback}）`}`).join("、");
