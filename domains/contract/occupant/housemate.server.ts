import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { admit } from "../contract/contract.queries.ts";
import { changeStays, livedIn, refuseForbidden } from "./change.service.ts";
import { newcomerOf } from "./list.service.ts";
import { addHousemate, leaveHousemate } from "./occupant.contract.ts";
import { homeOf } from "./occupant.queries.ts";

/** The room of a tenant with whoever lives there beside the tenant. */
async function home(act: Act, id: number, day: Day, call: typeof addHousemate | typeof leaveHousemate) {
  await admit(act, id, call);
  const places = await homeOf(act, id);
  const [place] = places;
  if (!place) throw new Refusal("notAllowed", "合同不在租，不能登记同住人", 409);
  return { place, rooms: await livedIn(act, places, day, true) };
}

export default [
  serve(addHousemate, async (act, { params: { id }, body: { day, blackListReason, ...typed } }) => {
    const { place, rooms } = await home(act, id, day, addHousemate);
    const newcomer = newcomerOf(act, typed);
    if ("msg" in newcomer) throw invalid({ field: "certNo", msg: newcomer.msg });
    if (rooms.stays.some((s) => s.certHash && newcomer.certHash.equals(Buffer.from(s.certHash))))
      throw invalid({ field: "certNo", msg: "该证件号已登记为同住人" });
    const wish = { row: 0, name: typed.name, gender: newcomer.gender, newcomer, to: place };
    await refuseForbidden(act, "renter", [wish], blackListReason);
    const [wrong] = await changeStays(act, rooms, [wish], day);
    if (!wrong) return { made: 1 };
    if (wrong.field !== "roomId") throw invalid(wrong);
    const outside = day < place.from || (place.to !== null && day > place.to);
    throw invalid(
      outside
        ? { field: "day", msg: wrong.msg }
        : { field: "name", msg: `入住人数超过可住人数（${place.capacity + 1} 人）` },
    );
  }),

  serve(leaveHousemate, async (act, { params: { id }, body: { occupantId, lastDay, reason } }) => {
    const day = addDays(lastDay, 1);
    const { rooms } = await home(act, id, day, leaveHousemate);
    const stay = rooms.stays.find((s) => s.id === occupantId);
    if (!stay) throw notFound();
    if (stay.to !== null && stay.to < lastDay)
      throw invalid({ field: "lastDay", msg: `${stay.name} 的入住到 ${stay.to} 为止` });
    const wish = { row: 0, name: stay.name, gender: stay.gender, stay, to: null };
    const [wrong] = await changeStays(act, rooms, [wish], day, reason);
    if (wrong) throw invalid({ field: "lastDay", msg: wrong.msg });
    return { left: 1 };
  }),
];
