import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const LEAD_STATES = {
  new: ["新客源", "blue"],
  following: ["跟进中", "cyan"],
  viewed: ["已看房", "gold"],
  reserved: ["已预订", "orange"],
  signed: ["已签约", "green"],
  lost: ["已流失", "grey"],
} as const satisfies Words;
export type LeadState = keyof typeof LEAD_STATES;

/** States in which somebody may still take a room; one such lead per phone. */
export const LIVE = ["new", "following", "viewed", "reserved"] as const satisfies LeadState[];
/** States in which an idle lead falls into the pool: a reservation holds its customer. */
export const IDLING = ["new", "following", "viewed"] as const satisfies LeadState[];

export const LEVELS = {
  A: ["A", "grey"],
  B: ["B", "grey"],
  C: ["C", "grey"],
} as const satisfies Words;

/** Bedrooms wished for; the last one means that many or more. */
export const LAYOUTS = {
  "1": ["一居", "grey"],
  "2": ["两居", "grey"],
  "3": ["三居", "grey"],
  "4": ["四居及以上", "grey"],
} as const satisfies Words;

export const EVENT_KINDS = {
  call: ["电话", "grey"],
  wechat: ["微信", "grey"],
  visit: ["到访", "grey"],
  viewing: ["看房", "grey"],
  system: ["系统", "grey"],
} as const satisfies Words;

/** What a person writes down; a viewing and the system note themselves. */
export const FOLLOW_KINDS = {
  call: EVENT_KINDS.call,
  wechat: EVENT_KINDS.wechat,
  visit: EVENT_KINDS.visit,
} as const satisfies Words;

export const TABS = {
  mine: ["我的客源", "grey"],
  all: ["全部客源", "grey"],
  pool: ["公海", "grey"],
} as const satisfies Words;

/** Days without a word after which a lead falls into the pool, where its stores say nothing else. */
export const IDLE_DAYS = 7;

const STATE_NAMES = Object.fromEntries(
  Object.entries(LEAD_STATES).map(([state, [title]]) => [state, title]),
) as Record<LeadState, string>;

type Row = { ownerId: number | null; phone?: string };
const unowned = (row: Row) => row.ownerId === null && "该客源在公海，请先领取";

export const LEAD_MOVES = moves<LeadState, Row>(STATE_NAMES)({
  follow: {
    label: "跟进",
    from: LIVE,
    to: (row) => {
      const { status } = row as Row & { status: LeadState };
      return status === "new" ? "following" : status;
    },
    unless: unowned,
  },
  /** What only goes on while the lead does; a reservation or a viewing moves it by its own course. */
  book: { label: "预约看房", from: LIVE, to: (row) => (row as Row & { status: LeadState }).status },
  reserve: { label: "预订", from: LIVE, to: (row) => (row as Row & { status: LeadState }).status },
  lose: { label: "流失", from: LIVE, to: "lost", unless: unowned },
  reopen: {
    label: "重新激活",
    from: ["lost"],
    to: "following",
    // only who became nobody has no phone
    unless: (row) => row.phone === "" && "该客源的客户已匿名化，不能重新激活",
  },
  release: {
    label: "释放",
    from: IDLING,
    to: (row) => (row as Row & { status: LeadState }).status,
    unless: (row) => row.ownerId === null && "该客源已在公海",
  },
  sign: { label: "签约", from: LIVE, to: "signed" },
});

/** Why somebody may not work on a lead, or undefined: its owner may, and who assigns leads. */
export const notYours = (
  lead: { ownerId: number | null; ownerName: string },
  operatorId: number,
  assigns: boolean,
): string | undefined =>
  lead.ownerId === null || lead.ownerId === operatorId || assigns
    ? undefined
    : `该客源由${lead.ownerName}跟进，不能操作`;

export const STEPS = ["created", "following", "viewed", "reserved", "signed"] as const;
export type Step = (typeof STEPS)[number];
export const STEP_TITLES: Record<Step, string> = {
  created: "新增客源",
  following: "开始跟进",
  viewed: "已看房",
  reserved: "已预订",
  signed: "已签约",
};
/** How far a lead came, to filter by. */
export const REACHED = Object.fromEntries(
  STEPS.map((step): [Step, Words[Step]] => [step, [STEP_TITLES[step], "grey"]]),
) as Words<Step>;
/** Share of a whole; nothing of nothing is unknown, never 0. */
export const rateOf = (part: number, whole: number): number | null => (whole ? part / whole : null);
