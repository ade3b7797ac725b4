import { monthOf, type Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { roomDaysTouched } from "../room/room.contract.ts";

/** A closed month never changes: no act of any kind carries a day in it. */
export async function refuseClosedDay(act: Act, villageIds: readonly number[], day: Day): Promise<void> {
  const month = monthOf(day);
  const locked = await act.tx
    .selectFrom("closedMonth")
    .select("month")
    .where("villageId", "=", anyOf(villageIds))
    .where("month", "=", month)
    .where("side", "=", "income")
    .executeTakeFirst();
  if (locked) throw new Refusal("monthClosed", `${month} 已关账，请使用开放月份的日期`);
}

/** Days of villages whose roll-up no longer holds, because an act reached back behind today. */
export const daysTouched = async (act: Act, villageIds: readonly number[], from: Day): Promise<void> => {
  if (from < act.today)
    await act.emit(roomDaysTouched, { villageIds: [...new Set(villageIds)], from, to: act.today });
};
