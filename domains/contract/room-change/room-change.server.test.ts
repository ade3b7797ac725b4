import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { openTurnovers } from "../../listing/turnover/turnover.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { anAmender } from "../amendment/amendment.sample.ts";
import { aForm, aRenter, aRoom, signed } from "../contract/contract.sample.ts";
import { aCompanyForm, someRooms } from "../contract/firm.sample.ts";
import { getChange } from "../amendment/amendment.contract.ts";
import type { ChangePreview } from "../recut/recut.contract.ts";
import { saveSheet } from "../inspection/inspection.contract.ts";
import { findings } from "../settlement/settlement.contract.ts";
import { freeThrough } from "./rooms.service.ts";
import { addRoomsActs, exchangeRoomsActs, returnRoomsActs } from "./room-change.contract.ts";
import { tooMany } from "./room-change.rules.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
let n = 0;

/** A company's year from 1 March 2026 by the quarter, at 1,800.00 a room, the first quarter and the deposit paid. */
async function company(count: number, more: object = {}) {
  at.on("2026-03-01");
  const ids = await someRooms(
    house,
    shop,
    Array.from({ length: count }, () => `C${++n}`),
  );
  const form = aCompanyForm(shop, ids, { rent: 180_000, start: "2026-03-01", cycleMonths: 3, ...more });
  const { id } = await signed(house, as, form, "2026-03-01");
  const due = (await at.bills(id)).filter((b) => b.due <= "2026-03-01");
  await at.pay(
    shop.companyId,
    due.map((b) => b.id),
  );
  return { id, ids };
}
const linesOf = async (billId: number) =>
  (
    await pool.query(
      "select (amount + adjusted)::int net from bill_line where bill_id = $1 and kind = 'normal' order by id",
      [billId],
    )
  ).rows.map((l) => l.net as number);

test.each([
  ["actual", 306_000, 240_000],
  ["30", 306_000, 240_000],
  ["365", 304_274, 241_644],
] as const)(
  "E17 on the basis %s: a third room joins, the second leaves, the next quarter is one bill with two lines",
  async (basis, joins, credit) => {
    const { id, ids } = await company(2, { basis });
    const [first] = (await at.bills(id)).filter((b) => b.net === 1_080_000);
    expect(first!.settled).toBe(1_080_000);
    at.on("2026-04-08");
    const third = await aRoom(house, shop.building, `C${++n}`);
    await at.done(addRoomsActs, id, {
      effectiveOn: "2026-04-10",
      reason: "增加员工",
      rooms: [{ roomId: third, monthlyRent: 180_000 }],
    });
    const joined = (await at.bills(id)).filter((b) => b.due === "2026-04-08");
    expect(joined.map((b) => [b.title, b.net])).toEqual([
      ["加房押金", 180_000],
      ["加房第1期租金", joins],
    ]);
    expect((await at.bills(id)).slice(-3).map((b) => b.net)).toEqual([1_620_000, 1_620_000, 1_620_000]);
    expect(await at.contract(id)).toMatchObject({
      monthlyRent: 540_000,
      currentRent: 360_000,
      deposit: 540_000,
    });
    await at.pay(
      shop.companyId,
      joined.map((b) => b.id),
    );
    at.on("2026-04-20");
    const actId = await at.done(returnRoomsActs, id, {
      effectiveOn: "2026-04-20",
      reason: "员工离职",
      roomIds: [ids[1]],
    });
    const bills = await at.bills(id);
    expect(bills.find((b) => b.id === first!.id)!.net).toBe(1_080_000 - credit);
    const next = bills.at(-3)!;
    expect([next.net, next.settled, await linesOf(next.id)]).toEqual([1_080_000, credit, [540_000, 540_000]]);
    const { rows: refund } = await pool.query(
      "select r.amount::int from contract_act a join refund r on r.id = a.refund_id where a.id = $1",
      [actId],
    );
    expect(refund).toEqual([{ amount: 180_000 }]);
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 360_000, deposit: 360_000 });
    expect(await at.rooms(id)).toEqual(["2027-03-01", "2026-04-21", "2027-03-01"]);
    expect(await at.sound()).toEqual([]);
    const again = async (roomId: number) => {
      const rooms = [{ roomId, monthlyRent: 180_000 }];
      const body = { contractId: id, effectiveOn: "2026-04-21", reason: "再次入住", rooms };
      return (await house.ask(addRoomsActs.trial, { as }, { body })).body.fields;
    };
    expect(await again(ids[0]!)).toEqual([{ field: "rooms.0.roomId", msg: "该房间已在合同内" }]);
    const gone = "该房间已于 2026-04-20 退出本合同，再次承租请另签合同";
    expect(await again(ids[1]!)).toEqual([{ field: "rooms.0.roomId", msg: gone }]);
    // the room is free for somebody else; then nothing is taken back
    const other = await aRenter(house, shop.villageId);
    await signed(
      house,
      as,
      aForm({ ...shop, roomId: ids[1]!, partyId: other }, { start: "2026-05-01" }),
      "2026-04-20",
    );
    const refused = await at.undone(returnRoomsActs, actId);
    expect([refused.status, refused.body.reason]).toEqual([409, "roomTaken"]);
  },
);

