import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { followLead } from "../../customer/lead/acts.contract.ts";
import { listLeads } from "../../customer/lead/lead.contract.ts";
import { aLead } from "../../customer/lead/lead.sample.ts";
import { listReservations } from "../../customer/reservation/reservation.contract.ts";
import {
  aDesk,
  aHeldReservation,
  aReservation,
  lapsing,
} from "../../customer/reservation/reservation.sample.ts";
import { addViewing, listViewings } from "../../customer/viewing/viewing.contract.ts";
import { workbenchTodo, workbenchWeek } from "./workbench.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await aDesk(house);
const as = desk.clerk;
beforeEach(() => house.setClock("2026-11-26T09:00:00+08:00"));

const todo = async (key: string) =>
  (await house.did(workbenchTodo, { as }, { query: {} })).list.find((t) => t.key === key)!;
/** The list as the card's address asks for it; what only the page knows of stays out. */
const asked = ({ target }: { target: string }) => {
  const { tab: _tab, view: _view, ...query } = Object.fromEntries(new URLSearchParams(target));
  return query;
};

await aHeldReservation(house, desk);
await aReservation(house, desk, { roomId: await desk.room("1302"), moveInDay: "2026-11-26", earnest: 0 });
await aHeldReservation(house, desk, { roomId: await desk.room("1303"), holdUntil: "2026-11-26" });
for (const nextFollowDay of ["2026-11-24", "2026-11-26", "2026-11-27"]) {
  const params = { id: await aLead(house, as, desk.villageId) };
  await house.did(followLead, { as }, { params, body: { kind: "call", content: "约了再谈", nextFollowDay } });
}
await house.did(
  addViewing,
  { as },
  {
    body: {
      name: "江晚",
      phone: "13700001111",
      villageId: desk.villageId,
      roomIds: [desk.roomId],
      at: "2026-11-26T10:00:00+08:00",
      assigneeId: as.operatorId,
    },
  },
);
house.setClock("2026-11-26T00:01:00+08:00");
await lapsing(house);

describe("each card counts what its list holds", () => {
  test("过期预订待处理 reads 1 when the clock has gone past the day", async () => {
    const card = await todo("lapsedReservations");
    expect(card).toMatchObject({ count: 1, lateCount: 1, lateDays: 1, amountFen: 100_000 });
    expect((await house.did(listReservations, { as }, { query: asked(card) })).total).toBe(1);
  });

  test("今日预订", async () => {
    const card = await todo("reservationsToday");
    expect(card.count).toBe(1);
    expect((await house.did(listReservations, { as }, { query: asked(card) })).total).toBe(1);
  });

  test("今日看房", async () => {
    const card = await todo("viewings");
    expect(card).toMatchObject({ count: 1 });
    expect(card.top[0]).toMatchObject({ title: "江晚", sub: "10:00" });
    expect((await house.did(listViewings, { as }, { query: asked(card) })).total).toBe(1);
  });

  test("今日待跟进", async () => {
    const card = await todo("leads");
    expect(card).toMatchObject({ count: 2, lateCount: 1, lateDays: 2 });
    expect(card.top.map((lead) => lead.late)).toEqual([2, null]);
    expect((await house.did(listLeads, { as }, { query: { ...asked(card), tab: "mine" } })).total).toBe(2);
  });

  test("the week has them on their days", async () => {
    const { cells, kinds } = await house.did(workbenchWeek, { as }, { query: {} });
    expect(kinds).toContain("viewings");
    expect(cells.map((c) => [c.kind, c.day, c.count])).toEqual([["viewings", "2026-11-26", 1]]);
  });
});
