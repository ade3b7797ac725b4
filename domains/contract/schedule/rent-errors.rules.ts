import { isDay, overlaps, type Period } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { sameRoom, sumError, type Report } from "./errors.rules.ts";
import { firstRent } from "./steps.rules.ts";
import type { RentFree, ScheduleInput, ScheduleRoom } from "./terms.rules.ts";

const PRICE = /^\d{1,8}(\.\d{1,6})?$/;
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

export function roomErrors(input: ScheduleInput, report: Report): void {
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
      if (!price) report(at("unitPrice"), "请输入正确的单价（最多六位小数）");
      if (!area) report(at("area"), "面积格式不正确");
      if (!price || !area) return;
    }
    const rent = firstRent(input, room);
    const wrong = sumError(rent);
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

export function stepErrors({ steps, start, end }: ScheduleInput, report: Report): void {
  const taken = new Map<string, Set<number | null>>();
  steps.forEach(({ roomId = null, fromDate, mode, value, resultRent }, i) => {
    const at = (field: string) => `steps.${i}.${field}`;
    const rooms = taken.get(fromDate) ?? new Set();
    taken.set(fromDate, rooms);
    if (!isDay(fromDate)) report(at("fromDate"), "请选择日期");
    else if (fromDate <= start) report(at("fromDate"), "调价日期须晚于起租日");
    else if (fromDate > end) report(at("fromDate"), "调价日期须在租期内");
    else if (rooms.has(roomId) || rooms.has(null) || (roomId === null && rooms.size > 0))
      report(at("fromDate"), "同一天只能有一次调价");
    rooms.add(roomId);
    if (!VALUE.test(value)) report(at("value"), "请输入正确的数值");
    else if (mode === "percentCompound" && (Number(value) < -50 || Number(value) > 200))
      report(at("value"), "递增比例须在-50到200之间");
    const wrong = sumError(resultRent);
    if (wrong) report(at("resultRent"), wrong);
  });
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
