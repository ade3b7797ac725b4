import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { addAccount, linkAccount } from "../../finance/account/account.service.ts";
import { getPayOrder } from "../../finance/pay-order/pay-order.contract.ts";
import orderJobs from "../../finance/pay-order/pay-order.job.ts";
import {
  API_KEY,
  KEY_ID,
  MCH_ID,
  SERIAL,
  aWechat,
  notify,
} from "../../finance/pay-order/pay-order.sample.ts";
import { showReservationCode } from "./acts.contract.ts";
import { aDesk, aReservation, ledgerBreaks, reservationOf } from "../reservation/reservation.sample.ts";

const NOW = "2026-11-20T09:00:00+08:00";
let clock = NOW;
const wechat = await aWechat(() => new Date(clock));
afterAll(() => wechat.close());
const house = await testHouse({
  settings: { WECHATPAY_ENDPOINT: wechat.endpoint, PUBLIC_URL: "https://console.example.com" },
});
house.setClock(NOW);
const desk = await aDesk(house);
const { clerk, villageId } = desk;
const { db, pool } = house.database;
const accountId = await addAccount(
  { tx: db },
  { enterpriseId: house.enterpriseId, name: "微信收款", kind: "wechat", mchId: MCH_ID, feeRate: "0.006" },
);
await linkAccount({ tx: db }, { villageId, payType: "wechat", merchantAccountId: accountId, terminal: "h5" });
await pool.query(`update merchant_account set app_ids = $1 where id = $2`, [
  JSON.stringify([{ terminal: "h5", appId: "wx0123456789abcdef" }]),
  accountId,
]);

const NATIVE = "/v3/pay/transactions/native";
const CODE = "weixin://wxpay/bizpayurl?pr=p4lpSuKzz";
const showing = (id: number) =>
  house.ask(
    showReservationCode,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: { channel: "wechat" } },
  );
const setKeys = async () => {
  const keys = {
    apiV3Key: API_KEY,
    certSerialNo: SERIAL,
    privateKey: wechat.merchant.privateKey,
    wechatKeyId: KEY_ID,
    wechatPublicKey: wechat.platform.publicKey,
  };
  for (const [name, text] of Object.entries(keys))
    await db
      .insertInto("merchantKey")
      .values({ merchantAccountId: accountId, name, sealed: house.cipher.seal(text) })
      .execute();
};
const reserved = async (room: string) =>
  (await aReservation(house, desk, { roomId: await desk.room(room) })).id;
const success = (orderNo: string, more: object = {}) => ({
  mchid: MCH_ID,
  out_trade_no: orderNo,
  transaction_id: `42000${orderNo.slice(-12)}`,
  trade_type: "NATIVE",
  trade_state: "SUCCESS",
  success_time: "2026-11-20T08:59:00+08:00",
  amount: { total: 100_000, payer_total: 100_000, currency: "CNY" },
  ...more,
});

test("without its keys an account takes nothing by a code", async () => {
  expect((await showing(await reserved("3001"))).body.message).toBe("账户未设置密钥");
  await setKeys();
});

test("a native order is signed, and its code is WeChat Pay's; the notification keeps the room, with the fee", async () => {
  wechat.answers(() => ({ body: { code_url: CODE } }));
  const id = await reserved("3002");
  const { body } = await showing(id);
  expect(body.data).toMatchObject({ code: CODE, channel: "wechat", amount: 100_000 });
  const asked = wechat.asked.at(-1)!;
  expect(asked).toMatchObject({ method: "POST", path: NATIVE, signedRight: true });
  expect(asked.body).toMatchObject({
    appid: "wx0123456789abcdef",
    mchid: MCH_ID,
    out_trade_no: body.data.orderNo,
    notify_url: `https://console.example.com/billing/api/v3/payNotify/${accountId}`,
    time_expire: "2026-11-20T03:00:00+00:00",
    amount: { total: 100_000, currency: "CNY" },
  });
  wechat.answers(() => ({ body: success(body.data.orderNo) }));
  const told = wechat.tells("TRANSACTION.SUCCESS", success(body.data.orderNo));
  const twice = await Promise.all([
    notify(house, accountId, told.body, told.headers),
    notify(house, accountId, told.body, told.headers),
  ]);
  expect(twice.map((t) => t.statusCode)).toEqual([200, 200]);
  expect(await reservationOf(house, desk, id)).toMatchObject({ state: "held", held: 100_000 });
  const { rows } = await pool.query(
    `select amount::int, fee::int, channel_trade_no "tradeNo", out_trade_no "outTradeNo" from flow where merchant_account_id = $1`,
    [accountId],
  );
  expect(rows).toEqual([
    {
      amount: 100_000,
      fee: 600,
      tradeNo: success(body.data.orderNo).transaction_id,
      outTradeNo: body.data.orderNo,
    },
  ]);
  expect(await ledgerBreaks(house)).toEqual([]);
});

