import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { openVillage, village as getVillage } from "../../listing/village/village.contract.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { aBill, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { wantsOf } from "../flow/flow.sample.ts";
import { previewFlow, receiveFlow } from "../flow/receive.contract.ts";
import { bankAccount, KEEPER, wechatAccount } from "./account.sample.ts";
import { addMerchantAccount, disableAccount } from "./account.contract.ts";
import {
  addBinding,
  allBindings,
  changeBinding,
  copyBindings,
  previewCopy,
  removeBinding,
  terminalPayTypes,
  villageBindings,
} from "./binding.contract.ts";

const house = await testHouse();
const a = await aStore(house);
const b = await aStore(house);
const PERMITS = [...KEEPER, "6.get", "6.enable", "102.add", "26.get", "26.add"];
const head = await house.person({ permits: PERMITS, villages: [a.villageId, b.villageId] });
const ofA = await house.person({ permits: PERMITS, villages: [a.villageId] });
const made = async (body: object) =>
  (await house.did(addMerchantAccount, { as: head }, { body: body as never })).id;
const wechat = await made(wechatAccount());
const second = await made(wechatAccount({ name: "微信二号", mchId: "1600000002" }));
const bank = await made(bankAccount());
const cashOfA = await made({ name: "A店现金", kind: "cash", holderVillageId: a.villageId });

const counter = { terminal: "counter", payType: "wechat" } as const;
const put = (villageId: number, merchantAccountId: number, more: object = {}, as = head) =>
  house.ask(addBinding, { as }, { body: { villageId, ...counter, merchantAccountId, ...more } });
const of = (villageId: number, as = head) => house.did(villageBindings, { as }, { query: { villageId } });

test("a village in preparation opens as soon as it has an account", async () => {
  const open = async () => {
    const { version } = await house.did(getVillage, { as: head }, { params: { id: a.villageId } });
    return house.ask(openVillage, { as: head }, { params: { id: a.villageId }, body: { version } });
  };
  expect((await open()).body.message).toBe("请先配置收款账户");
  expect((await put(a.villageId, wechat)).status).toBe(200);
  expect((await open()).status).toBe(200);
});

test("the village with an account takes money at once, the other refuses", async () => {
  const taken = async (store: typeof a) => {
    const partyId = await aParty(house, "张三", { villageId: store.villageId });
    const bill = await aBill(house, store, partyId, { lines: [aLine("rent", 100_000)] });
    const body = {
      villageId: store.villageId,
      partyId,
      amount: 100_000,
      channel: "wechat" as const,
      merchantAccountId: wechat,
      channelTradeNo: `42000${partyId}`,
      wants: (await wantsOf(house, [bill])).filter((w) => w.lineId !== null),
    };
    const preview = await house.ask(previewFlow, { as: head }, { body });
    if (preview.status !== 200) return preview.body.message;
    const { hash } = preview.body.data;
    const answer = await house.ask(
      receiveFlow,
      { as: head, key: `receipt-${partyId}` },
      { body: { ...body, previewHash: hash } },
    );
    return answer.status;
  };
  expect(await taken(a)).toBe(200);
  expect(await taken(b)).toBe("该门店未配置收款账户");
});

test("a place has one account for each purpose, of a fitting kind", async () => {
  expect((await put(a.villageId, second)).body.fields).toEqual([
    { field: "purpose", msg: "该用途已配置账户，请更换原有账户" },
  ]);
  expect((await put(a.villageId, second, { purpose: "deposit" })).status).toBe(200);
  expect((await put(a.villageId, bank, { terminal: "h5" })).body.fields).toEqual([
    { field: "merchantAccountId", msg: "账户类型与支付方式“微信”不符" },
  ]);
  expect((await put(a.villageId, cashOfA, { terminal: "h5", payType: "cash" })).body.fields).toEqual([
    { field: "payType", msg: "H5不支持现金" },
  ]);
  const off = await made(wechatAccount({ name: "停用的", mchId: "1600000003" }));
  await house.did(disableAccount, { as: head }, { params: { id: off }, body: { version: 1 } });
  expect((await put(a.villageId, off, { terminal: "h5" })).body.fields?.[0]?.msg).toBe("该账户已停用");
});

