import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { filledIn } from "../../../platform/server/sheets/book.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aLine, aParty } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { aCounter } from "../flow/flow.sample.ts";
import * as subs from "../sub-account/sub-account.contract.ts";
import * as calls from "./corporate.contract.ts";
import { aCompanyAccount, claiming } from "./corporate.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const counter = await aCounter(house);
const { store } = counter;
const admin = await house.person({ superType: "1", name: "财务" });
const finance = { as: admin };

test("suggestions: by number, by who paid before, by name, by amount; the surest first", async () => {
  const company = await aCompanyAccount(house);
  const partyId = await aParty(house, "云栖科技", { villageId: store.villageId });
  const billId = await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 123_456)],
  });
  const { billNo } = await house.database.db
    .selectFrom("bill")
    .select("billNo")
    .where("id", "=", billId)
    .executeTakeFirstOrThrow();
  const hint = async (of: object) => {
    const id = await company.came({ day: "2026-03-11", amount: 1, ...of });
    const [best] = await house.did(calls.suggestLine, finance, { params: { id } });
    return best && [best.partyName, best.reason, best.score, best.bills.map((b) => b.id)];
  };
  expect(await hint({ summary: `房租${billNo.toLowerCase()}` })).toEqual([
    "云栖科技",
    "附言有账单号或合同号",
    100,
    [],
  ]);
  expect(await hint({ name: "云栖科技", amount: 123_456 })).toEqual([
    "云栖科技",
    "户名一致，金额等于账单",
    90,
    [billId],
  ]);
  expect(await hint({ name: "某个人", amount: 123_456 })).toEqual(["云栖科技", "金额等于账单", 60, [billId]]);
  expect(await hint({ name: "某个人", amount: 77 })).toBeUndefined();
  const second = await aBill(house, store, partyId, {
    dueDate: "2026-03-12",
    lines: [aLine("rent", 50_000)],
  });
  expect(await hint({ amount: 173_456 })).toEqual(["云栖科技", "金额等于多笔账单之和", 50, [billId, second]]);
  const learnt = await company.came({
    day: "2026-03-11",
    amount: 1000,
    name: "老板本人",
    account: "6222020000001111222",
  });
  await claiming(house, admin, {
    lineId: learnt,
    villageId: store.villageId,
    partyId,
    amount: 1000,
    fileIds: [await counter.paper(admin)],
  });
  expect(await hint({ account: "6222020000001111222", name: "老板本人" })).toEqual([
    "云栖科技",
    "付款账号曾认领",
    95,
    [],
  ]);
  expect(await hint({ name: "老板本人" })).toEqual(["云栖科技", "付款户名曾认领", 85, []]);
});

test("several transfers of one payer pay one bill: proposed together, and claimed one after the other", async () => {
  const company = await aCompanyAccount(house);
  const { villageId } = store;
  const partyId = await aParty(house, "钱塘物流", { villageId });
  const billId = await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 100_000)],
  });
  const name = "钱塘物流";
  const first = await company.came({ day: "2026-02-20", amount: 60_000, name });
  const best = async (id: number) => {
    const [one] = await house.did(calls.suggestLine, finance, { params: { id } });
    return one && [one.reason, one.score, one.bills.map((b) => b.id)];
  };
  expect(await best(first)).toEqual(["户名一致", 80, []]);
  // of somebody else, or of the payer but five weeks later, the rest does not count
  await company.came({ day: "2026-02-21", amount: 40_000, name: "别人" });
  await company.came({ day: "2026-03-27", amount: 40_000, name });
  expect(await best(first)).toEqual(["户名一致", 80, []]);
  const second = await company.came({ day: "2026-03-05", amount: 25_000, name });
  const third = await company.came({ day: "2026-03-08", amount: 15_000, name });
  const three = ["户名一致，与该付款人另 2 笔未认领流水合计等于账单", 85, [billId]];
  expect(await best(first)).toEqual(three);
  expect(await best(third)).toEqual(three);

  const claim = async (lineId: number, amount: number) =>
    (await claiming(house, admin, { lineId, villageId, partyId, amount, bills: [billId] })).status;
  expect(await claim(first, 60_000)).toBe(200);
  expect(await best(second)).toEqual([
    "付款户名曾认领，户名一致，与该付款人另 1 笔未认领流水合计等于账单",
    90,
    [billId],
  ]);
  expect(await claim(second, 25_000)).toBe(200);
  expect(await best(third)).toEqual(["付款户名曾认领，户名一致，金额等于账单", 95, [billId]]);
  expect(await claim(third, 15_000)).toBe(200);
  const owed = await house.database.db
    .selectFrom("bill")
    .select(["outstanding", "settled"])
    .where("id", "=", billId)
    .executeTakeFirstOrThrow();
  expect(owed).toEqual({ outstanding: 0, settled: 100_000 });
  for (const id of [first, second, third]) expect((await company.lineOf(id)).free).toBe(0);
  expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
});

