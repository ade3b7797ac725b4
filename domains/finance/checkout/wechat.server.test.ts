import { createHash, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { KEEPER } from "../account/account.sample.ts";
import { addBinding } from "../account/binding.contract.ts";
import { aBill, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { aWechat, aWechatAccount, MCH_ID, notify } from "../pay-order/pay-order.sample.ts";
import { calendar, listReconcile } from "../reconcile/reconcile.contract.ts";
import { fetchBills } from "../statement/fetch.service.ts";
import { MERCHANT, wechatBill } from "../statement/statement.sample.ts";
import { payByLink, sendPayLinks, showBillCode } from "./checkout.contract.ts";
import { aCheckout } from "./checkout.sample.ts";

const NOW = "2026-03-02T10:00:00+08:00";
let clock = NOW;
const wechat = await aWechat(() => new Date(clock));
afterAll(() => wechat.close());
const house = await testHouse({
  settings: { WECHATPAY_ENDPOINT: wechat.endpoint, PUBLIC_URL: "https://console.example.com" },
});
const shop = await aCheckout(house);
const { newBill, shown, open, order, flowsOf } = shop;
const accountId = await aWechatAccount(house, shop.store.villageId, wechat);
const at = (to: string) => {
  clock = to;
  house.setClock(to);
};
const success = (orderNo: string) => ({
  out_trade_no: orderNo,
  transaction_id: `42000${orderNo.slice(-12)}`,
  trade_state: "SUCCESS",
  success_time: NOW,
  amount: { total: 300_000 },
});
const CODE = { body: { code_url: "weixin://wxpay/bizpayurl?pr=x" } };

test("a payment by phone goes on in WeChat Pay's own page; what it tells is booked with its fee", async () => {
  at(NOW);
  const a = await newBill("手机付");
  const [link] = await house.did(sendPayLinks, { as: shop.cashier }, { body: { billIds: [a] } });
  wechat.answers(() => ({
    body: { h5_url: "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=1" },
  }));
  const [made] = await house.did(
    payByLink,
    {},
    {
      params: { token: link!.path!.split("#")[1]! },
      body: { billIds: [a], total: 300_000, by: "page" },
    },
  );
  expect(made).toMatchObject({ channel: "wechat", code: expect.stringContaining("https://wx.tenpay.com/") });
  expect(wechat.asked.at(-1)).toMatchObject({
    path: "/v3/pay/transactions/h5",
    signedRight: true,
    body: {
      amount: { total: 300_000 },
      scene_info: { payer_client_ip: expect.any(String), h5_info: { type: "Wap" } },
    },
  });
  const told = wechat.tells("TRANSACTION.SUCCESS", success(made!.orderNo));
  // asked whether it is so, it says no, or nothing: what was told does not count yet
  wechat.answers(() => ({ body: { ...success(made!.orderNo), trade_state: "NOTPAY" } }));
  expect((await notify(house, accountId, told.body, told.headers)).statusCode).toBe(409);
  wechat.answers(() => ({ hang: true }));
  expect((await notify(house, accountId, told.body, told.headers)).statusCode).toBeGreaterThanOrEqual(500);
  expect(await flowsOf(made!.orderNo)).toEqual([]);
  wechat.answers(() => ({ body: success(made!.orderNo) }));
  expect((await notify(house, accountId, told.body, told.headers)).statusCode).toBe(200);
  // told once more it is not asked again
  wechat.answers(() => ({ hang: true }));
  expect((await notify(house, accountId, told.body, told.headers)).statusCode).toBe(200);
  expect(await open(a)).toEqual([0]);
  expect(await flowsOf(made!.orderNo)).toMatchObject([{ amount: 300_000, fee: 1800, allocated: 300_000 }]);
  expect(await shop.sound()).toEqual([]);
});

test("one that never answers keeps its code; asked again it says yes after the time was up, and that counts", async () => {
  at(NOW);
  wechat.answers(() => CODE);
  const a = await newBill("迟到");
  const [code] = await shown([a], { channel: "wechat" });
  wechat.answers(() => ({ hang: true }));
  at("2026-03-02T10:40:00+08:00");
  await shop.tending();
  expect(await order(code!.id)).toMatchObject({ state: "created" });
  wechat.answers(() => ({ body: success(code!.orderNo) }));
  await shop.tending();
  expect(await order(code!.id)).toMatchObject({ state: "paid", outcome: "held" });
  expect(wechat.asked.some((one) => one.path.endsWith("/close"))).toBe(false);
  expect(await open(a)).toEqual([0]);
});

test("a store that is given the account for H5 shows codes at once, another is told that it has none", async () => {
  at(NOW);
  wechat.answers(() => CODE);
  const [a, b] = [await aStore(house), await aStore(house)];
  const villages = [shop.store.villageId, a.villageId, b.villageId];
  const as = await house.person({ permits: [...KEEPER, "26.add"], villages });
  const showing = async ({ villageId, roomId }: Store) => {
    const partyId = await aParty(house, "张三", { villageId });
    const bill = await aBill(house, { villageId, roomId }, partyId);
    const { body } = await house.ask(showBillCode, { as, key: randomUUID() }, { body: { billIds: [bill] } });
    return body.code === 200 ? body.data.map(({ channel, amount }) => [channel, amount]) : body.message;
  };
  const none = "该门店未配置收款账户";
  expect([await showing(a), await showing(b)]).toEqual([none, none]);
  const body = { villageId: a.villageId, payType: "wechat" as const, merchantAccountId: accountId };
  await house.did(addBinding, { as }, { body: { ...body, terminal: "h5" } });
  expect([await showing(a), await showing(b)]).toEqual([[["wechat", 300_000]], none]);
});

test("yesterday's bill is fetched from WeChat Pay and taken; without one the day is balanced, and what fails is told in the evening", async () => {
  at("2026-03-14T10:30:00+08:00");
  const id = accountId;
  const boss = await house.person({ superType: "1", name: "李主管" });
  const states = async () => {
    const { accounts } = await house.did(calendar, { as: boss }, { query: { month: "2026-03" } });
    const { days } = accounts.find((account) => account.id === id)!;
    return days.filter((day) => day.state !== "none").map((day) => [day.day, day.state]);
  };
  const differences = async () =>
    (
      await house.did(
        listReconcile,
        { as: boss },
        { query: { merchantAccountId: id, dayFrom: "2026-03-13" } as never },
      )
    ).list;
  const text = wechatBill([{ no: "SKF1", at: "2026-03-13 09:00:00", amount: 8_000 }]).replaceAll(
    MERCHANT,
    MCH_ID,
  );
  const told = (hash: string) => ({
    body: {
      hash_type: "SHA1",
      hash_value: hash,
      download_url: `${wechat.endpoint}/v3/billdownload/file?token=x`,
    },
  });
  let hash = "0".repeat(40);
  let file = gzipSync(text);
  wechat.answers(({ path }) =>
    path.startsWith("/v3/bill/tradebill?bill_date=2026-03-13")
      ? told(hash)
      : path.startsWith("/v3/bill/tradebill")
        ? { status: 404, body: { code: "NO_STATEMENT_EXIST", message: "账单文件不存在" } }
        : { bytes: file },
  );
  // a file that is not what was signed is not believed
  expect(await fetchBills(house)).toBe(0);
  const titles = async () =>
    (
      await house.database.pool.query<{ title: string }>(
        `select m.title from message m join message_receipt r on r.message_id = m.id
          where r.operator_id = $1 and m.title like '%没有自动下载'`,
        [boss.operatorId],
      )
    ).rows.map((row) => row.title);
  expect(await titles()).toEqual([]);
  // nor one that is cut off, or a page that says something else
  for (const bytes of [gzipSync(text).subarray(0, 60), Buffer.from("<html></html>")]) {
    file = bytes;
    expect(await fetchBills(house)).toBe(0);
  }
  expect(await titles()).toEqual([]);
  at("2026-03-14T17:30:00+08:00");
  expect(await fetchBills(house)).toBe(0);
  file = gzipSync(text);
  expect(await titles()).toEqual([expect.stringContaining("2026-03-13 的账单没有自动下载")]);
  expect(await states()).toEqual([]);

  hash = createHash("sha1").update(text).digest("hex");
  expect(await fetchBills(house)).toBe(1);
  expect(await states()).toEqual([["2026-03-13", "different"]]);
  expect((await differences()).map((row) => [row.result, row.theirs])).toEqual([["onlyThere", 8_000]]);
  expect(wechat.asked.every((one) => one.signedRight)).toBe(true);
  expect(await fetchBills(house), "once").toBe(0);

  at("2026-03-16T10:30:00+08:00");
  expect(await fetchBills(house)).toBe(1);
  expect(await states()).toEqual([
    ["2026-03-13", "different"],
    ["2026-03-15", "balanced"],
  ]);
});
