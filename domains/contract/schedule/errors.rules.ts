import { type Period, isDay, overlaps } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { isBillable } from "../../finance/bill/make.rules.ts";
import { planBills } from "./bills.rules.ts";
import type { PlannedBill } from "./line.rules.ts";
import { monthTable } from "./months.rules.ts";
import { firstRent, rentsOver, roomPrices } from "./steps.rules.ts";
import type { RentFree, ScheduleInput, ScheduleRoom } from "./terms.rules.ts";

/** Fields are named by their place in the input: steps.1.fromDate. */
export type Report = (field: string, msg: string) => void;

export const within = (n: number | undefined, low: number, high: number): boolean =>
  n === undefined || (Number.isInteger(n) && n >= low && n <= high);

/** What is wrong with a sum, or nothing. */
export function sumError(sum: Fen, mayBeZero = false): string | undefined {
  if (!Number.isSafeInteger(sum)) return "请输入正确的金额（最多两位小数）";
  if (sum < 0 || (sum === 0 && !mayBeZero)) return "金额必须大于0";
  return sum > AMOUNT_MAX ? "金额过大" : undefined;
}

type MaybeRoom = { roomId?: number | null };
/** Rows of one room meet; a row for all rooms meets those of every room. */
export const sameRoom = (a: MaybeRoom, b: MaybeRoom): boolean =>
  a.roomId == null || b.roomId == null || a.roomId === b.roomId;

/** What no bill of the contract can exceed: enough to see at once that an ordinary one is far from the bound. */
function mostOfABill(input: ScheduleInput): Fen {
  // a bill holds the whole term or a year at most, and the deposit is twelve months at most or a sum
  const months = Math.max(monthTable(input).from.length, 12);
  const rents = input.rooms.map((room) => Math.max(...roomPrices(input, room).map((p) => p.price)));
  const fees = input.fees.map((fee) => fee.amount);
  const held = input.deposit.mode === "amount" ? input.deposit.amount : 0;
  const perRoom = input.rooms.map((room) => room.depositAmount ?? 0);
  const sum = (all: readonly Fen[]) => all.reduce((total, fen) => total + fen, 0);
  return sum([...rents, ...fees]) * months + sum([held, ...perRoom]);
}

/** The field whose change makes a bill smaller. */
function fieldOf(input: ScheduleInput, { kind, lines }: PlannedBill): string {
  const most = lines.reduce((a, b) => (b.amount > a.amount ? b : a));
  if (most.item !== null && most.kind !== "discount") return `fees.${most.item}.amount`;
  if (kind !== "deposit") return "cycleMonths";
  return input.deposit.mode === "amount" ? "deposit.amount" : "deposit.months";
}

/** No line and no bill beyond what the books take. Asked when everything else is right. */
export function amountErrors(input: ScheduleInput, report: Report): void {
  if (mostOfABill(input) <= AMOUNT_MAX) return;
  const said = new Set<string>();
  for (const bill of planBills(input).bills) {
    const amounts = bill.lines.map((line) => line.amount);
    const field = fieldOf(input, bill);
    if (isBillable(amounts) || said.has(field)) continue;
    said.add(field);
    const how = field === "cycleMonths" ? "请缩短付款周期或分开签约" : "请调小金额";
    const charged = amounts.reduce((sum, fen) => sum + Math.max(fen, 0), 0);
    report(
      field,
      `账单“${bill.title}”为 ${yuan(charged)} 元，一张账单不得超过 ${yuan(AMOUNT_MAX)} 元，${how}`,
    );
  }
}

export const AREA_BASIS = "按面积计费须按面积计租，请选择其他方式";
const PRICE = /^\d{1,6}(\.\d{1,6})?$/;
const AREA = /^\d{1,6}(\.\d{1,2})?$/;
const VALUE = /^-?\d{1,11}(\.\d{1,6})?$/;

function roomDayError(
  { start, end }: ScheduleInput,
  { joinDate, leaveDate }: ScheduleRoom,
): string | undefined {
  if (!isDay(joinDate) || !isDay(leaveDate ?? end)) return "请选择日期";
  if (joinDate > end || (leaveDate ?? end) < start) return "房间起止日期须在租期内";
  return (leaveDate ?? end) < joinDate ? "结束日期不能早于开始日期" : undefined;
}