test("three of ten rooms go: what was open is cut, people leave, and taking it back leaves what was before", async () => {
  const { id, ids } = await company(10);
  at.on("2026-04-20");
  const state = async () => ({
    bills: (await at.bills(id)).map((b) => [b.title, b.due, b.net, b.settled]),
    rooms: await at.rooms(id),
    contract: await at.contract(id),
  });
  await pool.query(
    "insert into contract_occupant (contract_id, room_id, name, from_date) values ($1, $2, '王五', '2026-03-01')",
    [id, ids[0]],
  );
  const before = await state();
  const actId = await at.done(returnRoomsActs, id, {
    effectiveOn: "2026-04-20",
    reason: "项目结束",
    roomIds: ids.slice(0, 3),
  });
  const { rows } = await pool.query(
    "select to_date::text until from contract_occupant where contract_id = $1",
    [id],
  );
  expect(rows).toEqual([{ until: "2026-04-20" }]);
  const dirty = async () =>
    (
      await pool.query(
        "select room_id::int room, opened_day::text opened from turnover where source_id = $1 and done_day is null order by 1",
        [id],
      )
    ).rows;
  expect(await dirty()).toEqual(ids.slice(0, 3).map((room) => ({ room, opened: "2026-04-20" })));
  const [next] = (await at.bills(id)).slice(-3);
  expect([next!.net, (await linesOf(next!.id)).length]).toEqual([3_780_000, 7]);
  expect(await at.sound()).toEqual([]);
  expect((await at.undone(returnRoomsActs, actId)).status).toBe(200);
  expect(await state()).toEqual(before);
  expect(await dirty()).toEqual([]);
  expect(await at.sound()).toEqual([]);
});

test("the last room is a settlement, rooms of others and taken rooms are refused", async () => {
  const { id, ids } = await company(2);
  at.on("2026-04-20");
  const said = async (calls: typeof addRoomsActs | typeof returnRoomsActs, draft: object) => {
    const { body } = await house.ask(
      calls.trial,
      { as },
      { body: { contractId: id, reason: "调整房间", ...draft } as never },
    );
    return body.fields?.[0]?.msg ?? (body.data ? body.data.obstacles[0]?.msg : body.message);
  };
  expect(await said(returnRoomsActs, { effectiveOn: "2026-04-20", roomIds: ids })).toBe(
    "退最后一间房请办理退房结算",
  );
  expect(await said(returnRoomsActs, { effectiveOn: "2026-04-20", roomIds: [shop.roomId] })).toBe(
    "请选择合同内在租的房间",
  );
  expect(await said(returnRoomsActs, { effectiveOn: "2026-04-25", roomIds: [ids[0]] })).toBe(
    "退房日 2026-04-25 未到，到日后才能确认",
  );
  const other = await company(1);
  const rooms = [{ roomId: other.ids[0], monthlyRent: 180_000 }];
  at.on("2026-04-20");
  expect(await said(addRoomsActs, { effectiveOn: "2026-04-20", rooms })).toContain("已被");
  // who has moved in has moved into what joins today, too
  const dirty = await aRoom(house, shop.building, `C${++n}`);
  await acting(house, (act) => openTurnovers(act, [dirty], { source: "manual" }));
  const soiled = { effectiveOn: "2026-04-20", rooms: [{ roomId: dirty, monthlyRent: 180_000 }] };
  expect(await said(addRoomsActs, soiled)).toBeUndefined();
  await pool.query("update contract set handover_on = start_date where id = $1", [id]);
  expect(await said(addRoomsActs, soiled)).toContain("待保洁，请先完成保洁");
  expect(await said(addRoomsActs, { ...soiled, effectiveOn: "2026-04-25" })).toBeUndefined();
});

test("the deposit of rooms that go pays what is overdue before any of it is given back", async () => {
  const { id, ids } = await company(2);
  at.on("2026-06-20");
  // the second quarter is overdue: of the room that goes 20 days of it stay
  const draft = { effectiveOn: "2026-06-20", reason: "员工离职", roomIds: [ids[1]] };
  const shown = (await at.trial(returnRoomsActs, id, draft)) as { deposit: number; refund: number };
  expect([shown.deposit, shown.refund]).toEqual([180_000, 0]);
  await at.done(returnRoomsActs, id, draft);
  const [overdue] = (await at.bills(id)).slice(-3);
  expect([await linesOf(overdue!.id), overdue!.settled]).toEqual([[540_000, 120_000], 180_000]);
  expect(await at.sound()).toEqual([]);
});