test("forged, old or tampered notifications are refused, and so is another amount", async () => {
  wechat.answers(() => ({ body: { code_url: CODE } }));
  const id = await reserved("3003");
  const { orderNo, id: orderId } = (await showing(id)).body.data;
  const told = wechat.tells("TRANSACTION.SUCCESS", success(orderNo));
  const status = async (body: string, headers: Record<string, string>) =>
    (await notify(house, accountId, body, headers)).statusCode;
  expect(await status(told.body, { ...told.headers, "wechatpay-signature": "bm8=" })).toBe(401);
  expect(await status(`${told.body} `, told.headers)).toBe(401);
  expect(await status(told.body, { ...told.headers, "wechatpay-serial": "PUB_KEY_ID_0000000000" })).toBe(401);
  expect(await status(told.body, {})).toBe(401);
  const old = wechat.tells("TRANSACTION.SUCCESS", success(orderNo), new Date("2026-11-20T08:50:00+08:00"));
  expect(await status(old.body, old.headers)).toBe(401);
  const cent = success(orderNo, { amount: { total: 1 } });
  const less = wechat.tells("TRANSACTION.SUCCESS", cent);
  wechat.answers(() => ({ body: cent }));
  expect(await status(less.body, less.headers)).toBe(409);
  expect((await reservationOf(house, desk, id)).state).toBe("pending");
  expect((await house.did(getPayOrder, { as: clerk }, { params: { id: orderId } })).problem).toContain(
    "0.01",
  );
});

test("what WeChat Pay refuses is said; what does not answer, or answers unsigned, makes no code", async () => {
  const id = await reserved("3004");
  wechat.answers(() => ({ status: 403, body: { code: "NO_AUTH", message: "商户无权限" } }));
  expect((await showing(id)).body.message).toBe("微信支付：商户无权限");
  wechat.answers(() => ({ hang: true }));
  expect((await showing(id)).body.message).toBe("支付渠道暂时没有响应，请稍后重试");
  wechat.answers(() => ({ body: { code_url: CODE }, unsigned: true }));
  expect((await showing(id)).status).toBe(401);
  const { rows } = await pool.query("select 1 from pay_order where target_id = $1", [id]);
  expect(rows).toEqual([]);
});

test("a WeChat Pay that hangs keeps five waiting; the sixth is asked to come later, and the console goes on", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  wechat.answers(async () => {
    await held;
    return { body: { code_url: CODE } };
  });
  const ids: number[] = [];
  for (let room = 3021; room < 3028; room++) ids.push(await reserved(String(room)));
  const answers: number[] = [];
  const all = Promise.all(ids.map(async (id) => answers.push((await showing(id)).status)));
  await expect.poll(() => answers, { timeout: 20_000 }).toEqual([503, 503]);
  expect((await reservationOf(house, desk, ids[0]!)).state).toBe("pending");
  release();
  await all;
  expect(answers).toEqual([503, 503, 200, 200, 200, 200, 200]);
});

test("a payment whose notification was lost is asked after; an order that nobody paid is closed there too", async () => {
  wechat.answers(() => ({ body: { code_url: CODE } }));
  const [paid, unpaid] = [await reserved("3005"), await reserved("3006")];
  const { orderNo } = (await showing(paid)).body.data;
  const other = (await showing(unpaid)).body.data;
  wechat.answers(({ method, path }) =>
    method === "POST"
      ? { status: 204 }
      : path.includes(orderNo)
        ? { body: success(orderNo) }
        : {
            body: success(path.split("/").at(-1)!.split("?")[0]!, {
              trade_state: "NOTPAY",
              transaction_id: "",
            }),
          },
  );
  clock = "2026-11-20T09:02:00+08:00";
  house.setClock(clock);
  wechat.asked.length = 0;
  const run = () => perform(house, orderJobs[0]!, {}, randomUUID());
  await run();
  expect((await reservationOf(house, desk, paid)).state).toBe("held");
  expect(wechat.asked.every((a) => a.signedRight)).toBe(true);
  expect(wechat.asked.some((a) => a.path.endsWith("/close"))).toBe(false);
  clock = "2026-11-20T11:00:00+08:00";
  house.setClock(clock);
  await run();
  expect(wechat.asked.map((a) => a.path)).toContain(
    `/v3/pay/transactions/out-trade-no/${other.orderNo}/close`,
  );
  expect((await house.did(getPayOrder, { as: clerk }, { params: { id: other.id } })).state).toBe("closed");
  house.setClock(NOW);
});
