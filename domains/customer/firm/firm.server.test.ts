import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { checkBlackList } from "../blacklist/blacklist.contract.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import {
  addCompany,
  companyCalls,
  editCompany,
  getCompany,
  listCompanies,
} from "../company/company.contract.ts";
import { addMerchant, getMerchant, listMerchants, merchantCalls } from "../merchant/merchant.contract.ts";
import { anIdNumber } from "../renter/renter.sample.ts";
import {
  aCompany,
  aContactTyped,
  aCreditCode,
  aFirmContract,
  aMerchant,
  twoFirmStores,
  typedCompany,
  typedMerchant,
} from "./firm.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, b: number, clerk: Person, stranger: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, b, clerk, stranger } = await twoFirmStores(house));
});

const companies = async (as: Person, keyword: string) =>
  (await house.did(listCompanies, { as }, { query: { keyword } })).list;
const fieldsOf = async (body: object) =>
  (await house.ask(addCompany, { as: clerk }, { body: { ...typedCompany(a, clerk.operatorId), ...body } }))
    .body.fields;

describe("one record per firm", () => {
  test("two people adding the same credit code at once make one record and one refusal", async () => {
    for (const [call, body, list] of [
      [addCompany, typedCompany(a, clerk.operatorId, { name: "双木科技" }), listCompanies],
      [addMerchant, typedMerchant(a, { name: "双木便利店" }), listMerchants],
    ] as const) {
      const answers = await Promise.all(
        [1, 2].map(() => house.ask(call, { as: clerk }, { body: body as never })),
      );
      expect(answers.map((x) => x.status).toSorted()).toEqual([200, 400]);
      expect(answers.find((x) => x.status === 400)!.body.fields).toEqual([
        { field: "creditCode", msg: "统一社会信用代码已登记" },
      ]);
      expect((await house.did(list, { as: clerk }, { query: { keyword: "双木" } })).total).toBe(1);
    }
  });

  test("a name with a blank at its end, a wrong code, no or two main contacts are refused under their fields", async () => {
    expect(await fieldsOf({ name: " 云栖软件有限公司" })).toEqual([
      { field: "name", msg: "企业名称不能以空格开头或结尾" },
    ]);
    expect(await fieldsOf({ name: "云" })).toEqual([{ field: "name", msg: "企业名称长度为2到30个字" }]);
    const wrong = aCreditCode().replace(/.$/, (c) => (c === "0" ? "1" : "0"));
    expect(await fieldsOf({ creditCode: wrong })).toEqual([
      { field: "creditCode", msg: "统一社会信用代码格式不正确" },
    ]);
    const msg = "请设置一个主联系人";
    expect(await fieldsOf({ contacts: [{ ...aContactTyped, main: false }] })).toEqual([
      { field: "contacts", msg },
    ]);
    expect(await fieldsOf({ contacts: [aContactTyped, { ...aContactTyped, phone: "13700000002" }] })).toEqual(
      [{ field: "contacts", msg }],
    );
    expect((await fieldsOf({ contacts: [{ ...aContactTyped, phone: "123" }] }))?.[0]?.msg).toBe(
      "手机号或座机格式不正确",
    );
  });

  test("the database itself refuses a firm without its one main contact", async () => {
    const id = await aCompany(house, clerk, a, { name: "守门企业" });
    await expect(db.deleteFrom("partyContact").where("partyId", "=", id).execute()).rejects.toMatchObject({
      constraint: "party_contact_one_main",
    });
  });

  test("a merchant who trades in person is known by a certificate, which nobody reads", async () => {
    const certNo = anIdNumber();
    const body = typedMerchant(a, {
      name: "老陈修鞋",
      subject: "individual",
      creditCode: "",
      certType: "idCard",
      certNo,
    });
    const { id } = await house.did(addMerchant, { as: clerk }, { body });
    const seen = await house.did(getMerchant, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({ creditCode: null, certNo: `3301${"*".repeat(10)}${certNo.slice(-4)}` });
    const again = await house.ask(addMerchant, { as: clerk }, { body });
    expect(again.body.fields).toEqual([{ field: "certNo", msg: "该证件号已登记" }]);
    const without = { ...body, certNo: undefined };
    expect((await house.ask(addMerchant, { as: clerk }, { body: without })).body.fields).toEqual([
      { field: "certNo", msg: "请输入证件号" },
    ]);
    const sent = { params: { id }, body: { field: "certNo" as const, reason: "核对证件" } };
    expect((await house.did(merchantCalls.reveal, { as: clerk }, sent)).value).toBe(certNo);
    const log = await house.did(
      recordHistory,
      { as: clerk },
      { params: { kind: "merchant", recordId: id }, query: {} },
    );
    expect(log.list.map((line) => line.summary)).toEqual(["查看完整证件号：核对证件", "登记商户老陈修鞋"]);
  });
});

describe("scope", () => {
  test("another store sees a firm only after linking it by its whole code", async () => {
    const creditCode = aCreditCode();
    const id = await aCompany(house, clerk, a, { name: "远望贸易", creditCode });
    expect(await companies(stranger, "远望")).toEqual([]);
    for (const call of [getCompany, companyCalls.summary])
      expect((await house.ask(call, { as: stranger }, { params: { id } })).status).toBe(404);
    const { version } = await house.did(getCompany, { as: clerk }, { params: { id } });
    const edit = { ...typedCompany(b, stranger.operatorId, { creditCode }), version };
    expect((await house.ask(editCompany, { as: stranger }, { params: { id }, body: edit })).status).toBe(404);

    const number = creditCode.toLowerCase();
    expect(await house.did(companyCalls.lookup, { as: stranger }, { body: { number } })).toEqual({
      found: "elsewhere",
      id,
      maskedName: "远*",
    });
    const guess = { villageId: b, number: aCreditCode() };
    expect(
      (await house.ask(companyCalls.link, { as: stranger }, { params: { id }, body: guess })).status,
    ).toBe(404);
    await house.did(companyCalls.link, { as: stranger }, { params: { id }, body: { villageId: b, number } });
    expect(await companies(stranger, "远望")).toHaveLength(1);
    const log = await house.did(
      recordHistory,
      { as: clerk },
      { params: { kind: "company", recordId: id }, query: {} },
    );
    expect(log.list[0]).toMatchObject({ action: "关联", operatorName: "李四" });
  });

  test("the list finds by contact, phone, code and initials, and hides the phone", async () => {
    const creditCode = aCreditCode();
    await aCompany(house, clerk, a, {
      name: "青松设计",
      creditCode,
      contacts: [{ ...aContactTyped, name: "孙晓梅", phone: "13512349876" }],
    });
    for (const keyword of ["青松", "孙晓", "13512349876", "9876", creditCode.toLowerCase(), "qssj"])
      expect((await companies(clerk, keyword)).map((c) => [c.name, c.phone])).toEqual([
        ["青松设计", "135****9876"],
      ]);
    expect(await companies(clerk, creditCode.slice(0, 12))).toEqual([]);
  });
});

test("a firm that has a contract is not deleted: the refusal names it", async () => {
  const id = await aMerchant(house, clerk, a, { name: "南街小馆" });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: id,
    kind: "merchant",
    rooms: 1,
    rent: 560_000,
  });
  const { version } = await house.did(getMerchant, { as: clerk }, { params: { id } });
  const sent = { params: { id }, query: { version } };
  expect(await house.ask(merchantCalls.remove, { as: clerk }, sent)).toMatchObject({
    status: 409,
    body: { message: `该商户有合同 ${contract.no}，不能删除` },
  });
  const free = await aMerchant(house, clerk, a, { name: "未签小店" });
  await house.did(merchantCalls.remove, { as: clerk }, { params: { id: free }, query: { version: 1 } });
  expect((await house.ask(getMerchant, { as: clerk }, { params: { id: free } })).status).toBe(404);
});

test("the black list knows a firm by its code, in the list, on the record and when asked", async () => {
  const creditCode = aCreditCode();
  const id = await aCompany(house, clerk, a, { name: "失信企业", creditCode });
  const { creditHash } = await db
    .selectFrom("firm")
    .select("numberHash as creditHash")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "失信企业",
      certNoHash: creditHash,
      level: "forbid",
      reason: "长期欠费",
    })
    .execute();
  expect((await companies(clerk, "失信"))[0]).toMatchObject({ black: "forbid" });
  expect(await house.did(getCompany, { as: clerk }, { params: { id } })).toMatchObject({
    black: "forbid",
    blackReason: "长期欠费",
  });
  for (const query of [{ certNo: creditCode }, { partyId: id }])
    expect(await house.did(checkBlackList, { as: clerk }, { query })).toMatchObject({ level: "forbid" });
});
