import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { writeContractConfig, readContractConfig } from "../config/config.contract.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { submitContract } from "../signing/signing.contract.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { aForm, aRenter, aRoom, aShop, LEASING } from "./contract.sample.ts";
import { createContract, formData, readForm, saveContract } from "../drafting/draft.contract.ts";
import { getContract } from "./detail.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;
const { db } = house.database;
const withPermit = (permit: string) =>
  house.person({ permits: [...LEASING, permit], villages: [shop.villageId] });

/** The field errors that a preview of the form answers. */
async function wrong(form: ContractForm) {
  const { id } = await house.did(createContract, { as }, { body: form });
  const { status, body } = await house.ask(previewContract, { as }, { body: { id } });
  return status === 400 ? body.fields! : [];
}
let rooms = 0;
const form = async (more: Parameters<typeof aForm>[1] = {}) =>
  aForm({ ...shop, roomId: await aRoom(house, shop.building, `G${++rooms}`) }, more);

describe("a form is refused under the field that is wrong", () => {
  test("dates, deposit, ranges, free days and steps", async () => {
    expect(await wrong(await form({ start: "2025-12-01" }))).toEqual([
      { field: "start", msg: "起租日超过可倒签天数" },
    ]);
    expect(await wrong({ ...(await form()), end: "2046-03-15" })).toEqual([
      { field: "end", msg: "租赁期限不得超过二十年" },
    ]);
    expect(await wrong(await form({ graceDays: 75 }))).toEqual([
      { field: "graceDays", msg: "宽限天数为 0 至 60 天" },
    ]);
    expect(await wrong(await form({ rentFree: [{ fromDate: "2027-03-10", toDate: "2027-03-20" }] }))).toEqual(
      [{ field: "rentFree.0.fromDate", msg: "免租期须在租期内" }],
    );
    const free = { fromDate: "2026-04-01", toDate: "2026-04-10" };
    expect(await wrong(await form({ rentFree: [free, { ...free, fromDate: "2026-04-10" }] }))).toEqual([
      { field: "rentFree.1.fromDate", msg: "免租期不能重叠" },
    ]);
    const step = {
      fromDate: "2026-09-15",
      mode: "table",
      value: "360000",
      resultRent: 360_000,
      source: "manual",
    } as const;
    expect(await wrong(await form({ steps: [step, step] }))).toEqual([
      { field: "steps.1.fromDate", msg: "同一天只能有一次调价" },
    ]);
    expect(await wrong(await form({ partyId: null }))).toEqual([{ field: "partyId", msg: "请选择租客" }]);
  });

  test("more people than the room takes", async () => {
    const person = { name: "李四", phone: "13900000000", relation: "朋友", lockAccess: true };
    expect(await wrong(await form({ occupants: [person, person] }))).toEqual([
      { field: "occupants", msg: "入住人数超过可住人数（2 人）" },
    ]);
    expect(await wrong(await form({ occupants: [{ ...person, phone: "139" }] }))).toEqual([
      { field: "occupants.0.phone", msg: "请输入正确的手机号" },
    ]);
  });

  test("a minor without a guardian", async () => {
    const guardian = { guardianName: "王强", guardianPhone: "13700000000" };
    const certificate = { certType: "idCard", certNo: "330106201005011237" } as const;
    const alone = await aRenter(house, shop.villageId, { name: "王小明", ...certificate, ...guardian });
    const guarded = (by: typeof guardian) =>
      db.updateTable("renter").set(by).where("id", "=", alone).execute();
    await guarded({ guardianName: "", guardianPhone: "" });
    expect(await wrong(await form({ partyId: alone }))).toEqual([
      { field: "partyId", msg: "未满18周岁，需监护人签署" },
    ]);
    await guarded(guardian);
    expect(await wrong(await form({ partyId: alone }))).toEqual([]);
  });

  test("rooms and people of elsewhere do not exist", async () => {
    const other = await aShop(house);
    const { status, body } = await house.ask(
      createContract,
      { as },
      { body: aForm({ ...shop, roomId: other.roomId }) },
    );
    expect([status, body.fields]).toEqual([400, [{ field: "rooms.0.roomId", msg: "请选择该门店的房间" }]]);
    const strange = await house.ask(
      createContract,
      { as },
      { body: aForm({ ...shop, partyId: other.partyId }) },
    );
    expect(strange.body.fields).toEqual([{ field: "partyId", msg: "请选择租客" }]);
    expect((await house.ask(createContract, { as }, { body: aForm(other) })).status).toBe(404);
    for (const [field, msg] of [
      ["signerId", "请选择在该门店任职的签约人"],
      ["managerId", "请选择在该门店任职的管家"],
    ] as const) {
      const body = { ...(await form()), [field]: other.clerk.operatorId };
      const named = await house.ask(createContract, { as }, { body });
      expect([named.status, named.body.fields]).toEqual([400, [{ field, msg }]]);
      const made = await house.did(createContract, { as }, { body: { ...body, [field]: as.operatorId } });
      const params = { id: made.id };
      const saved = await house.ask(saveContract, { as }, { params, body: { ...body, version: 1 } });
      expect(saved.body.fields).toEqual([{ field, msg }]);
      // whom the draft names already stays, wherever he works since
      const column = field === "signerId" ? "signerOperatorId" : "managerOperatorId";
      await db
        .updateTable("contract")
        .set({ [column]: other.clerk.operatorId })
        .where("id", "=", made.id)
        .execute();
      await house.did(saveContract, { as }, { params, body: { ...body, version: 1 } });
    }
  });
});

