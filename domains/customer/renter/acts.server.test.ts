import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { checkBlackList } from "../blacklist/blacklist.contract.ts";
import { mergeRenters, revealRenter, tagRenters, verifyRenter } from "./acts.contract.ts";
import { getRenter, listRenters } from "./renter.contract.ts";
import { anIdNumber, aRenter, twoStores, someFlats } from "./renter.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person, stranger: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoStores(house));
});

let rooms: number[];
beforeAll(async () => {
  rooms = await someFlats(house, a, 4);
});

const find = async (as: Person, keyword: string) =>
  (await house.did(listRenters, { as }, { query: { keyword } })).list;

test("a look at a whole number is logged, and the 101st of the day is refused", async () => {
  const certNo = anIdNumber();
  const id = await aRenter(house, a, { name: "罗佳宁", certNo });
  const looker = await house.person({ permits: ["#1601"], villages: [a], name: "郭晓东" });
  const look = () =>
    house.ask(
      revealRenter,
      { as: looker },
      { params: { id }, body: { field: "certNo", reason: "核对合同" } },
    );
  expect((await look()).body.data).toEqual({ value: certNo });
  const lines = () =>
    db
      .selectFrom("businessLog")
      .select("summary")
      .where("recordId", "=", id)
      .where("action", "=", "查看")
      .execute();
  expect(await lines()).toEqual([{ summary: "查看完整证件号：核对合同" }]);
  const logged = await db
    .selectFrom("operationLog")
    .select(["outcome", "targetId"])
    .where("operatorId", "=", looker.operatorId)
    .execute();
  expect(logged).toEqual([{ outcome: "ok", targetId: id }]);
  for (let i = 2; i <= 99; i++) expect((await look()).status).toBe(200);
  const race = await Promise.all([look(), look()]);
  expect(race.map((x) => x.status).toSorted()).toEqual([200, 429]);
  expect((await look()).body.message).toBe("今日查看次数已达上限");
  expect(await lines()).toHaveLength(100);
  house.setClock("2026-11-21T00:05:00+08:00");
  expect((await look()).status).toBe(200);
  house.setClock("2026-11-20T09:15:00+08:00");
});

describe("merging", () => {
  test("the contracts of both are found under the one kept, and nothing is rewritten", async () => {
    const keepId = await aRenter(house, a, { name: "唐明轩", tags: ["学生"] });
    const goneId = await aRenter(house, a, {
      name: "唐明轩",
      certType: null,
      certNo: null,
      phone: "13522223333",
      tags: ["VIP"],
    });
    const lease = await aLease(house, { villageId: a, roomId: rooms[3]!, partyId: goneId });
    await house.did(
      mergeRenters,
      { as: clerk },
      { body: { keepId, keepVersion: 1, goneId, goneVersion: 1, take: ["phone"], reason: "同一人" } },
    );
    const [row, ...more] = await find(clerk, "唐明轩");
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      id: keepId,
      phone: "135****3333",
      stage: "living",
      tags: ["学生", "VIP"],
      contractId: lease.id,
    });
    expect(await house.did(getRenter, { as: clerk }, { params: { id: goneId } })).toMatchObject({
      id: keepId,
      mergedFrom: [{ id: goneId }],
    });
    expect(
      (await db.selectFrom("contract").select("partyId").where("id", "=", lease.id).executeTakeFirstOrThrow())
        .partyId,
    ).toBe(goneId);
  });

  test("two different verified certificates are two people", async () => {
    const [keepId, goneId] = [
      await aRenter(house, a, { name: "韩雪" }),
      await aRenter(house, a, { name: "韩雪" }),
    ];
    for (const id of [keepId, goneId]) {
      const { verify, note } = await house.did(
        verifyRenter,
        { as: clerk },
        { params: { id }, body: { version: 1 } },
      );
      expect(verify).toBe("verified");
      expect(note).toContain("未联网核验");
    }
    const body = { keepId, keepVersion: 2, goneId, goneVersion: 2, take: [], reason: "疑似同一人" };
    expect(await house.ask(mergeRenters, { as: clerk }, { body })).toMatchObject({
      status: 409,
      body: { message: "两条记录的证件均已核验且不一致，不能合并" },
    });
  });
});

test("tags are added and taken in one act, for all or for none", async () => {
  const [one, two] = [
    await aRenter(house, a, { name: "叶知秋" }),
    await aRenter(house, a, { name: "程一帆", tags: ["安静"] }),
  ];
  await house.did(
    tagRenters,
    { as: clerk },
    { body: { ids: [one, two], add: ["老客户"], remove: ["安静"] } },
  );
  const { list } = await house.did(listRenters, { as: clerk }, { query: { tags: "老客户" } });
  expect(list.map((r) => [r.name, r.tags])).toEqual([
    ["程一帆", ["老客户"]],
    ["叶知秋", ["老客户"]],
  ]);
  expect((await house.ask(tagRenters, { as: stranger }, { body: { ids: [one], add: ["x"] } })).status).toBe(
    404,
  );
});

test("the black list is met by certificate and by phone, within the enterprise", async () => {
  const certNo = anIdNumber();
  const id = await aRenter(house, a, { name: "苏瑾", certNo, phone: "13411112222" });
  await db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "苏瑾",
      phone: "13411112222",
      level: "warn",
      reason: "多次投诉",
    })
    .execute();
  expect(await house.did(checkBlackList, { as: clerk }, { query: { certNo } })).toEqual({
    level: "none",
    reason: null,
    source: null,
  });
  expect(await house.did(checkBlackList, { as: clerk }, { query: { phone: "13411112222" } })).toMatchObject({
    level: "warn",
    reason: "多次投诉",
  });
  expect(
    (await house.did(listRenters, { as: clerk }, { query: { black: "warn,forbid" } })).list.map((r) => r.id),
  ).toEqual([id]);
  expect((await house.ask(checkBlackList, { as: stranger }, { query: { partyId: id } })).status).toBe(404);
});
