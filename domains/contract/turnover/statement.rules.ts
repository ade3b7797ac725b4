import { type Day, addDays, addMonths } from "../../../platform/kernel/day.ts";
import { type Fen, type Ratio, ratio } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { contractMonths } from "../schedule/months.rules.ts";
import { rentLines } from "../schedule/discounts.rules.ts";
import { weight } from "../schedule/write.rules.ts";
import { type Agreed, scheduleOf } from "../terms/terms.rules.ts";
import { type TurnoverRule, USUAL_RULE } from "../terms/terms.contract.ts";
import { turnoverRent } from "../terms/turnover-share.rules.ts";

/** A closed month of a contract's year: what was sold, and what the schedule charges for it. */
export type ClosedMonth = { no: number; net: Fen; base: Fen; weight: Ratio };
/** What each rule asks for a month, and what is billed beyond the base. */
export type Owed = { no: number; share: Fen; topUp: Fen };

type Rule = Pick<TurnoverRule, "rentKind" | "bandMode" | "bandBasis" | "bands" | "settleBasis">;

/**
 * The closed months of one contract year in order. Where bands run over the year a month costs what the turnover so far costs more than
 * the turnover before it.
 */
export function monthsOwed(rule: Rule, months: readonly ClosedMonth[]): Owed[] {
  let sold = 0;
  return months.map(({ no, net, base, weight }) => {
    const before = sold;
    sold += net;
    const share =
      rule.bandBasis === "year"
        ? turnoverRent(rule, sold) - turnoverRent(rule, before)
        : turnoverRent(rule, net, weight);
    const topUp =
      rule.rentKind === "turnover" ? share : rule.rentKind === "higherOf" ? Math.max(0, share - base) : 0;
    return { no, share, topUp };
  });
}

/**
 * What a year is to be billed beyond the base. Settled by the year, the last month brings the whole year together: then a good month
 * makes up for a bad one, and what was billed too much comes back.
 */
export function yearOwed(rule: Rule, months: readonly ClosedMonth[], complete: boolean): Fen {
  const owed = monthsOwed(rule, months);
  const monthly = owed.reduce((sum, m) => sum + m.topUp, 0);
  if (rule.settleBasis === "month" || rule.rentKind !== "higherOf" || !complete) return monthly;
  const share = owed.reduce((sum, m) => sum + m.share, 0);
  return Math.max(0, share - months.reduce((sum, m) => sum + m.base, 0));
}

/** The contract year of a month, counted from 1: twelve months each from the first. */
export const yearOf = (no: number): number => Math.ceil(no / 12);

export const STATEMENT_STATES = {
  draft: ["草稿", "grey"],
  submitted: ["待确认", "gold"],
  confirmed: ["已确认", "green"],
  billed: ["已出账", "blue"],
  corrected: ["已更正", "grey"],
} as const satisfies Words;
export type StatementState = keyof typeof STATEMENT_STATES;

export const STATEMENT_SOURCES = {
  declared: ["商户申报", "grey"],
  pos: ["收银数据", "grey"],
  estimated: ["系统暂估", "grey"],
  audited: ["审定", "grey"],
} as const satisfies Words;

/** Closed: it counts towards the rent, and is only corrected by a new one. */
export const CLOSED = ["confirmed", "billed"] as const satisfies StatementState[];

const NAMES = Object.fromEntries(
  Object.entries(STATEMENT_STATES).map(([state, [title]]) => [state, title]),
) as Record<StatementState, string>;
const same = (row: object) => (row as { status: StatementState }).status;

export const STATEMENT_MOVES = moves<StatementState, object>(NAMES)({
  edit: { label: "修改", from: ["draft", "submitted"], to: same },
  submit: { label: "提交", from: ["draft"], to: "submitted" },
  confirm: { label: "确认", from: ["submitted"], to: "confirmed" },
  /** What waits goes back as it is; what is closed is replaced by a new one. */
  correct: {
    label: "退回更正",
    from: ["submitted", "confirmed", "billed"],
    to: (row) => (same(row) === "submitted" ? "draft" : "corrected"),
  },
  remove: { label: "删除", from: ["draft"], to: "draft" },
});

/** A month of a shop's contract with what the schedule charges for it. */
export type ShopMonth = Omit<ClosedMonth, "net"> & { from: Day; to: Day };

/** Month by month from the start to the end, free days counted as free. */
export function shopMonths(agreed: Agreed): ShopMonth[] {
  const input = scheduleOf(agreed);
  const slices = rentLines(input).flatMap((line) => line.slices);
  return contractMonths(input).map(({ no, from, to, days, monthDays }) => ({
    no,
    from,
    to,
    base: slices.reduce((sum, s) => sum + (s.from >= from && s.to <= to ? s.amount : 0), 0),
    weight: days === monthDays ? ratio(1) : weight(input.basis, days, monthDays),
  }));
}

export const OUTSIDE = "该月不在租期内";