describe("the village's own limits", () => {
  test("cap deposit and prepayment, and are changed only by who may, over the version they saw", async () => {
    const admin = await house.person({ permits: ["95.query", "95.edit"], villages: [shop.villageId] });
    const query = { villageId: shop.villageId };
    const before = await house.did(readContractConfig, { as: admin }, { query });
    expect(before).toMatchObject({ source: "platform", version: 0, holdDays: 7 });
    const values = {
      ...CONFIG_DEFAULTS,
      defaultTerms: { graceDays: 5 },
      maxDepositMonths: 2,
      maxPrepayMonths: 6,
    };
    await house.did(writeContractConfig, { as: admin }, { query, body: { ...values, version: 0 } });
    const stale = await house.ask(
      writeContractConfig,
      { as: admin },
      { query, body: { ...values, version: 0 } },
    );
    expect(stale.status).toBe(409);
    expect(await house.did(readContractConfig, { as: admin }, { query })).toMatchObject({
      source: "village",
      version: 1,
    });

    expect(await wrong(await form({ deposit: { mode: "months", months: "3" } }))).toEqual([
      { field: "deposit.months", msg: "押金不得超过 2 个月租金" },
    ]);
    expect(await wrong(await form({ cycleMonths: 12 }))).toEqual([
      { field: "cycleMonths", msg: "预付租金不得超过 6 个月" },
    ]);
    const { terms } = await house.did(formData, { as }, { query: { villageId: shop.villageId } });
    expect(terms.graceDays).toBe(5);
    await house.did(
      writeContractConfig,
      { as: admin },
      { query, body: { ...CONFIG_DEFAULTS, defaultTerms: {}, version: 1 } },
    );
  });
});

async function handIn(body: ContractForm, who = as, more: { blackListReason?: string } = {}) {
  const { id } = await house.did(createContract, { as }, { body });
  const { previewHash, obstacles } = await house.did(previewContract, { as }, { body: { id } });
  const params = { id };
  const answer = await house.ask(
    submitContract,
    { as: who, key: randomUUID() },
    { params, body: { previewHash, ...more } },
  );
  return { id, obstacles, answer };
}

test("a store that is closed by then lets nothing, neither in the preview nor when it is handed in", async () => {
  const other = await aShop(house, { village: "停业门店" });
  const { villageId, clerk } = other;
  const turn = (closedDay: string | null) =>
    db
      .updateTable("village")
      .set({ state: closedDay ? "closed" : "open", closedDay })
      .where("id", "=", villageId)
      .execute();
  const { id } = await house.did(createContract, { as: clerk }, { body: aForm(other) });
  const preview = () => house.did(previewContract, { as: clerk }, { body: { id } });
  const handedIn = async (previewHash: string) => {
    const { status, body } = await house.ask(
      submitContract,
      { as: clerk, key: randomUUID() },
      { params: { id }, body: { previewHash } },
    );
    return [status, body.message];
  };
  // the term ends on the day before
  await turn("2027-03-15");
  expect((await preview()).obstacles).toEqual([]);
  await turn("2027-03-14");
  const said = "停业门店 自 2027-03-14 起已停业，不能出租";
  const { obstacles, previewHash } = await preview();
  expect(obstacles).toEqual([{ code: "notAllowed", msg: said }]);
  expect(await handedIn(previewHash)).toEqual([409, said]);
  await turn(null);
  expect((await handedIn(previewHash))[0]).toBe(200);
});

