import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { sheetBytes, sendSheet } from "../../system/import/import.sample.ts";
import { aLead } from "../lead/lead.sample.ts";
import { aCompany, aCreditCode, aFirmContract, twoFirmStores } from "../firm/firm.sample.ts";
import { listCompanies } from "../company/company.contract.ts";
import { getMerchant, listMerchants } from "../merchant/merchant.contract.ts";
import { anIdNumber } from "../renter/renter.sample.ts";
import { companyImport, merchantImport } from "./import.contract.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person, stranger: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoFirmStores(house));
  await house.person({ permits: ["113.edit"], villages: [a], name: "陈嘉禾" });
});

const company = (name: string, creditCode: string, more: Record<string, string> = {}) => ({
  企业名称: name,
  统一社会信用代码: creditCode,
  客户经理: "陈嘉禾",
  主联系人: "孙晓梅",
  电话: "13700000001",
  ...more,
});

/** A lead that turned out to be a company. */
async function insertedLead(companyId: number) {
  const as = await house.person({ superType: "1" });
  const id = await aLead(house, as, a);
  await db.updateTable("lead").set({ companyId }).where("id", "=", id).execute();
  return id;
}

describe("companies", () => {
  test("all rows are registered or none, and a batch is undone while nothing hangs on it", async () => {
    const rows = [company("甲企业", aCreditCode(), { 行业: "互联网" }), company("乙企业", aCreditCode())];
    const bytes = await sheetBytes("企业客户", rows);
    const id = await sendSheet(house, clerk, companyImport, a, bytes);
    const seen = await house.did(companyImport.get, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({ rowCount: 2, errorCount: 0, state: "ready" });
    expect((await house.ask(companyImport.get, { as: stranger }, { params: { id } })).status).toBe(404);
    const sent = { params: { id }, body: { version: 1 } };
    const press = { as: clerk, key: randomUUID() };
    expect(await house.did(companyImport.commit, press, sent)).toEqual({ id, made: 2 });
    // pressed again, because the answer was lost
    expect(await house.did(companyImport.commit, press, sent)).toEqual({ id, made: 2 });
    const found = () => house.did(listCompanies, { as: clerk }, { query: { keyword: "孙晓梅" } });
    expect((await found()).list.map((c) => [c.name, c.industry, c.ownerName])).toEqual([
      ["乙企业", "", "陈嘉禾"],
      ["甲企业", "互联网", "陈嘉禾"],
    ]);
    expect((await house.ask(companyImport.commit, { as: clerk, key: randomUUID() }, sent)).status).toBe(409);

    const partyId = (await found()).list[0]!.id;
    const contract = await aFirmContract(house, {
      villageId: a,
      partyId,
      kind: "company",
      rooms: 1,
      rent: 280_000,
    });
    const undo = { params: { id }, body: { version: 2 } };
    expect((await house.ask(companyImport.undo, { as: clerk, key: randomUUID() }, undo)).body.message).toBe(
      "1 家不能撤销：乙企业有合同",
    );
    await db.deleteFrom("occupancyRow").where("contractId", "=", contract.id).execute();
    await db.deleteFrom("contract").where("id", "=", contract.id).execute();
    const leadId = await insertedLead(partyId);
    expect((await house.ask(companyImport.undo, { as: clerk, key: randomUUID() }, undo)).body.message).toBe(
      "1 家不能撤销：乙企业有客源",
    );
    await db.deleteFrom("lead").where("id", "=", leadId).execute();
    expect(await house.did(companyImport.undo, { as: clerk }, undo)).toEqual({ id, removed: 2 });
    expect((await found()).total).toBe(0);
  });

  test("every wrong cell is named by row and column, and nothing is made", async () => {
    const known = aCreditCode();
    await aCompany(house, clerk, a, { name: "已登记企业", creditCode: known });
    const twice = aCreditCode();
    const rows = [
      company("错", aCreditCode()),
      company("丙企业", known),
      company("丁企业", twice, { 行业: "天文" }),
      company("戊企业", twice.toLowerCase(), { 客户经理: "查无此人", 电话: "12" }),
    ];
    const id = await sendSheet(house, clerk, companyImport, a, await sheetBytes("企业客户", rows));
    const { errors, state } = await house.did(companyImport.get, { as: clerk }, { params: { id } });
    expect(state).toBe("failed");
    expect(errors.map((e) => `${e.row} ${e.header}：${e.msg}`).toSorted()).toEqual([
      "2 企业名称：企业名称长度为2到30个字",
      "3 统一社会信用代码：统一社会信用代码已登记",
      "4 行业：行业中没有“天文”",
      "5 客户经理：该员工不能负责企业客户",
      "5 电话：手机号或座机格式不正确",
    ]);
    const sent = { params: { id }, body: { version: 1 } };
    expect((await house.ask(companyImport.commit, { as: clerk, key: randomUUID() }, sent)).body.message).toBe(
      "文件有错误，不能导入",
    );
    const marked = await house.ask(companyImport.errorFile, { as: clerk }, { params: { id } });
    expect(marked.raw.subarray(0, 2).toString()).toBe("PK");
  });
});

test("merchants come in as companies or in person; the template is theirs", async () => {
  const certNo = anIdNumber();
  const rows: Record<string, string>[] = [
    {
      商户名称: "北街小吃",
      主体: "个人",
      证件类型: "身份证",
      证件号: certNo,
      业态: "餐饮",
      主联系人: "陈师傅",
      电话: "13700000002",
    },
    {
      商户名称: "南街便利店",
      主体: "公司",
      统一社会信用代码: aCreditCode(),
      业态: "便利店",
      主联系人: "陈师傅",
      电话: "13700000003",
    },
  ];
  const id = await sendSheet(house, clerk, merchantImport, a, await sheetBytes("商户", rows));
  await house.did(merchantImport.commit, { as: clerk }, { params: { id }, body: { version: 1 } });
  const { list } = await house.did(listMerchants, { as: clerk }, { query: { keyword: "陈师傅" } });
  expect(list.map((m) => [m.name, m.subject])).toEqual([
    ["南街便利店", "company"],
    ["北街小吃", "individual"],
  ]);
  const seen = await house.did(getMerchant, { as: clerk }, { params: { id: list[1]!.id } });
  expect(seen.certNo).toBe(`3301${"*".repeat(10)}${certNo.slice(-4)}`);
  const template = await house.ask(merchantImport.template, { as: clerk });
  expect(template.raw.subarray(0, 2).toString()).toBe("PK");
  const batches = await house.did(merchantImport.list, { as: clerk }, { query: {} });
  expect(batches.list).toMatchObject([{ id, rowCount: 2, state: "done" }]);
});
