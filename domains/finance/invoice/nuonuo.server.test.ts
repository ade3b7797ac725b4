import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLine } from "../bill/bill.sample.ts";
import { setConfKeys, testConf } from "../einvoice/einvoice.contract.ts";
import { APP, aNuonuo } from "../einvoice/nuonuo.sample.ts";
import { invoiceFile, invoiceNotify } from "./invoice.contract.ts";
import {
  anIssuer,
  type Issuer,
  applied,
  askingDrivers,
  COMPANY,
  invoiceOf,
  lineOf,
  redding,
} from "./invoice.sample.ts";

const NOW = "2026-03-15T10:00:00+08:00";
const nuonuo = await aNuonuo();
afterAll(() => nuonuo.close());
const house = await testHouse({ settings: { PUBLIC_URL: "https://console.example.com" } });
let { conf, as, paid, issued } = {} as Issuer;
beforeAll(async () => {
  ({ conf, as, paid, issued } = await anIssuer(house));
  await conf.change({ driver: "provider" });
  // the operator's own password is asked for when keys are set; that of a test person matches nothing
  const { db } = house.database;
  await db
    .updateTable("einvoiceConfig")
    .set({ endpoint: nuonuo.endpoint })
    .where("id", "=", conf.id)
    .execute();
  for (const [name, value] of Object.entries(APP))
    await db
      .insertInto("einvoiceKey")
      .values({ configId: conf.id, name, sealed: house.cipher.seal(value) })
      .execute();
  await conf.enable();
});
beforeEach(() => {
  house.setClock(NOW);
  nuonuo.answers();
});
const later = (minutes: number) => house.setClock(new Date(Date.parse(NOW) + minutes * 60_000).toISOString());

async function sent(more: object = {}) {
  const { billId } = await paid([aLine("rent", 300_000)], {
    name: "宏远商贸",
    kind: "merchant",
    leased: false,
  });
  const { id: lineId } = await lineOf(house, billId);
  const { ids } = await applied(house, as, [{ lineId, amount: 300_000 }], more);
  return issued(ids[0]!);
}

test("the connection is tried with an order that nobody knows; keys need a password and #10101", async () => {
  const told = await house.did(testConf, { as: conf.admin }, { params: { id: conf.id } });
  expect(told.taxNo).toBe((await conf.detail()).taxNo);
  const body = { version: 1, ...APP, password: createHash("sha256").update("x").digest("hex") };
  const wrong = await house.ask(
    setConfKeys,
    { as: conf.admin },
    { params: { id: conf.id }, body: { ...body, version: (await conf.detail()).version } },
  );
  expect(wrong.status).not.toBe(200);
  expect(JSON.stringify(await conf.detail())).not.toContain(APP.appSecret);
});

test("an order carries buyer, amounts and the lease, is signed, and is made when the platform says so", async () => {
  const open = await sent(COMPANY);
  expect(open.state).toBe("issuing");
  const order = nuonuo.orders.get(open.serialNo)!.order;
  expect(order).toMatchObject({
    invoiceLine: "bs",
    invoiceType: "1",
    buyerName: COMPANY.title,
    buyerTaxNum: COMPANY.taxNo,
    pushMode: "-1",
    specificFactor: "6",
    realPropertyRentInfo: {
      realPropertyAddress: COMPANY.leaseAddress,
      rentStartDate: "2026-03-10",
      crossCityFlag: "0",
      unit: "2",
    },
    invoiceDetail: [
      {
        goodsCode: "3040502020200000000",
        taxIncludedAmount: "3000.00",
        tax: "42.86",
        taxExcludedAmount: "2957.14",
        taxRate: "0.015",
        favouredPolicyFlag: "10",
      },
    ],
  });
  expect(nuonuo.asked.every((a) => a.signedRight)).toBe(true);
  expect(nuonuo.tokens()).toBe(1);

  // its call-back is a form that is not signed: what we gave it in the address is
  nuonuo.makes(open.serialNo, "26332000000123456789");
  const url = new URL(String(order["callBackUrl"]));
  const tell = (query: Record<string, string>) =>
    house.app.inject({
      method: "POST",
      url: invoiceNotify.path.replace(":config", String(conf.id)),
      query,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `operater=callback&orderno=${open.serialNo}`,
    });
  expect((await tell({ serial: open.serialNo, seal: "forged" })).statusCode).toBe(401);
  expect((await tell(Object.fromEntries(url.searchParams))).statusCode).toBe(200);
  await house.deliver();
  const made = await invoiceOf(house, as, open.id);
  expect(made).toMatchObject({ state: "issued", invoiceNo: "26332000000123456789", files: ["ofd", "pdf"] });
  expect(made.issuedAt).toContain("2026-03-15");
  const ofd = await house.ask(invoiceFile, { as }, { params: { id: open.id }, query: { kind: "ofd" } });
  expect(ofd.raw.toString()).toBe("PK-ofd");
});

