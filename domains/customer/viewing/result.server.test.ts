import { beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { leadEvents } from "../lead/acts.contract.ts";
import { aLead, aLettingOffice } from "../lead/lead.sample.ts";
import { addViewing, finishViewing, getViewing, listViewings, roomViewings } from "./viewing.contract.ts";

const house = await testHouse();
const NOW = "2026-11-20T09:15:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const { here, zhao, stranger } = await aLettingOffice(house);
const at = await aBuilding(house, here);
const [one, two] = [
  (await aFlat(house, at, { name: "1201" })).roomIds[0]!,
  (await aFlat(house, at, { name: "1202" })).roomIds[0]!,
];
const other = (await aFlat(house, at, { name: "1203" })).roomIds[0]!;

let day = 20;
/** An appointment that is over: to see two rooms, of a lead. */
async function shown(more: object = {}) {
  const leadId = await aLead(house, zhao, here, { name: "苏瑾" });
  const on = `2026-11-${++day}`;
  const { id } = await house.did(
    addViewing,
    { as: zhao },
    {
      body: {
        leadId,
        villageId: here,
        roomIds: [one, two],
        at: `${on}T10:00:00+08:00`,
        minutes: "60",
        assigneeId: zhao.operatorId,
        ...more,
      },
    },
  );
  house.setClock(`${on}T10:50:00+08:00`);
  return { id, leadId };
}
const finishing = (id: number, body: object) =>
  house.ask(finishViewing, { as: zhao }, { params: { id }, body: { version: 1, ...body } });
const ofRoom = (roomId: number, as = zhao) => house.did(roomViewings, { as }, { query: { roomId } });

test("each room gets its own result and feedback; the best speaks for the viewing, on the lead's timeline too", async () => {
  const { id, leadId } = await shown();
  const said = await finishing(id, {
    results: [
      { roomId: one, result: "满意", feedback: "采光好" },
      { roomId: two, result: "不合适", feedback: "临街" },
    ],
    feedback: "周末再带家人来看",
  });
  expect(said.status).toBe(200);
  const seen = await house.did(getViewing, { as: zhao }, { params: { id } });
  expect(seen).toMatchObject({ state: "viewed", result: "满意", feedback: "周末再带家人来看" });
  expect(seen.roomList.map((r) => [r.result, r.feedback])).toEqual([
    ["满意", "采光好"],
    ["不合适", "临街"],
  ]);
  const text = "滨江店·3栋·1单元·1201 满意（采光好）、滨江店·3栋·1单元·1202 不合适（临街）";
  const [event] = await house.did(leadEvents, { as: zhao }, { params: { id: leadId } });
  expect(event).toMatchObject({
    kind: "viewing",
    content: expect.stringContaining(`${text}，周末再带家人来看`),
  });
  const { list } = await house.did(listViewings, { as: zhao }, { query: { leadId } });
  expect(list.map((v) => v.opinions)).toEqual([text]);
  expect(await ofRoom(one)).toEqual([
    expect.objectContaining({ id, name: "苏瑾", state: "viewed", result: "满意", feedback: "采光好" }),
  ]);
  expect((await ofRoom(two)).map((v) => [v.result, v.feedback])).toEqual([["不合适", "临街"]]);
  expect(await ofRoom(other)).toEqual([]);
  expect(await ofRoom(one, stranger)).toEqual([]);
  const log = await house.did(
    recordHistory,
    { as: zhao },
    { params: { kind: "viewing", recordId: id }, query: {} },
  );
  expect(log.list[0]!.summary).toContain("看房完成");
});

test("a room that was not seen stays without a result; one that is judged must have been booked, once, with a word", async () => {
  const { id } = await shown();
  const fields = async (results: object[]) => (await finishing(id, { results })).body.fields;
  expect(await fields([])).toEqual([{ field: "results", msg: "请至少选择一间房的结果" }]);
  expect(await fields([{ roomId: one, feedback: "" }])).toEqual([
    { field: "results", msg: "请至少选择一间房的结果" },
  ]);
  expect(await fields([{ roomId: other, result: "满意" }])).toEqual([
    { field: "results", msg: "只能评价预约的房间" },
  ]);
  expect(await fields([1, 2].map(() => ({ roomId: one, result: "满意" })))).toEqual([
    { field: "results", msg: "同一间房只能评价一次" },
  ]);
  expect(
    await fields([
      { roomId: one, result: "满意" },
      { roomId: two, feedback: "没有开门" },
    ]),
  ).toEqual([{ field: "results", msg: "填写了反馈的房间请选择结果" }]);
  const done = await finishing(id, { results: [{ roomId: one, result: "再考虑" }, { roomId: two }] });
  expect(done.status).toBe(200);
  expect((await ofRoom(two)).find((v) => v.id === id)).toMatchObject({ state: "viewed", result: null });
});

test("finished twice at once, one of them says so", async () => {
  const { id } = await shown();
  const answers = await Promise.all(
    [1, 2].map(() => finishing(id, { results: [{ roomId: one, result: "满意" }] })),
  );
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
});
