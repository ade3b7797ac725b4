import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { bankAccount, KEEPER, wechatAccount } from "./account.sample.ts";
import {
  addMerchantAccount,
  deleteAccount,
  disableAccount,
  editAccount,
  enableAccount,
  getAccount,
  listAccounts,
  platformAccounts,
  platformAppIds,
} from "./account.contract.ts";
import { addBinding } from "./binding.contract.ts";

const house = await testHouse();
const { db } = house.database;
const store = await aStore(house);
const other = await aStore(house);
const head = await house.person({ permits: KEEPER, villages: [store.villageId, other.villageId] });
const clerk = await house.person({ permits: KEEPER, villages: [store.villageId] });

const add = async (body: ReturnType<typeof wechatAccount> | ReturnType<typeof bankAccount>, as = head) =>
  (await house.did(addMerchantAccount, { as }, { body })).id;
const edited = async (id: number, more: object, as = head) => {
  const { appIds, ...known } = await house.did(getAccount, { as }, { params: { id } });
  return house.ask(editAccount, { as }, { params: { id }, body: { ...known, appIds, ...more } as never });
};
const appId = "wx0123456789abcdef";
const wechat = await add(
  wechatAccount({ subMchId: "1700000001", appIds: [{ terminal: "h5", appId }], feeCap: 2500, bankName: "x" }),
);
const bank = await add(bankAccount());

test("an account is listed with its middle hidden, and found by its whole number", async () => {
  const { list, total } = await house.did(listAccounts, { as: head }, { query: {} });
  expect(total).toBe(2);
  expect(list[0]).toMatchObject({
    name: "微信商户号",
    number: "160****0001",
    holderName: "公司本部",
    feeRate: 0.006,
  });
  expect(list[1]).toMatchObject({ number: "3300****0001", statementMode: "claim", keys: "none" });
  const found = await house.did(listAccounts, { as: head }, { query: { keyword: "330016000000" } });
  expect(found.list.map((a) => a.id)).toEqual([bank]);
  expect(JSON.stringify(list)).not.toContain("1600000001");
});

test("who may edit reads whole numbers, others do not", async () => {
  const reader = await house.person({ permits: ["252.query"], villages: [store.villageId] });
  expect(await house.did(getAccount, { as: head }, { params: { id: bank } })).toMatchObject({
    bankAccountNo: "3300-1600-0000-0001",
    bankName: "杭州滨江支行",
  });
  const seen = await house.did(getAccount, { as: reader }, { params: { id: wechat } });
  expect(seen).toMatchObject({ mchId: "160****0001", bankName: "", feeCap: 2500, used: false });
});

test("the platform's accounts are a list of their own, not an account of that number", async () => {
  const platform = await house.did(platformAccounts, { as: head });
  expect(platform.map((a) => [a.name, a.balance])).toEqual([
    ["微信商户号", 0],
    ["基本户", 0],
  ]);
  // a store sees which they are, not what lies in them
  expect((await house.did(platformAccounts, { as: clerk })).map((a) => a.balance)).toEqual([null, null]);
  const ids = await house.did(platformAppIds, { as: clerk }, { params: { id: wechat } });
  expect(ids).toEqual([{ terminal: "h5", appId }]);
});