test("what a returned room is charged for is paid by its deposit, stands in the supplement and comes back with an undo", async () => {
  const { id, ids } = await company(3);
  at.on("2026-04-20");
  const { rows: subjects } = await pool.query(
    "select id::int, code from fee_subject where enterprise_id = $1",
    [house.enterpriseId],
  );
  const subject = (code: string) => subjects.find((s) => s.code === code)!.id as number;
  const charges = [
    {
      kind: "damage",
      feeId: subject("damage"),
      title: "书桌",
      amount: 30_000,
      clause: "物品清单",
      note: "桌面划伤",
    },
    {
      kind: "cleaning",
      feeId: subject("cleaning"),
      title: "保洁",
      amount: 15_000,
      clause: "房屋交还",
      note: "清运",
    },
    {
      kind: "penalty",
      feeId: subject("penalty"),
      title: "提前退房违约金",
      amount: 90_000,
      clause: "违约与退房",
      note: "半个月租金",
    },
    {
      kind: "utility",
      feeId: subject("electric"),
      title: "电费",
      quantity: "128",
      price: 80,
      amount: 10_240,
    },
  ];
  const draft = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]], charges };
  const said = async (charge: object) => {
    const { body } = await house.ask(
      returnRoomsActs.trial,
      { as },
      { body: { contractId: id, ...draft, charges: [{ ...charges[0], ...charge }] } as never },
    );
    return body.fields?.[0]?.msg;
  };
  expect(await said({ clause: "" })).toBe("请填写扣款依据的合同条款");
  expect(await said({ note: "" })).toBe("请填写扣款说明");
  expect(await said({ feeId: subject("deposit") })).toContain("不能作为退房扣款的科目");
  const state = async () => ({ bills: await at.bills(id), contract: await at.contract(id) });
  const before = await state();
  const shown = (await at.trial(returnRoomsActs, id, draft)) as ChangePreview;
  // 1,800.00 of deposit less 1,452.40; rent of 31 days is cut as without charges (E17)
  expect([shown.deposit, shown.refund, shown.dueNow, shown.credit, shown.net]).toEqual([
    180_000, 34_760, 0, 240_000, 274_760,
  ]);
  expect(shown.bills.filter((b) => b.dueOn === "2026-04-20").map((b) => [b.title, b.after, b.done])).toEqual([
    ["书桌", 30_000, "add"],
    ["保洁", 15_000, "add"],
    ["提前退房违约金", 90_000, "add"],
    ["电费", 10_240, "add"],
  ]);
  const actId = await at.done(returnRoomsActs, id, draft);
  const change = await house.did(getChange, { as }, { params: { id: actId } });
  expect(change.clauses.slice(1)).toEqual([
    "乙方承担书桌 300.00 元（依据物品清单，桌面划伤）",
    "乙方承担保洁 150.00 元（依据房屋交还，清运）",
    "乙方承担提前退房违约金 900.00 元（依据违约与退房，半个月租金）",
    "乙方承担电费 102.40 元（128 × 0.80）",
  ]);
  const charge = (await at.bills(id)).find((b) => b.title.startsWith("退部分房扣款"))!;
  expect([charge.net, charge.settled, charge.due]).toEqual([145_240, 145_240, "2026-04-20"]);
  const { rows: refund } = await pool.query(
    "select r.amount::int from contract_act a join refund r on r.id = a.refund_id where a.id = $1",
    [actId],
  );
  expect(refund).toEqual([{ amount: 34_760 }]);
  expect(await at.sound()).toEqual([]);
  expect((await at.undone(returnRoomsActs, actId)).status).toBe(200);
  const plain = ({ bills, contract }: Awaited<ReturnType<typeof state>>) => [
    bills.map((b) => [b.title, b.due, b.net, b.settled]),
    contract,
  ];
  expect(plain(await state())).toEqual(plain(before));
  expect(await at.sound()).toEqual([]);
  // beyond the deposit: the rest stays to be paid, and what went back of the rent pays it first
  const heavy = [{ ...charges[0]!, amount: 250_000 }];
  const more = (await at.trial(returnRoomsActs, id, { ...draft, charges: heavy })) as ChangePreview;
  expect([more.refund, more.dueNow, more.net]).toEqual([0, 70_000, 170_000]);
});

