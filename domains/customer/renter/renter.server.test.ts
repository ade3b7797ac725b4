import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import { checkBlackList } from "../blacklist/blacklist.contract.ts";
import {
  anonymiseRenter,
  linkRenter,
  lookupRenter,
  mergeRenters,
  revealRenter,
  tagRenters,
  verifyRenter,
} from "./acts.contract.ts";
import {
  addRenter,
  deleteRenter,
  editRenter,
  getRenter,
  listRenters,
  renterOptions,
  renterStrip,
  renterSummary,
} from "./renter.contract.ts";
import { anIdNumber, aRenter, typedRenter } from "./renter.sample.ts";

const PERMITS = ["16.query", "16.get", "16.add", "16.edit", "16.delete", "#1601", "#1602", "#1603"];
const house = await testHouse();
const { db } = house.database;
let a: number, b: number, clerk: Person, stranger: Person;
let rooms: number[];

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  a = await aVillage(house);
  b = await aVillage(house);
  clerk = await house.person({ permits: PERMITS, villages: [a], name: "周敏" });
  stranger = await house.person({ permits: PERMITS, villages: [b], name: "李四" });
  const at = await aBuilding(house, a);
  const flats = [];
  for (const name of ["1201", "1202", "1203", "1204"]) flats.push(await aFlat(house, at, { name }));
  rooms = flats.map((f) => f.roomIds[0]!);
});

const find = async (as: Person, keyword: string) =>
  (await house.did(listRenters, { as }, { query: { keyword } })).list;

