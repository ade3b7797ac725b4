import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Subject } from "../subject/subject.rules.ts";
import { isHeld, isPayable, netOf, whyNotAdjust, type Bill, type Line } from "./bill.rules.ts";
import { changeOf, layOn } from "./correction.rules.ts";

/** What is taken off: so many percent of every line, or so many fen of every bill. */
export type How = {
  mode: "percent" | "minus";
  percent?: string | undefined;
  value?: Fen | undefined;
  feeSubjectId?: number | null | undefined;
};
export type Reduced = {
  /** The lines that are meant. */
  lines: Line[];
  before: Fen;
  changes: { lineId: number; amount: Fen }[];
  refusal: string | null;
};

const TAKEN = "减免后金额小于已收金额，请先撤销分配";

/** Deposits are given back and late fees have a code of their own: neither is meant unless the subject is named. */
const isMeant = (line: Line, how: How, subject: Subject): boolean =>
  isPayable(line) &&
  line.kind !== "lateFee" &&
  (how.feeSubjectId ? line.feeSubjectId === how.feeSubjectId : !isHeld(subject.kind));

/** What a reduction does to one bill, or why it cannot be done. */
export function reduced(bill: Bill, how: How, subjectOf: (id: number) => Subject): Reduced {
  const lines = bill.lines.filter((line) => isMeant(line, how, subjectOf(line.feeSubjectId)));
  const before = lines.reduce((sum, line) => sum + netOf(line), 0);
  const no = (refusal: string): Reduced => ({ lines, before, changes: [], refusal });
  const why = bill.direction === "payable" ? "应付账单不能减免" : whyNotAdjust(bill);
  if (why) return no(why);
  if (!lines.length) return no(how.feeSubjectId ? "没有这项费用" : "没有可减免的费用");
  const bearers = lines.map((line) => ({ ...line, net: netOf(line), taken: line.settled + line.writtenOff }));
  if (how.mode === "minus") {
    const laid = layOn(bearers, -(how.value ?? 0));
    if (!laid) return no(bearers.some((b) => b.taken) ? TAKEN : "减免金额不能大于费用金额");
    return { lines, before, changes: laid.map(({ lineId, amount }) => ({ lineId, amount })), refusal: null };
  }
  const changes: Reduced["changes"] = [];
  for (const line of bearers) {
    const amount = changeOf(line.net, { mode: "percent", percent: how.percent ?? "0" });
    if (line.net + amount < line.taken) return no(`${subjectOf(line.feeSubjectId).name}${TAKEN}`);
    if (amount) changes.push({ lineId: line.id, amount });
  }
  return changes.length ? { lines, before, changes, refusal: null } : no("减免金额不足一分");
}