describe("sub-accounts", async () => {
  const company = await aCompanyAccount(house);
  const villageId = store.villageId;
  const partyId = await aParty(house, "西溪科技", { villageId });
  const body = {
    merchantAccountId: company.accountId,
    number: "8110701012345678901",
    name: "西溪科技",
    villageId,
    partyId,
    remark: "",
  };
  const { id } = await house.did(subs.addSubAccount, finance, { body });
  const said = async (line: object) => {
    const lineId = await company.came({ day: "2026-03-11", amount: 500, name: "无名氏", ...line });
    const [best] = await house.did(calls.suggestLine, finance, { params: { id: lineId } });
    return best && [best.partyId, best.reason, best.score];
  };

  test("a line in which one stands is its customer's, however it is written, until it is taken out of use", async () => {
    const sure = [partyId, "虚拟子账户", 100];
    expect(await said({ summary: "收款账号8110701012345678901" })).toEqual(sure);
    expect(await said({ summary: "转入 8110 7010 1234 5678 901" })).toEqual(sure);
    expect(await said({ summary: "81107010123456789011" })).toBeUndefined();
    await house.did(subs.disableSubAccount, finance, { params: { id }, body: { version: 1 } });
    expect(await said({ summary: "8110701012345678901" })).toBeUndefined();
    await house.did(subs.enableSubAccount, finance, { params: { id }, body: { version: 2 } });
  });

  test("a number is given once, under an account into which transfers are claimed, to a customer of the store", async () => {
    const refused = async (more: object) =>
      (await house.ask(subs.addSubAccount, finance, { body: { ...body, ...more } })).body.fields?.[0]?.msg;
    expect(await refused({})).toBe("该账户下已有这个子账号");
    expect(await refused({ number: "12-34" })).toBe("子账号为6-30位数字");
    expect(await refused({ merchantAccountId: counter.accounts.wechat, number: "81107011" })).toBe(
      "请选择该门店所属企业的对公入账账户",
    );
    const stranger = await aParty(house, "外人");
    expect(await refused({ partyId: stranger, number: "81107011" })).toBe("该门店没有这位客户");
    const far = await house.person({ permits: ["97.query", "97.get"], villages: [] });
    expect((await house.did(subs.listSubAccounts, { as: far }, { query: {} })).list).toEqual([]);
    expect((await house.ask(subs.getSubAccount, { as: far }, { params: { id } })).status).toBe(404);
  });

  test("a sheet of the bank is taken whole or not at all, and taken back", async () => {
    const { rows } = await house.database.pool.query(
      "select v.name store, a.name account from village v, merchant_account a where v.id = $1 and a.id = $2",
      [villageId, company.accountId],
    );
    const line = (more: object) => ({ 对公账户: rows[0].account, 门店: rows[0].store, ...more });
    const send = async (lines: object[]) => {
      const template = (await house.ask(subs.subAccountImport.template, finance)).raw;
      const form = new FormData();
      const bytes = await filledIn(template, "虚拟子账户", lines as never);
      form.append("file", new Blob([new Uint8Array(bytes)]), "子账户.xlsx");
      const sent = new Response(form);
      const answer = await house.app.inject({
        method: "POST",
        url: subs.subAccountImport.check.path,
        headers: { "content-type": sent.headers.get("content-type")!, authorization: admin.token },
        payload: Buffer.from(await sent.arrayBuffer()),
      });
      const batch = (answer.json() as { data: { id: number } }).data.id;
      return house.did(subs.subAccountImport.get, finance, { params: { id: batch } });
    };
    const wrong = await send([
      line({ 子账号: "8110701012345678901", 客户: "西溪科技" }),
      line({ 子账号: "81107012", 客户: "没有的人" }),
      line({ 子账号: "81107013", 客户: "西溪科技", 对公账户: "没有的户" }),
      line({ 子账号: "81107014", 客户: "西溪科技" }),
      line({ 子账号: "81107014", 客户: "西溪科技" }),
    ]);
    expect(wrong.errors.map((e) => [e.row, e.header, e.msg])).toEqual([
      [2, "子账号", "该账户下已有这个子账号"],
      [3, "客户", "该门店没有这位客户"],
      [4, "对公账户", "该门店所属企业没有这个对公入账账户"],
      [6, "子账号", "与第 5 行重复"],
    ]);
    const right = await send([line({ 子账号: "81107015", 客户: "西溪科技" })]);
    const of = (version: number) => ({ params: { id: right.id }, body: { version } });
    expect(await house.did(subs.subAccountImport.commit, finance, of(1))).toMatchObject({ made: 1 });
    expect(await said({ summary: "81107015" })).toEqual([partyId, "虚拟子账户", 100]);
    expect(await house.did(subs.subAccountImport.undo, finance, of(2))).toMatchObject({ removed: 1 });
    expect(await said({ summary: "81107015" })).toBeUndefined();
  });
});
