import { addDays, addMonths, type Day, daysBetween } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { plainWords } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { DOC_KINDS as ALL_KINDS } from "../template/doc-kind.rules.ts";

export const ARCHIVE_STATES = {
  pending: ["待归档", "gold"],
  archived: ["在库", "green"],
  lent: ["借出", "blue"],
  lost: ["遗失", "red"],
  destroyed: ["已销毁", "grey"],
} as const satisfies Words;
export type ArchiveState = keyof typeof ARCHIVE_STATES;

export const MEDIA = plainWords({ paper: "纸质", electronic: "电子" });
export type Medium = keyof typeof MEDIA;

/** The documents of which an original is kept. */
const { receipt: _r, dunningLetter: _d, lendSlip: _l, ...KEPT } = ALL_KINDS;
export const DOC_KINDS = KEPT;
export type DocKind = keyof typeof DOC_KINDS;

/** Of the last look at the kept file. */
export const HASH_STATES = {
  none: ["未验签", "grey"],
  same: ["未被改动", "green"],
  changed: ["已被改动", "red"],
} as const satisfies Words;

export const CONDITIONS = {
  good: ["完好", "green"],
  worn: ["轻微破损", "orange"],
  damaged: ["损坏", "red"],
} as const satisfies Words;

export const TABS = ["pending", "archived", "lent", "overdue", "gone"] as const;
export type ArchiveTab = (typeof TABS)[number];
export const TAB_WORDS: Record<ArchiveTab, string> = {
  pending: "待归档",
  archived: "在库",
  lent: "借出",
  overdue: "逾期未还",
  gone: "遗失/销毁",
};

export const USUAL_YEARS = 10;
/** Days that an original may be away, and by how many it may be put off, once. */
export const LONGEST_LOAN = 90;
export const LONGEST_EXTENSION = 30;

/** The last day on which an original must still be kept. */
export const retentionOf = (end: Day, years: number): Day => addMonths(end, 12 * years);

const NAMES = Object.fromEntries(
  Object.entries(ARCHIVE_STATES).map(([state, [title]]) => [state, title]),
) as Record<ArchiveState, string>;

export type ArchiveFacts = {
  medium: Medium;
  today: Day;
  retentionUntil: Day | null;
  /** The loan that runs was put off already. */
  extended: boolean;
};
const onPaper = ({ medium }: ArchiveFacts) => medium === "electronic" && "电子件不占库位，请直接查看或下载";

export const ARCHIVE_MOVES = moves<ArchiveState, ArchiveFacts>(NAMES)({
  store: { label: "归档", from: ["pending"], to: "archived" },
  relocate: { label: "改库位", from: ["archived"], to: "archived", unless: onPaper },
  lend: { label: "借出", from: ["archived"], to: "lent", unless: onPaper },
  takeBack: { label: "归还", from: ["lent"], to: "archived" },
  extend: {
    label: "续借",
    from: ["lent"],
    to: "lent",
    unless: ({ extended }) => extended && "只能续借一次",
  },
  lose: { label: "遗失登记", from: ["archived", "lent"], to: "lost", unless: onPaper },
  destroy: {
    label: "销毁",
    from: ["archived"],
    to: "destroyed",
    unless: ({ retentionUntil, today }) =>
      retentionUntil !== null && today <= retentionUntil && "未到保管期限",
  },
});
export type ArchiveMove = Parameters<typeof ARCHIVE_MOVES.next>[0];

/** What is wrong with the days of a loan, by field. */
export function loanRefusal(
  loan: { lentOn: Day; dueOn: Day },
  of: { archivedOn: Day; today: Day },
): { field: "lentOn" | "dueOn"; msg: string } | undefined {
  if (loan.lentOn > of.today) return { field: "lentOn", msg: "借出日不能晚于今天" };
  if (loan.lentOn < of.archivedOn) return { field: "lentOn", msg: `借出日不能早于归档日 ${of.archivedOn}` };
  if (loan.dueOn <= loan.lentOn) return { field: "dueOn", msg: "应还日须晚于借出日" };
  if (daysBetween(loan.lentOn, loan.dueOn) > LONGEST_LOAN) return { field: "dueOn", msg: "借期最长90天" };
  return undefined;
}

/** Why a loan cannot be put off to a day, or nothing. */
export function extensionRefusal(from: Day, to: Day): string | undefined {
  if (to <= from) return `须晚于原应还日 ${from}`;
  return to > addDays(from, LONGEST_EXTENSION) ? `续借最多${LONGEST_EXTENSION}天` : undefined;
}

export type Location = { warehouse: string; cabinet: string; shelf: string; box: string };
/** A-03-2 */
export const placeOf = ({ warehouse, cabinet, shelf, box }: Location): string =>
  [warehouse, cabinet, shelf, box].filter(Boolean).join("-");
