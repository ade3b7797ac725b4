import { beforeAll, expect, test } from "vitest";
import { filledIn, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance, type Store } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { refundImport } from "./import.contract.ts";
import { listRefunds } from "./refund.contract.ts";
import { APPLYING } from "./refund.sample.ts";

const house = await testHouse();
house.setClock("2026-03-20T10:00:00+08:00");
let a: Store, clerk: Person, store: string, contractNo: string;
beforeAll(async () => {
  a = await aStore(house);
  clerk = await house.person({ permits: [...APPLYING, "#10801"], villages: [a.villageId] });
  const accounts = await someAccounts(house, a);
  const paidAt = "2026-03-19T09:00:00+08:00";
  const li = await aParty(house, "李四", { villageId: a.villageId });
  await take(house, a, accounts, li, { amount: 100_000, channel: "cash", paidAt });
  const zhang = await aParty(house, "张三", { villageId: a.villageId });
  const contractId = await aContract(house, a, zhang, { no: "HT20260101-000077" });
  contractNo = "HT20260101-000077";
  await house.database.pool.query("update contract set party_name = '张三' where id = $1", [contractId]);
  const bill = await aBill(house, a, zhang, {
    contractId,
    lines: [aLine("deposit", 300_000, { slices: [] })],
  });
  await take(house, a, accounts, zhang, { amount: 300_000, channel: "cash", paidAt, bills: [bill] });
  for (const _ of [1, 2]) await aParty(house, "赵敏", { villageId: a.villageId });
  const { rows } = await house.database.pool.query("select name from village where id = $1", [a.villageId]);
  store = rows[0].name;
});

type Line = Record<string, string | number>;
const line = (more: Line = {}): Line => ({
  门店: store,
  客户: "李四",
  来源: "预存款",
  金额: "300.00",
  开户行: "工商银行滨江支行",
  账号: "6222020200011234567",
  原因: "多缴退回",
  ...more,
});
async function send(lines: Line[]): Promise<number> {
  const template = (await house.ask(refundImport.template, { as: clerk })).raw;
  const bytes = await filledIn(template, "退款单", lines);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "退款.xlsx");
  const body = new Response(form);
  const answer = await house.app.inject({
    method: "POST",
    url: refundImport.check.path,
    headers: { "content-type": body.headers.get("content-type")!, authorization: clerk.token },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return (answer.json() as { data: { id: number } }).data.id;
}
const batch = (id: number) => house.did(refundImport.get, { as: clerk }, { params: { id } });
const refunds = async () => (await house.did(listRefunds, { as: clerk }, { query: {} as never })).list;

test("every wrong cell is named, two rows on one balance are checked together, and nothing is asked for", async () => {
  const deposit = { 合同号: contractNo, 客户: "张三", 来源: "押金" };
  const id = await send([
    line({ 金额: "600" }),
    line({ 金额: "500" }),
    line({ 金额: "1000.01" }),
    line({ 门店: "别的店" }),
    line({ 客户: "王五" }),
    line({ 客户: "赵敏" }),
    line({ 客户: "" }),
    line({ 来源: "定金" }),
    line({ ...deposit, 客户: "李四" }),
    line({ ...deposit, 合同号: "HT20260101-000078" }),
    line({ ...deposit, 金额: "3000", 收款人: "张父" }),
    line({ 账号: "12", 金额: "1" }),
  ]);
  const { errors, state } = await batch(id);
  expect(state).toBe("failed");
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [3, "金额", "与第 2 行合计超过可退余额 1,000.00"],
    [4, "金额", "与第 2 行合计超过可退余额 1,000.00"],
    [5, "门店", "没有这个门店，或不在您的管辖范围"],
    [6, "客户", "该门店没有这位客户"],
    [7, "客户", "有 2 位客户同名，请填写合同号或房间"],
    [8, "合同号", "请填写合同号或客户"],
    [9, "来源", "该客户没有可退的定金"],
    [10, "客户", "与合同不符，该合同的租客是 张三"],
    [11, "合同号", "该门店没有这份合同"],
    [12, "收款人", "收款人与客户不一致，请在页面上申请并上传证明"],
    [13, "账号", "请输入正确的银行账号"],
    [13, "金额", "与第 2 行合计超过可退余额 1,000.00"],
  ]);
  const file = await house.ask(refundImport.errorFile, { as: clerk }, { params: { id } });
  expect((await openBook(file.raw))[0]!.note("A5")).toBe("没有这个门店，或不在您的管辖范围");
  expect(await refunds()).toEqual([]);
});

test("a right file asks for each row once; what was taken meanwhile stops the whole file", async () => {
  const rows = [
    line({ 金额: "600" }),
    line({ 合同号: contractNo, 客户: "", 来源: "押金", 金额: "3000", 原因: "退租" }),
  ];
  const id = await send(rows);
  expect(await batch(id)).toMatchObject({ state: "ready", rowCount: 2, amount: 360_000 });
  const late = await send([line({ 金额: "500" })]);
  const commit = (of: number, key: string) =>
    house.ask(refundImport.commit, { as: clerk, key }, { params: { id: of }, body: { version: 1 } });
  expect((await commit(id, "commit-refunds-once")).body.data).toMatchObject({ made: 2 });
  expect((await refunds()).map((r) => [r.source, r.amount, r.route, r.payeeTail, r.state])).toEqual([
    ["deposit", 300_000, "bank", "****4567", "toPay"],
    ["prepaid", 60_000, "bank", "****4567", "toPay"],
  ]);
  expect(await bookBalance(house, "2202", a.villageId)).toBe(-360_000);
  const refused = await commit(late, "commit-too-late-now");
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "第 2 行：退款金额超过可退余额，未导入任何退款",
  ]);
  expect((await refunds()).length).toBe(2);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});