test("an order that times out is asked for, and sent once", async () => {
  nuonuo.answers((request) => (request.method === "requestBillingNew" ? { hang: true } : undefined));
  const open = await sent();
  expect(open).toMatchObject({ state: "issuing", reason: "开票服务商没有响应，系统会自动查询结果" });
  nuonuo.answers();
  nuonuo.makes(open.serialNo, "26332000000123456790");
  later(2);
  await askingDrivers(house);
  expect((await invoiceOf(house, as, open.id)).state).toBe("issued");
  const times = nuonuo.asked.filter(
    (a) =>
      a.method === "requestBillingNew" && (a.body["order"] as { orderNo: string }).orderNo === open.serialNo,
  );
  expect(times).toHaveLength(1);
});

test("a token that is none any more before its time is fetched anew, and the order is taken once", async () => {
  await sent();
  const before = nuonuo.tokens();
  nuonuo.forgets();
  const open = await sent();
  expect(open.state).toBe("issuing");
  expect(nuonuo.tokens()).toBe(before + 1);
  nuonuo.makes(open.serialNo, "26332000000123456793");
  later(2);
  await askingDrivers(house);
  expect((await invoiceOf(house, as, open.id)).state).toBe("issued");
  expect(nuonuo.tokens()).toBe(before + 1);
  // an application that is refused with a token just made asks for no more of them
  nuonuo.answers(() => ({ body: { code: "070302", describe: "accessToken已失效" } }));
  const refused = await house.ask(testConf, { as: conf.admin }, { params: { id: conf.id } });
  expect(refused.body.message).toBe("诺诺未接受应用密钥：accessToken已失效");
  expect(nuonuo.tokens()).toBe(before + 2);
});

test("what the platform refuses says why, at once or later", async () => {
  nuonuo.answers((request) =>
    request.method === "requestBillingNew"
      ? { body: { code: "E9105", describe: "商品编码不正确" } }
      : undefined,
  );
  expect(await sent()).toMatchObject({ state: "failed", reason: "诺诺：商品编码不正确" });
  nuonuo.answers();
  const open = await sent();
  nuonuo.refuses(open.serialNo, "购方税号有误");
  later(2);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, open.id)).toMatchObject({ state: "failed", reason: "购方税号有误" });
});

test("a red letter waits for its confirmation, then for its number; the buyer may say no", async () => {
  const open = await sent(COMPANY);
  nuonuo.makes(open.serialNo, "26332000000123456791");
  later(2);
  await askingDrivers(house);
  const blue = await invoiceOf(house, as, open.id);
  const part = [{ lineId: blue.lines[0]!.id, amount: 100_000 }];
  const { body } = await redding(house, as, blue.id, part);
  await house.deliver();
  const red = await invoiceOf(house, as, body.data!.id);
  expect(nuonuo.confirms.get(red.serialNo)!.sent).toMatchObject({
    blueElecInvoiceNumber: "26332000000123456791",
    redReason: "4",
    detail: [{ blueDetailIndex: "1", taxExcludedAmount: "-985.71", taxAmount: "-14.29" }],
  });
  const says = async (status: string, minutes: number) => {
    nuonuo.confirms.get(red.serialNo)!.status = status;
    later(minutes);
    await askingDrivers(house);
    return invoiceOf(house, as, red.id);
  };
  expect(await says("02", 5)).toMatchObject({
    state: "issuing",
    redConfirmState: "02",
    redConfirmNo: "33010126030001",
  });
  nuonuo.makes(red.serialNo, "26332000000123456792");
  expect(await says("04", 10)).toMatchObject({ state: "issued", redConfirmState: "04", tax: -1429 });

  house.setClock(NOW);
  later(11);
  const second = await redding(house, as, blue.id, part);
  await house.deliver();
  const other = await invoiceOf(house, as, second.body.data!.id);
  nuonuo.confirms.get(other.serialNo)!.status = "05";
  later(20);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, other.id)).toMatchObject({ state: "failed", redConfirmState: "05" });
});