test("a change is written down, a stale one refused, and a removal leaves nothing", async () => {
  const at = { params: { kind: "village", recordId: a.villageId }, query: {} };
  const row = (await of(a.villageId)).find((r) => r.purpose === "deposit")!;
  const change = { id: row.id, merchantAccountId: wechat, version: row.version };
  await house.did(changeBinding, { as: head }, { body: change });
  expect((await house.did(recordHistory, { as: head }, at)).list[0]).toMatchObject({
    action: "收款账户",
    summary: "收银台·微信·押金：微信二号 → 微信商户号",
  });
  expect((await house.ask(changeBinding, { as: head }, { body: change })).body.message).toBe(
    "数据已被他人修改，请刷新后重试",
  );
  const gone = { query: { id: row.id, version: row.version } };
  expect((await house.ask(removeBinding, { as: head }, gone)).status).toBe(409);
  await house.did(removeBinding, { as: head }, { query: { id: row.id, version: row.version + 1 } });
  expect((await of(a.villageId)).map((r) => r.purpose)).toEqual(["all"]);
});

test("the table shows every store in scope, and what it lacks", async () => {
  const table = await house.did(allBindings, { as: head }, { query: {} });
  expect(table.map((v) => [v.villageId, v.state, v.bindings.length])).toEqual([
    [a.villageId, "open", 1],
    [b.villageId, "preparing", 0],
  ]);
  const terminals = await house.did(terminalPayTypes, { as: ofA });
  expect(terminals[0]).toMatchObject({ terminal: "counter", title: "收银台" });
  expect(terminals[0]!.payTypes.at(-1)).toEqual({
    payType: "bankTransfer",
    title: "银行转账",
    kinds: ["bank"],
  });
});

test("copying fills what the others lack, and leaves a store's own accounts with it", async () => {
  await put(a.villageId, cashOfA, { payType: "cash" });
  await put(a.villageId, bank, { payType: "bankTransfer" });
  await put(b.villageId, second);
  const body = { villageId: a.villageId, villageIds: [b.villageId] };
  const planned = [{ place: "收银台·银行转账", from: null, to: "基本户" }];
  expect((await house.did(previewCopy, { as: head }, { body }))[0]?.changes).toEqual(planned);
  expect((await of(b.villageId)).length).toBe(1);
  await house.did(copyBindings, { as: head }, { body });
  expect((await of(b.villageId)).map((r) => r.accountName)).toEqual(["微信二号", "基本户"]);
  const [again] = await house.did(copyBindings, { as: head }, { body: { ...body, replace: true } });
  expect(again?.changes).toEqual([{ place: "收银台·微信", from: "微信二号", to: "微信商户号" }]);
  const editor = await house.person({
    permits: ["252.query", "252.edit"],
    villages: [a.villageId, b.villageId],
  });
  await put(a.villageId, wechat, { terminal: "h5" });
  expect((await house.ask(copyBindings, { as: editor }, { body })).status).toBe(403);
});

test("whatever is asked about a store out of scope, it is not there", async () => {
  const [row] = await of(b.villageId);
  const asks = [
    () => house.ask(villageBindings, { as: ofA }, { query: { villageId: b.villageId } }),
    () => house.ask(allBindings, { as: ofA }, { query: { villageIds: String(b.villageId) } }),
    () => put(b.villageId, wechat, { terminal: "h5" }, ofA),
    () => put(a.villageId, cashOfB, { payType: "cash", purpose: "rent" }, ofA),
    () =>
      house.ask(
        changeBinding,
        { as: ofA },
        { body: { id: row!.id, version: row!.version, merchantAccountId: wechat } },
      ),
    () => house.ask(removeBinding, { as: ofA }, { query: { id: row!.id, version: row!.version } }),
    () =>
      house.ask(copyBindings, { as: ofA }, { body: { villageId: a.villageId, villageIds: [b.villageId] } }),
    () =>
      house.ask(previewCopy, { as: ofA }, { body: { villageId: b.villageId, villageIds: [a.villageId] } }),
  ];
  const cashOfB = await made({ name: "B店现金", kind: "cash", holderVillageId: b.villageId });
  const before = await of(b.villageId);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(asks.length - 1), { minLength: 1, maxLength: 4 }), async (picks) => {
      for (const pick of picks) expect((await asks[pick]!()).status).toBe(404);
      expect(await of(b.villageId)).toEqual(before);
      const mine = await house.did(allBindings, { as: ofA }, { query: {} });
      expect(mine.map((v) => v.villageId)).toEqual([a.villageId]);
    }),
    cases(15),
  );
});