/** Why a month cannot be declared yet, or at all. */
export const monthRefusal = (month: Pick<ShopMonth, "from" | "to"> | undefined, today: Day) =>
  !month
    ? OUTSIDE
    : month.from > today
      ? "不能申报未来月份"
      : month.to > today
        ? `该月 ${month.to} 结束后才能申报`
        : undefined;

/** The day on which a month is to be declared: of the month after its last day. */
export const declareOn = (month: Pick<ShopMonth, "to">, declareDay: number): Day => {
  const next = addDays(month.to, 1);
  const at = `${next.slice(0, 8)}${String(declareDay).padStart(2, "0")}`;
  return at >= next ? at : addMonths(at, 1);
};

/** Why the merchant cannot declare a month by itself: what it declared stands until somebody gives it back; a guess does not. */
export const linkRefusal = (standing: { state: StatementState | null; source: string | null }) =>
  !standing.state ||
  standing.state === "draft" ||
  (standing.state === "submitted" && standing.source === "estimated")
    ? undefined
    : "该月营业额已申报，如需更正请退回更正后再发送";

type Standing = { monthNo: number; state: StatementState; source: string };
/** What stands of a month: the statement that was not replaced. */
export const standingOf = <S extends Standing>(all: readonly S[], monthNo: number): S | undefined =>
  all.findLast((s) => s.monthNo === monthNo && s.state !== "corrected");

/** The months that have ended and wait for the merchant: nothing stands of them, a guess of ours, or what was given back. */
export const undeclaredMonths = <M extends { no: number; to: Day }>(
  months: readonly M[],
  all: readonly Standing[],
  today: Day,
): M[] =>
  months.filter((month) => {
    const { state = null, source = null } = standingOf(all, month.no) ?? {};
    return month.to < today && !linkRefusal({ state, source });
  });

/** Months in a sentence; of many the first three and how many there are. */
export const monthsInShort = (months: readonly { from: Day }[]): string => {
  const names = months.map((m) => m.from.slice(0, 7));
  return names.length > 3 ? `${names.slice(0, 3).join("、")} 等 ${names.length} 个月` : names.join("、");
};

/** How heavy a rent weighs on what a shop sells: up to a tenth, a fifth, three tenths of it, or more. */
export const ratioTone = (ratio: number | null): "green" | "gold" | "orange" | "red" | undefined =>
  ratio === null
    ? undefined
    : ratio <= 0.1
      ? "green"
      : ratio <= 0.2
        ? "gold"
        : ratio <= 0.3
          ? "orange"
          : "red";

/** Mean of the last three closed months, for one that nobody declared. */
export const meanOfThree = (nets: readonly Fen[]): Fen => {
  const last = nets.slice(-3);
  return last.length ? Math.round(last.reduce((sum, net) => sum + net, 0) / last.length) : 0;
};

type Given = {
  id: number;
  monthNo: number;
  net: Fen;
  state: StatementState;
  charged: Fen;
  confirmedAt?: string | null | undefined;
};

export const ruleOf = (rule: TurnoverRule | null | undefined): TurnoverRule =>
  rule ?? { ...USUAL_RULE, rentKind: "fixed", bands: [] };

/** What was closed and is being put right counts until its correction is closed: what it was billed stands as well. */
const counts = ({ state, confirmedAt }: Given) =>
  (CLOSED as readonly StatementState[]).includes(state) || (state === "corrected" && !!confirmedAt);

/**
 * What closing a month at a turnover comes to: its own figures, those of the closed months of its contract year, what those before it
 * sold, and how the year's bills change.
 */
export type Reckoned = {
  own: Owed;
  year: Owed[];
  before: Fen;
  charged: Fen;
  change: Fen;
  complete: boolean;
};

/** Of each month the last of its statements that counts; they come in the order in which they were made. */
export function reckon(
  rule: TurnoverRule | null | undefined,
  months: readonly ShopMonth[],
  statements: readonly Given[],
  closing: { id: number; monthNo: number; net: Fen },
): Reckoned {
  const year = yearOf(closing.monthNo);
  const inYear = months.filter((m) => yearOf(m.no) === year);
  const others = statements.filter((s) => s.id !== closing.id && counts(s));
  const nets = new Map([...others, closing].map((s) => [s.monthNo, s.net]));
  const closed = inYear.flatMap((m) => (nets.has(m.no) ? [{ ...m, net: nets.get(m.no)! }] : []));
  const complete = closed.length === inYear.length;
  const charged = statements.reduce((sum, s) => sum + (yearOf(s.monthNo) === year ? s.charged : 0), 0);
  const agreed = ruleOf(rule);
  const owed = monthsOwed(agreed, closed);
  return {
    own: owed.find((m) => m.no === closing.monthNo)!,
    year: owed,
    before: closed.reduce((sum, m) => sum + (m.no < closing.monthNo ? m.net : 0), 0),
    charged,
    change: yearOwed(agreed, closed, complete) - charged,
    complete,
  };
}