export function roomErrors(input: ScheduleInput, report: Report, mayBeFree: boolean): void {
  const { rooms, pricing, basis } = input;
  if (rooms.length === 0) report("rooms", "请选择房间");
  const seen = new Set<number>();
  let sum = 0;
  rooms.forEach((room, i) => {
    const at = (field: string) => `rooms.${i}.${field}`;
    if (seen.has(room.roomId)) report(at("roomId"), "房间不能重复");
    seen.add(room.roomId);
    const days = roomDayError(input, room);
    if (days) report(at("joinDate"), days);
    if (pricing === "areaDay" || basis === "area") {
      const price = PRICE.test(room.unitPrice ?? "") && Number(room.unitPrice) > 0;
      const area = AREA.test(room.area ?? "") && Number(room.area) > 0;
      // beside a monthly rent no price by area is typed in
      if (!price && pricing === "month") return report("basis", AREA_BASIS);
      if (!price) report(at("unitPrice"), "请输入正确的单价（最多六位小数）");
      if (!area) report(at("area"), "面积格式不正确");
      if (!price || !area) return;
    }
    const rent = firstRent(input, room);
    const wrong = sumError(rent, mayBeFree && pricing === "month");
    if (wrong) report(at(pricing === "areaDay" ? "unitPrice" : "monthlyRent"), wrong);
    else sum += rent;
  });
  if (sum > AMOUNT_MAX) report("rooms", "金额过大");
  const { steps, rentFree, fees } = input;
  for (const [name, rows] of Object.entries({ steps, rentFree, fees }))
    rows.forEach(({ roomId }, i) => {
      if (roomId != null && !seen.has(roomId)) report(`${name}.${i}.roomId`, "房间不在合同内");
    });
}

export function stepErrors({ steps, start, end }: ScheduleInput, report: Report, mayBeFree: boolean): void {
  const taken = new Map<string, Set<number | null>>();
  steps.forEach(({ roomId = null, fromDate, mode, value, resultRent, source }, i) => {
    const at = (field: string) => `steps.${i}.${field}`;
    // a figure set by hand may stand in place of the rule's of that day
    const rooms = taken.get(`${fromDate} ${source}`) ?? new Set();
    taken.set(`${fromDate} ${source}`, rooms);
    if (!isDay(fromDate)) report(at("fromDate"), "请选择日期");
    else if (fromDate <= start) report(at("fromDate"), "调价日期须晚于起租日");
    else if (fromDate > end) report(at("fromDate"), "调价日期须在租期内");
    else if (rooms.has(roomId) || rooms.has(null) || (roomId === null && rooms.size > 0))
      report(at("fromDate"), "同一天只能有一次调价");
    rooms.add(roomId);
    if (!VALUE.test(value)) report(at("value"), "请输入正确的数值");
    else if (mode === "percentCompound" && (Number(value) < -50 || Number(value) > 200))
      report(at("value"), "递增比例须在-50到200之间");
    const wrong = sumError(resultRent, mayBeFree);
    if (wrong) report(at("resultRent"), source === "rule" ? after(wrong) : wrong);
  });
}

const AFTER: Record<string, string> = {
  金额必须大于0: "调价后月租金必须大于0",
  金额过大: "调价后月租金过大，单间和合计均不得超过 99,999,999.99 元",
};
const after = (wrong: string): string => AFTER[wrong] ?? AFTER["金额过大"]!;

/**
 * The rent of every room after every step, and what they come to: with several rooms a row changes each by its mode and value,
 * whatever its own figure says. Asked when days and values are right.
 */
export function steppedErrors(input: ScheduleInput, report: Report, mayBeFree: boolean): void {
  if (!input.steps.length) return;
  for (const { fromDate, rent, rooms } of rentsOver(input).slice(1)) {
    const least = rooms.reduce((a, b) => Math.min(a, b));
    const wrong = sumError(least, mayBeFree) ?? sumError(rent, mayBeFree);
    if (!wrong) continue;
    const i = input.steps.findLastIndex((step) => step.fromDate === fromDate);
    report(`steps.${i}.value`, after(wrong));
  }
}

const periodOf = ({ fromDate, toDate }: RentFree): Period => ({ from: fromDate, to: toDate });

export function freeErrors({ rentFree, start, end }: ScheduleInput, report: Report): void {
  rentFree.forEach((free, i) => {
    const at = (field: string) => `rentFree.${i}.${field}`;
    if (!isDay(free.fromDate) || !isDay(free.toDate)) report(at("fromDate"), "请选择日期");
    else if (free.toDate < free.fromDate) report(at("toDate"), "结束日期不能早于开始日期");
    else if (free.fromDate < start || free.toDate > end) report(at("fromDate"), "免租期须在租期内");
    else if (rentFree.slice(0, i).some((f) => sameRoom(f, free) && overlaps(periodOf(f), periodOf(free))))
      report(at("fromDate"), "免租期不能重叠");
  });
}