test("a room that goes has its meters read, whether others take its place or not, and is charged once; one that stays need not", async () => {
  const { id, ids } = await company(2);
  const read = (roomId: number, kind: "in" | "out", meterNo: string) =>
    pool.query(
      `insert into handover_sheet (contract_id, room_id, kind, done_on, readings, operator_id)
       values ($1, $2, $3, '2026-03-01', $4, $5)`,
      [
        ...[id, roomId, kind],
        JSON.stringify([{ kind: "electric", meterNo, start: "90", reading: "100", price: 100 }]),
        as.operatorId,
      ],
    );
  await read(ids[0]!, "in", "E-1");
  await read(ids[1]!, "in", "E-2");
  at.on("2026-04-20");
  const roomId = await aRoom(house, shop.building, `C${++n}`);
  const leaving = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]] };
  const rooms = [{ roomId, monthlyRent: 180_000 }];
  const ways = [
    [returnRoomsActs, leaving],
    [exchangeRoomsActs, { ...leaving, rooms }],
  ] as const;
  for (const [calls, draft] of ways)
    expect(await at.trial(calls as never, id, draft)).toMatchObject({
      obstacles: [{ code: "notAllowed", msg: "请录入 E-2 的退房读数" }],
    });
  await read(ids[1]!, "out", "E-2");
  for (const [calls, draft] of ways)
    expect(await at.trial(calls as never, id, draft)).toMatchObject({ obstacles: [] });
  const proposed = async () =>
    (await house.did(findings, { as }, { query: { contractId: id } as never })).map((c) => c.note);
  expect(await proposed()).toEqual(["E-2 90 → 100"]);
  await at.done(returnRoomsActs, id, leaving);
  expect(await proposed()).toEqual([]);
});

test("where rooms are free with the money, a room that goes reads 退租中 until its refund is over", async () => {
  const { id, ids } = await company(2);
  await pool.query(
    "insert into contract_config (enterprise_id, village_id, free_room_at) values ($1, $2, 'paid')",
    [house.enterpriseId, shop.villageId],
  );
  at.on("2026-04-20");
  const draft = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]] };
  const actId = await at.done(returnRoomsActs, id, draft);
  const left = async () =>
    (
      await pool.query(
        `select l.room_id::int room, l.ended_on::text ended, l.closed_on::text closed, u.opened_day::text dirty
         from room_leaving l left join turnover u on u.room_id = l.room_id and u.done_day is null
         where l.contract_id = $1 and not l.withdrawn`,
        [id],
      )
    ).rows;
  const [room] = [ids[1]];
  expect(await left()).toEqual([{ room, ended: null, closed: null, dirty: null }]);
  // taken back and done again while it waits
  expect((await at.undone(returnRoomsActs, actId)).status).toBe(200);
  expect(await left()).toEqual([]);
  await pool.query("update contract_act set state = 'cancelled' where id = $1", [actId]);
  const again = await at.done(returnRoomsActs, id, draft);
  at.on("2026-04-25");
  await acting(house, (act) => freeThrough(act, [id]));
  expect(await left()).toEqual([{ room, ended: null, closed: null, dirty: null }]);
  await pool.query(
    "update refund set state = 'cancelled' where id = (select refund_id from contract_act where id = $1)",
    [again],
  );
  await acting(house, (act) => freeThrough(act));
  const day = "2026-04-25";
  expect(await left()).toEqual([{ room, ended: day, closed: day, dirty: day }]);
  await pool.query("delete from contract_config where village_id = $1", [shop.villageId]);
});

test("2,000 rooms at once: one that was given back, or goes with the same act, makes place for another", () => {
  const rooms = Array.from({ length: 2000 }, (_, i) => ({ roomId: i + 1, leaveDate: null as string | null }));
  expect(tooMany(rooms, 1)).toBe(true);
  expect(tooMany(rooms, 1, [7])).toBe(false);
  expect(tooMany(rooms.with(0, { roomId: 1, leaveDate: "2026-10-31" }), 1)).toBe(false);
});

test("of rooms that are given back the return sheet is written, of those that stay it is refused", async () => {
  const { id, ids } = await company(2);
  at.on("2026-04-20");
  const draft = { effectiveOn: "2026-04-20", reason: "员工离职", roomIds: [ids[1]] };
  await house.did(returnRoomsActs.ask, { as }, { body: { contractId: id, ...draft } as never });
  const sheet = { kind: "out", doneOn: "2026-04-20", items: [], readings: [], keys: 1, cards: 0, version: 0 };
  const put = (roomId: number) =>
    house.ask(saveSheet, { as }, { params: { id }, body: { ...sheet, roomId } as never });
  expect((await put(ids[0]!)).body.message).toContain("请先登记退房申请");
  expect((await put(ids[1]!)).status).toBe(200);
});
