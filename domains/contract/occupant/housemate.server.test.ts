import { expect, test } from "vitest";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRoom, aShop, LEASING, signed } from "../contract/contract.sample.ts";
import { contractBills, contractLog, contractOccupants } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { addHousemate, leaveHousemate } from "./occupant.contract.ts";

const house = await testHouse();
house.setClock("2026-03-15T10:00:00+08:00");
const { db } = house.database;
const shop = await aShop(house);
const as = shop.clerk;
const { id } = await signed(house, as, aForm(shop, { start: "2026-03-15" }), "2026-03-15");
await db.updateTable("room").set({ capacity: 2 }).where("id", "=", shop.roomId).execute();
type Added = { name: string; phone: string; certNo: string; relation: string; blackListReason?: string };
const card = (n: number) => {
  const first17 = `33010619900307${String(n).padStart(3, "0")}`;
  return first17 + idCheckDigit(first17);
};
const person = (n: number, name: string): Added => ({
  name,
  phone: "13800000001",
  certNo: card(n),
  relation: "配偶",
});
const add = (body: Added, day = "2026-04-01", who = as, contractId = id) =>
  house.ask(addHousemate, { as: who }, { params: { id: contractId }, body: { ...body, day } });
const people = async () =>
  (await house.did(contractOccupants, { as }, { params: { id } })).map((o) => [o.name, o.fromDate, o.toDate]);

test("somebody comes to live with a tenant and leaves again: no bill changes, the contract's log says so", async () => {
  const bills = await house.did(contractBills, { as }, { params: { id } });
  expect((await add(person(101, "韩雪"))).body).toMatchObject({ code: 200, data: { made: 1 } });
  expect(await people()).toEqual([
    [expect.any(String), "2026-03-15", "2027-03-14"],
    ["韩雪", "2026-04-01", "2027-03-14"],
  ]);
  const full = await add(person(103, "方圆"));
  expect(full.body.fields).toEqual([{ field: "name", msg: "入住人数超过可住人数（2 人）" }]);
  const twice = await add(person(101, "韩雪"), "2026-05-01");
  expect(twice.body.fields).toEqual([{ field: "certNo", msg: "该证件号已登记为同住人" }]);
  const [, lives] = await house.did(contractOccupants, { as }, { params: { id } });
  const leave = (lastDay: string) =>
    house.ask(
      leaveHousemate,
      { as },
      { params: { id }, body: { occupantId: lives!.id, lastDay, reason: "工作调动" } },
    );
  expect((await leave("2027-03-15")).body.fields).toEqual([
    { field: "lastDay", msg: "韩雪 的入住到 2027-03-14 为止" },
  ]);
  expect((await leave("2026-06-30")).status).toBe(200);
  expect((await add(person(103, "方圆"), "2026-07-01")).status).toBe(200);
  expect((await people()).slice(1)).toEqual([
    ["韩雪", "2026-04-01", "2026-06-30"],
    ["方圆", "2026-07-01", "2027-03-14"],
  ]);
  const log = await house.did(contractLog, { as }, { params: { id } });
  expect(log.slice(0, 3).map((line) => line.action)).toEqual(["新增入住人", "入住人搬离", "新增入住人"]);
  expect(await house.did(contractBills, { as }, { params: { id } })).toEqual(bills);
});

test("only of a contract that is in force, in its days, by who edits contracts of its store", async () => {
  const outside = await add(person(105, "罗勇"), "2027-03-15");
  expect(outside.body.fields).toEqual([
    { field: "day", msg: expect.stringMatching(/的租期为 2026-03-15 ~ 2027-03-14$/) },
  ]);
  const wrong = { ...person(105, "罗勇"), certNo: "330106199003071234" };
  expect((await add(wrong)).body.fields?.[0]).toMatchObject({ field: "certNo" });
  const draft = await house.did(createContract, { as }, { body: aForm(shop, { start: "2028-03-15" }) });
  const refused = await add(person(105, "罗勇"), "2028-04-01", as, draft.id);
  expect([refused.status, refused.body.message]).toEqual([409, "合同不在租，不能登记同住人"]);
  const reader = await house.person({ permits: ["9.query", "9.get"], villages: [shop.villageId] });
  expect((await add(person(105, "罗勇"), "2026-04-01", reader)).status).toBe(403);
  const stranger = (await aShop(house)).clerk;
  expect((await add(person(105, "罗勇"), "2026-04-01", stranger)).status).toBe(404);
});

test("who is on the black list comes only by somebody who may let it be, with a reason that the log keeps", async () => {
  const forbidden = person(107, "赵六");
  await house.database.db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "赵六",
      phone: "",
      certNoHash: house.cipher.hash(forbidden.certNo),
      level: "forbid",
      reason: "恶意欠租",
      source: "法务",
    })
    .execute();
  const here = { ...shop, roomId: await aRoom(house, shop.building, "H2") };
  const lease = await signed(house, as, aForm(here, { start: "2026-03-15" }), "2026-03-15");
  await db.updateTable("room").set({ capacity: 2 }).where("id", "=", here.roomId).execute();
  const refused = await add(forbidden, "2026-04-01", as, lease.id);
  expect(refused).toMatchObject({
    status: 409,
    body: { reason: "blackListed", message: "赵六在黑名单中，禁止入住：恶意欠租" },
  });
  const boss = await house.person({ permits: [...LEASING, "#906"], villages: [shop.villageId] });
  const silent = await add(forbidden, "2026-04-01", boss, lease.id);
  expect(silent.body.fields).toEqual([
    { field: "blackListReason", msg: "赵六在黑名单中，请填写登记原因（2-200字）" },
  ]);
  const done = await add({ ...forbidden, blackListReason: "老客户担保" }, "2026-04-01", boss, lease.id);
  expect(done.body).toMatchObject({ code: 200, data: { made: 1 } });
  const [line] = await house.did(contractLog, { as }, { params: { id: lease.id } });
  expect(line!.summary).toMatch(/^2026-04-01 起 赵六 .*；黑名单客户入住：老客户担保$/);
});
