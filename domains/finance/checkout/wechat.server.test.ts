import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aWechat, aWechatAccount, notify } from "../pay-order/pay-order.sample.ts";
import { payByLink, sendPayLinks } from "./checkout.contract.ts";
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
  for (let i = 0; i < 2; i++)
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