test.each([
  [wechatAccount({ name: "账户1号" }), "subMchId", undefined],
  [wechatAccount({ name: "账户2号", subMchId: "1700000001" }), "mchId", "商户号已存在"],
  [bankAccount({ name: "账户3号", bankAccountNo: "3300160000000001" }), "bankAccountNo", "银行账号已存在"],
  [bankAccount({ bankAccountNo: "62220000" }), "name", "账户名称已存在"],
  [bankAccount({ name: "账户4号", bankAccountNo: "abc" }), "bankAccountNo", "请输入正确的银行账号"],
  [
    bankAccount({ name: "账户5号", bankAccountNo: "622200", statementMode: undefined }),
    "statementMode",
    "请选择对账方式",
  ],
  [wechatAccount({ name: "三", mchId: "1600000003" }), "name", "账户名称长度为2到30个字"],
  [
    wechatAccount({ name: "账户6号", mchId: "1600000003", feeRate: 0.06 }),
    "feeRate",
    "费率为0到5%，最多四位小数",
  ],
  [
    wechatAccount({ name: "账户7号", mchId: "1600000003", settleDays: 31 }),
    "settleDays",
    "请输入0到30之间的整数",
  ],
  [
    wechatAccount({ name: "账户8号", mchId: "1600000003", settleToAccountId: wechat }),
    "settleToAccountId",
    "结算账户须为同一企业的银行账户",
  ],
])("a wrong account is refused under its field: %#", async (body, field, msg) => {
  const answer = await house.ask(addMerchantAccount, { as: head }, { body: body as never });
  if (msg) expect(answer.body.fields).toEqual([{ field, msg }]);
  else expect(answer.status).toBe(200);
});

test("all wrong fields are told at once", async () => {
  const body = { kind: "bank", holderVillageId: 0, name: "", bankAccountNo: "1" };
  const answer = await house.ask(addMerchantAccount, { as: head }, { body: body as never });
  expect(answer.body.fields?.map((f) => f.field).toSorted()).toEqual([
    "accountName",
    "bankAccountNo",
    "bankName",
    "name",
    "statementMode",
  ]);
  const odd = { ...wechatAccount(), name: 7, mchId: [1], subMchId: {}, appIds: "x", bankName: 3 };
  const refused = await house.ask(addMerchantAccount, { as: head }, { body: odd as never });
  expect(refused.status).toBe(400);
});

test("head office's accounts are kept by who sees every store; a stranger's are not there", async () => {
  const mine = await add(
    wechatAccount({ name: "本店微信", mchId: "1600000009", holderVillageId: store.villageId }),
    clerk,
  );
  const body = wechatAccount({ name: "总部", mchId: "1600000008" });
  const answer = await house.ask(addMerchantAccount, { as: clerk }, { body });
  expect([answer.status, answer.body.message]).toEqual([403, "公司本部的账户由可查看全部门店的人维护"]);
  expect((await edited(wechat, { name: "改名", mchId: "1600000001", subMchId: "" }, clerk)).status).toBe(403);
  const theirs = wechatAccount({ name: "别店", mchId: "1600000007", holderVillageId: other.villageId });
  expect((await house.ask(addMerchantAccount, { as: clerk }, { body: theirs })).status).toBe(404);
  const stranger = await house.person({ permits: KEEPER, villages: [other.villageId] });
  expect((await house.ask(getAccount, { as: stranger }, { params: { id: mine } })).status).toBe(404);
  const { version } = await house.did(getAccount, { as: clerk }, { params: { id: mine } });
  for (const call of [enableAccount, disableAccount])
    expect(
      (await house.ask(call, { as: stranger }, { params: { id: mine }, body: { version } })).status,
    ).toBe(404);
  const gone = { params: { id: mine }, query: { version } };
  expect((await house.ask(deleteAccount, { as: stranger }, gone)).status).toBe(404);
  const { list } = await house.did(listAccounts, { as: stranger }, { query: {} });
  expect(list.map((a) => a.name)).not.toContain("本店微信");
});

test("an edit tells old and new, and a stale one is refused", async () => {
  expect((await edited(bank, { bankAccountNo: "3300-1600-9999-0001", name: "一般户" })).status).toBe(200);
  const { list } = await house.did(
    recordHistory,
    { as: head },
    { params: { kind: "account", recordId: bank }, query: {} },
  );
  expect(list[0]).toMatchObject({
    action: "修改",
    summary: "账户名称：基本户 → 一般户；账号：3300****0001 → 3300****0001（中间位有变）",
  });
  const stale = await edited(bank, { name: "临时户", version: 1 });
  expect([stale.status, stale.body.message]).toEqual([409, "数据已被他人修改，请刷新后重试"]);
});