describe("what only some may sign", () => {
  test("below the lowest price", async () => {
    const cheap = await form({ rent: 240_000 });
    await db
      .updateTable("roomPrice")
      .set({ lowestPrice: 270_000 })
      .where("roomId", "=", cheap.rooms[0]!.roomId)
      .execute();
    const { answer, obstacles } = await handIn(cheap);
    const sentence = "折后月租 2,400.00 低于底价 2,700.00，需要“低于底价签约”权限或审批";
    expect(answer).toMatchObject({ status: 422, body: { reason: "belowLowest", message: sentence } });
    expect(obstacles).toEqual([{ code: "belowLowest", msg: sentence }]);
    expect((await handIn(cheap, await withPermit("#904"))).answer.status).toBe(200);
  });

  test("an earlier start than the village allows", async () => {
    const early = await form({ start: "2025-12-01" });
    const { id } = await house.did(createContract, { as }, { body: early });
    const boss = await withPermit("#907");
    const { previewHash } = await house.did(previewContract, { as: boss }, { body: { id } });
    const params = { id };
    const refused = await house.ask(
      submitContract,
      { as, key: randomUUID() },
      { params, body: { previewHash } },
    );
    expect(refused.body.fields).toEqual([{ field: "start", msg: "起租日超过可倒签天数" }]);
    await house.did(submitContract, { as: boss }, { params, body: { previewHash } });
  });

  test("a tenant on the black list, with a reason that stays on record", async () => {
    const partyId = await aRenter(house, shop.villageId, { name: "赵六", phone: "13611112222" });
    await db
      .insertInto("blackList")
      .values({
        enterpriseId: house.enterpriseId,
        name: "赵六",
        phone: "13611112222",
        level: "forbid",
        reason: "恶意欠租",
        source: "法务",
      })
      .execute();
    const listed = await form({ partyId });
    const { answer, obstacles } = await handIn(listed, as, { blackListReason: "老客户担保" });
    expect(obstacles[0]).toMatchObject({ code: "blackListed" });
    expect(answer).toMatchObject({
      status: 409,
      body: { reason: "blackListed", message: "该客户在黑名单中，禁止签约：恶意欠租" },
    });
    const boss = await withPermit("#906");
    expect((await handIn(await form({ partyId }), boss)).answer.body.fields?.[0]?.field).toBe(
      "blackListReason",
    );
    const done = await handIn(await form({ partyId }), boss, { blackListReason: "老客户担保" });
    expect(done.answer.status).toBe(200);
    const { blackListReason } = await house.did(getContract, { as }, { params: { id: done.id } });
    expect(blackListReason).toBe("老客户担保");
  });
});

test("an occupant's certificate is sealed, shown masked and kept over later saves", async () => {
  const person = {
    name: "李四",
    phone: "13900000000",
    relation: "配偶",
    certType: "idCard",
    lockAccess: true,
  };
  const body = await form({ occupants: [{ ...person, certNo: "330106199503074521" }] });
  const made = await house.did(createContract, { as }, { body });
  const params = { id: made.id };
  const read = await house.did(readForm, { as }, { params });
  expect(read.form.occupants[0]).toMatchObject({ id: made.occupantIds[0], certMasked: "3301**********4521" });
  expect(JSON.stringify(read)).not.toContain("330106199503074521");
  const occupants = [{ ...person, id: made.occupantIds[0]!, relation: "朋友" }];
  await house.did(saveContract, { as }, { params, body: { ...body, occupants, version: made.version } });
  const again = await house.did(readForm, { as }, { params });
  expect(again.form.occupants).toMatchObject([{ relation: "朋友", certMasked: "3301**********4521" }]);
  const bad = [{ ...person, certNo: "330106199503074522" }];
  const refused = await house.ask(
    saveContract,
    { as },
    { params, body: { ...body, occupants: bad, version: 2 } },
  );
  expect(refused.body.fields).toEqual([{ field: "occupants.0.certNo", msg: "身份证号格式不正确" }]);
});