describe("one record per person", () => {
  test("a wrong check digit is refused under its field", async () => {
    const certNo = anIdNumber().slice(0, 17) + "?";
    const { status, body } = await house.ask(addRenter, { as: clerk }, { body: typedRenter(a, { certNo }) });
    expect(status).toBe(400);
    expect(body.fields).toContainEqual({ field: "certNo", msg: "身份证号格式不正确" });
  });

  test("a number fills gender and birthday; the screen sees it masked, the database does not hold it", async () => {
    const certNo = anIdNumber("1990-02-03", 7);
    const { id } = await house.did(
      addRenter,
      { as: clerk },
      { body: typedRenter(a, { certNo, name: "王一鸣" }) },
    );
    const seen = await house.did(getRenter, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({
      birthday: "1990-02-03",
      gender: "male",
      phone: "138****5678",
      stage: "prospect",
    });
    expect(seen.certNo).toBe(`3301${"*".repeat(10)}${certNo.slice(-4)}`);
    const stored = await db.selectFrom("renter").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(certNo);
    expect(Buffer.from(stored.certNoCipher!).toString("latin1")).not.toContain(certNo);
  });

  test("two people adding the same person at once make one record and one refusal", async () => {
    const body = typedRenter(a, { name: "赵思源" });
    const answers = await Promise.all([1, 2].map(() => house.ask(addRenter, { as: clerk }, { body })));
    expect(answers.map((x) => x.status).toSorted()).toEqual([200, 400]);
    const refused = answers.find((x) => x.status === 400)!;
    expect(refused.body.fields).toEqual([{ field: "certNo", msg: "该证件号已登记" }]);
    expect(await find(clerk, "赵思源")).toHaveLength(1);
  });

  test("whoever is under 18 needs a guardian; the emergency contact is somebody else", async () => {
    const child = typedRenter(a, { certNo: anIdNumber("2012-05-01"), name: "高远" });
    expect((await house.ask(addRenter, { as: clerk }, { body: child })).body.message).toBe(
      "未满18周岁，需填写监护人及电话",
    );
    const alone = typedRenter(a, { emergencyPhone: "13812345678" });
    expect((await house.ask(addRenter, { as: clerk }, { body: alone })).body.message).toBe(
      "紧急联系人电话不能与本人相同",
    );
    const guarded = { ...child, guardianName: "高峰", guardianPhone: "13900001111" };
    expect((await house.ask(addRenter, { as: clerk }, { body: guarded })).status).toBe(200);
  });

  test("the phone of another person warns and does not block", async () => {
    const body = typedRenter(a, { phone: "13700001234", name: "孙博文" });
    expect((await house.did(addRenter, { as: clerk }, { body })).phoneUsedBy).toBeNull();
    const second = typedRenter(a, { phone: "13700001234", name: "徐若曦" });
    expect((await house.did(addRenter, { as: clerk }, { body: second })).phoneUsedBy).toBe("孙*");
  });
});

describe("scope", () => {
  test("another store sees nothing until it links, and the first store's log shows the link", async () => {
    const certNo = anIdNumber();
    const id = await aRenter(house, a, { name: "何静怡", certNo });
    expect(await find(stranger, "何静怡")).toEqual([]);
    for (const c of [getRenter, renterSummary])
      expect(await house.ask(c, { as: stranger }, { params: { id } })).toMatchObject({
        status: 404,
        body: { message: "记录不存在" },
      });
    expect(
      (
        await house.ask(
          revealRenter,
          { as: stranger },
          { params: { id }, body: { field: "phone", reason: "回访" } },
        )
      ).status,
    ).toBe(404);
    expect(
      (await house.ask(listRenters, { as: stranger }, { query: { villageIds: String(a) } })).status,
    ).toBe(404);

    const cert = { certType: "idCard" as const, certNo };
    expect(await house.did(lookupRenter, { as: stranger }, { body: cert })).toEqual({
      found: "elsewhere",
      id,
      maskedName: "何*",
    });
    const guess = { ...cert, certNo: anIdNumber(), villageId: b };
    expect((await house.ask(linkRenter, { as: stranger }, { params: { id }, body: guess })).status).toBe(404);
    await house.did(linkRenter, { as: stranger }, { params: { id }, body: { ...cert, villageId: b } });
    expect(await find(stranger, "何静怡")).toHaveLength(1);
    expect(await house.did(lookupRenter, { as: stranger }, { body: cert })).toMatchObject({ found: "here" });
    const log = await db
      .selectFrom("businessLog")
      .selectAll()
      .where("kind", "=", "renter")
      .where("recordId", "=", id)
      .where("action", "=", "关联")
      .execute();
    expect(log).toMatchObject([
      { villageId: b, operatorName: "李四", summary: expect.stringContaining("关联到门店") },
    ]);
  });

  test("a store that links the person may edit it without owning its home", async () => {
    const certNo = anIdNumber();
    const id = await aRenter(house, a, { name: "谢文静", certNo });
    await house.did(
      linkRenter,
      { as: stranger },
      { params: { id }, body: { certType: "idCard", certNo, villageId: b } },
    );
    const { version } = await house.did(getRenter, { as: stranger }, { params: { id } });
    const body = {
      ...typedRenter(a, { name: "谢文静" }),
      certNo: undefined,
      phone: undefined,
      email: "xie@example.com",
      version,
    };
    await house.did(editRenter, { as: stranger }, { params: { id }, body });
    const seen = await house.did(getRenter, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({ email: "xie@example.com", phone: "138****5678", certType: "idCard" });
    expect((await house.ask(editRenter, { as: stranger }, { params: { id }, body })).body.message).toBe(
      "数据已被他人修改，请刷新后重试",
    );
  });
});

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

describe("money and stage", () => {
  let living: number, former: number;
  beforeAll(async () => {
    living = await aRenter(house, a, { name: "冯诗涵" });
    former = await aRenter(house, a, { name: "曹宇航", source: "web" });
    const now = await aLease(house, { villageId: a, roomId: rooms[0]!, partyId: living });
    const then = await aLease(house, {
      villageId: a,
      roomId: rooms[1]!,
      partyId: former,
      start: "2025-01-01",
      leaveDate: "2025-12-31",
      state: "ended",
    });
    await db
      .updateTable("contract")
      .set({ roomNames: "滨江店·3栋·1单元·1201" })
      .where("id", "=", now.id)
      .execute();
    const bill = (partyId: number, contractId: number, dueDate: string, amount: number, settled = 0) => ({
      billNo: `ZD${contractId}-${dueDate}`,
      villageId: a,
      contractId,
      partyId,
      title: "租金",
      dueDate,
      issueDate: dueDate,
      issuedAt: "2026-11-01T00:00:00Z",
      source: "schedule",
      amount,
      settled,
    });
    await db
      .insertInto("bill")
      .values([
        bill(living, now.id, "2026-11-01", 300_000, 100_000),
        bill(living, now.id, "2026-11-20", 300_000), // due today: not late yet
        bill(former, then.id, "2025-12-01", 50_000),
        { ...bill(former, then.id, "2025-11-01", 70_000), voidedAt: "2025-11-02T00:00:00Z" },
      ])
      .execute();
    await db.insertInto("partyBalance").values({ villageId: a, partyId: living, balance: 12_345 }).execute();
    await db
      .insertInto("depositBalance")
      .values({ contractId: now.id, villageId: a, held: 300_000 })
      .execute();
  });

  test("the list's sums are the sums of its rows and of the late bills", async () => {
    const { list, sums, total } = await house.did(listRenters, { as: clerk }, { query: { pageSize: 200 } });
    expect(total).toBe(list.length);
    const owing = await db
      .selectFrom("bill")
      .select((e) => e.fn.sum<string>("outstanding").as("fen"))
      .where("villageId", "=", a)
      .where("dueDate", "<", "2026-11-20")
      .executeTakeFirstOrThrow();
    expect(sums).toEqual({ arrears: Number(owing.fen), prepaid: 12_345, deposit: 300_000 });
    expect(list.reduce((n, r) => n + r.arrears, 0)).toBe(250_000);
    const late = await house.did(listRenters, { as: clerk }, { query: { arrears: "yes", sort: "arrears" } });
    expect(late.list.map((r) => [r.name, r.arrears])).toEqual([
      ["冯诗涵", 200_000],
      ["曹宇航", 50_000],
    ]);
    expect(late.sums?.arrears).toBe(250_000);
  });

  test("stage, room and end of lease are derived", async () => {
    const living = await house.did(listRenters, { as: clerk }, { query: { stage: "living" } });
    expect(living.list).toMatchObject([
      {
        name: "冯诗涵",
        stage: "living",
        roomId: rooms[0],
        roomName: "滨江店·3栋·1单元·1201",
        endDate: "2027-02-28",
      },
    ]);
    expect((await house.did(listRenters, { as: clerk }, { query: { stage: "former" } })).list).toMatchObject([
      { name: "曹宇航", roomName: null },
    ]);
    expect((await find(clerk, "1201")).map((r) => r.name)).toEqual(["冯诗涵"]);
    expect((await find(clerk, "fsh")).map((r) => r.name)).toEqual(["冯诗涵"]);
    const strip = await house.did(renterStrip, { as: clerk }, { query: {} });
    expect(strip.stages).toMatchObject([
      { stage: "living", count: 1 },
      { stage: "prospect" },
      { stage: "former", count: 1 },
    ]);
    expect(strip.months).toHaveLength(12);
    const summary = await house.did(renterSummary, { as: clerk }, { params: { id: former } });
    expect(summary).toMatchObject({ arrears: 50_000, overdueBills: 1, contracts: 1, livedDays: 365 });
  });

  test("name and certificate of whoever signed change by correction only", async () => {
    const { version } = await house.did(getRenter, { as: clerk }, { params: { id: living } });
    const body = { ...typedRenter(a), certNo: undefined, name: "冯诗函", version };
    const send = (more: object) =>
      house.ask(editRenter, { as: clerk }, { params: { id: living }, body: { ...body, ...more } });
    expect((await send({})).body.fields).toEqual([
      { field: "correctionReason", msg: "已签合同，姓名和证件须填写更正原因" },
    ]);
    expect((await send({ correctionReason: "登记时写错" })).body.fields?.[0]?.field).toBe("correctionFileId");
  });

  test("a renter with records stays; a prospect without any goes", async () => {
    const { version } = await house.did(getRenter, { as: clerk }, { params: { id: living } });
    const kept = await house.ask(deleteRenter, { as: clerk }, { params: { id: living }, query: { version } });
    expect(kept).toMatchObject({ status: 409, body: { message: "该租客有 1 份合同、2 笔账单，不能删除" } });
    const id = await aRenter(house, a, { name: "郑浩然" });
    await house.did(deleteRenter, { as: clerk }, { params: { id }, query: { version: 1 } });
    expect(await find(clerk, "郑浩然")).toEqual([]);
  });

  test("only who left five years ago and owes nothing can be made anonymous", async () => {
    const body = { version: 1, reason: "到期清理" };
    const refuse = async (id: number) =>
      (await house.ask(anonymiseRenter, { as: clerk }, { params: { id }, body })).body.message;
    expect(await refuse(living)).toBe("该租客仍有未结束的合同，不能匿名化");
    expect(await refuse(former)).toBe("该租客尚有未收款项 500.00 元，不能匿名化");
    const old = await aRenter(house, a, { name: "宋雨桐", phone: "13655556666" });
    const lease = await aLease(house, {
      villageId: a,
      roomId: rooms[2]!,
      partyId: old,
      start: "2020-01-01",
      leaveDate: "2020-12-31",
      state: "ended",
    });
    await house.did(anonymiseRenter, { as: clerk }, { params: { id: old }, body });
    const seen = await house.did(getRenter, { as: clerk }, { params: { id: old } });
    expect(seen).toMatchObject({ name: "已匿名", phone: "", certNo: null, stage: "former" });
    expect(await find(clerk, "13655556666")).toEqual([]);
    expect(
      (await db.selectFrom("contract").select("partyId").where("id", "=", lease.id).executeTakeFirstOrThrow())
        .partyId,
    ).toBe(old);
  });
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

test("a picker finds by name, initials and the last digits of the phone", async () => {
  await aRenter(house, a, { name: "蒋南星", phone: "13388887777" });
  const look = async (keyword: string, as = clerk) =>
    (await house.did(renterOptions, { as }, { query: { keyword } })).map((r) => r.name);
  expect(await look("jnx")).toEqual(["蒋南星"]);
  expect(await look("7777")).toEqual(["蒋南星"]);
  expect(await look("蒋南", stranger)).toEqual([]);
});