test("once money has moved, holder, kind and statement mode stand; it is disabled, not deleted", async () => {
  const accounts = await someAccounts(house, store);
  const partyId = await aParty(house, "张三", { villageId: store.villageId });
  const bill = await aBill(house, store, partyId, { lines: [aLine("rent", 100_000)] });
  await take(house, store, accounts, partyId, {
    amount: 100_000,
    paidAt: "2026-03-01T10:00:00+08:00",
    bills: [bill],
  });
  const id = accounts.wechat;
  await db.updateTable("merchantAccount").set({ mchId: "1600000077" }).where("id", "=", id).execute();
  const answer = await edited(id, { kind: "cash", holderVillageId: store.villageId });
  expect(answer.body.fields).toEqual([
    { field: "holderVillageId", msg: "账户已有流水，不能修改" },
    { field: "kind", msg: "账户已有流水，不能修改" },
  ]);
  expect((await edited(id, { name: "微信新名" })).status).toBe(200);
  const { version, used, villages } = await house.did(getAccount, { as: head }, { params: { id } });
  expect([used, villages]).toEqual([true, 1]);
  const kept = await house.ask(deleteAccount, { as: head }, { params: { id }, query: { version } });
  expect([kept.status, kept.body.message]).toEqual([409, "账户已被使用，不能删除，可停用"]);
  await house.did(disableAccount, { as: head }, { params: { id }, body: { version } });
  const balance = (await house.did(platformAccounts, { as: head })).find((a) => a.id === id);
  expect(balance).toMatchObject({ state: "disabled", balance: 99_400 });
  await house.did(enableAccount, { as: head }, { params: { id }, body: { version: version + 1 } });
});

test("an unused account goes; one that a store was given or that others settle into does not", async () => {
  const cash = { name: "备用金", kind: "cash" as const, holderVillageId: store.villageId };
  const id = await add(cash as never);
  const place = {
    villageId: store.villageId,
    terminal: "counter",
    payType: "cash",
    purpose: "rent",
  } as const;
  await house.did(addBinding, { as: head }, { body: { ...place, merchantAccountId: id } });
  const kind = await edited(id, { kind: "wechat", mchId: "1600000055" });
  expect(kind.body.fields).toEqual([{ field: "kind", msg: "账户已用于门店收款，请先移除门店配置" }]);
  const drop = (of: number, version: number) =>
    house.ask(deleteAccount, { as: head }, { params: { id: of }, query: { version } });
  expect((await drop(id, 1)).body.message).toBe("账户已被使用，不能删除，可停用");
  const purse = await add(bankAccount({ name: "结算户", bankAccountNo: "622200001" }));
  const fed = await add(wechatAccount({ name: "结算到", mchId: "1600000066", settleToAccountId: purse }));
  expect((await drop(purse, 1)).status).toBe(409);
  // whatever else names it: a code that is open, a mapping to the general ledger
  const named: [string, unknown[]][] = [
    [
      `insert into pay_order (order_no, village_id, party_id, target_kind, target_id, title, channel, merchant_account_id, amount, token_hash, expires_at)
        values ('SK1', $2, $3, 'checkout', 1, '房租', 'wechat', $1, 100, '\\x01', now())`,
      [store.villageId, await aParty(house, "李四", { villageId: store.villageId })],
    ],
    [
      `insert into gl_mapping (enterprise_id, account, merchant_account_id, gl_code) values ($2, '1012', $1, '1012.01')`,
      [house.enterpriseId],
    ],
  ];
  for (const [into, values] of named) {
    await house.database.pool.query(into, [fed, ...values]);
    const held = await drop(fed, 1);
    expect([held.status, held.body.message]).toEqual([409, "账户已被使用，不能删除，可停用"]);
    await house.database.pool.query(`delete from ${into.split(" ")[2]} where merchant_account_id = $1`, [
      fed,
    ]);
  }
  expect((await drop(fed, 1)).status).toBe(200);
  expect((await drop(purse, 1)).status).toBe(200);
});
