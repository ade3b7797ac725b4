import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLine, aParty } from "../bill/bill.sample.ts";
import { disputeBill, voidBill } from "../bill-acts/acts.contract.ts";
import { payByLink, readPayLink, sendPayLinks } from "./checkout.contract.ts";
import { aCheckout } from "./checkout.sample.ts";

const house = await testHouse({ settings: { PUBLIC_URL: "https://console.example.com" } });
const shop = await aCheckout(house);
const { cashier, stranger, store, partyId, newBill, open, pay } = shop;
const { pool } = house.database;
const keeper = await house.person({ permits: ["26.get", "26.edit", "#2602"], villages: [store.villageId] });

let minute = 0;
/** Sends a message for bills, a while after the one before. */
const sent = async (billIds: number[]) => {
  house.setClock(`2026-03-02T10:${String((minute += 2)).padStart(2, "0")}:00+08:00`);
  return house.did(sendPayLinks, { as: cashier }, { body: { billIds } });
};
const linkOf = async (billIds: number[]) => (await sent(billIds))[0]!.path!.split("#")[1]!;
const page = (token: string, all = false) =>
  house.did(readPayLink, {}, { params: { token }, query: all ? { all: "1" } : {} });
const paying = (token: string, billIds: number[], total: number) =>
  house.ask(payByLink, {}, { params: { token }, body: { billIds, total, by: "page" } });

describe("a payment link", () => {
  test("goes to each customer once, with the address in the message alone", async () => {
    const [a, b] = [
      await newBill("3月租金"),
      await newBill("3月物业费", { lines: [aLine("property", 20_000)] }),
    ];
    const other = await aParty(house, "无手机", { phone: "", villageId: store.villageId });
    const c = await newBill("无手机的", { partyId: other });
    const rows = await sent([a, b, c]);
    expect(rows).toMatchObject([
      {
        partyName: "张三",
        bills: 2,
        amount: 320_000,
        refusal: null,
        path: expect.stringMatching(/^\/sams\/pay#[\w-]{22}$/),
      },
      { partyName: "无手机", bills: 1, refusal: "客户没有可接收短信的手机号", path: null },
    ]);
    const { rows: out } = await pool.query(
      "select recipient, body, params->>'link' link from outbox where source = 'notice' order by id desc limit 1",
    );
    expect(out[0].link).toBe(`https://console.example.com${rows[0]!.path}`);
    expect(out[0].body).toContain("您有 2 笔账单待付款，合计 3,200.00 元：••••••");
    const again = await house.did(sendPayLinks, { as: cashier }, { body: { billIds: [a] } });
    expect(again[0]!.refusal).toBe("刚刚已发送，请 60 秒后再试");
  });

  test("shows what is paid line by line, and what else is open when asked", async () => {
    const a = await newBill("逐项", { lines: [aLine("rent", 300_000), aLine("property", 20_000)] });
    await newBill("另一笔");
    const c = await newBill("有争议");
    await house.did(
      disputeBill,
      { as: keeper },
      {
        params: { id: c },
        body: { version: (await shop.bill(c)).version, disputed: true, reason: "客户有异议" },
      },
    );
    const token = await linkOf([a]);
    const seen = await page(token);
    expect(seen).toMatchObject({ payer: "张*", why: "", orders: [] });
    expect(seen.bills).toEqual([
      {
        id: a,
        title: "逐项",
        room: expect.any(String),
        dueDate: "2026-03-01",
        owed: 320_000,
        asked: true,
        lines: expect.arrayContaining([
          { subject: "租金", period: "2026-03-01 至 2026-03-31", owed: 300_000 },
          { subject: "物业费", period: "2026-03-01 至 2026-03-31", owed: 20_000 },
        ]),
      },
    ]);
    const all = (await page(token, true)).bills.map((x) => x.title);
    expect(all).toContain("另一笔");
    expect(all).not.toContain("有争议");
    expect(seen.others).toBe(all.length - 1);
  });

  test("is paid at the sum that was shown, once, and turns into the receipt", async () => {
    const a = await newBill("链接付");
    const token = await linkOf([a]);
    expect((await paying(token, [a], 299_999)).body.message).toBe("账单金额已变化，请核对后重新付款");
    const [first, second] = [await paying(token, [a], 300_000), await paying(token, [a], 300_000)];
    expect(second.body.data[0]).toMatchObject({ orderNo: first.body.data[0]!.orderNo });
    expect((await pay(first.body.data[0]!.token)).status).toBe(200);
    expect(await open(a)).toEqual([0]);
    const seen = await page(token);
    expect(seen.bills).toEqual([]);
    expect(seen.orders).toMatchObject([{ amount: 300_000, state: "paid", kept: false }]);
    expect((await paying(token, [a], 300_000)).status).toBe(409);
    expect(await shop.sound()).toEqual([]);
  });

  test("pays nothing of others, nothing that is void, and ends after seven days", async () => {
    const a = await newBill("到期");
    const other = await newBill("别人的", {
      partyId: await aParty(house, "李四", { villageId: store.villageId }),
    });
    const token = await linkOf([a]);
    expect((await paying(token, [a, other], 600_000)).status).toBe(409);
    await house.did(
      voidBill,
      { as: keeper },
      { params: { id: a }, body: { reason: "录入错误", version: (await shop.bill(a)).version } },
    );
    expect((await page(token)).bills).toEqual([]);
    expect((await paying(token, [a], 300_000)).status).toBe(409);
    expect((await house.ask(readPayLink, {}, { params: { token: "x".repeat(22) }, query: {} })).status).toBe(
      404,
    );
    house.setClock("2026-03-09T23:00:00+08:00");
    const over = await house.ask(readPayLink, {}, { params: { token }, query: {} });
    expect([over.status, over.body.message]).toEqual([410, "付款链接已失效，请联系管家重新发送"]);
  });

  test("is sent only by who may, for bills in view", async () => {
    const a = await newBill("范围");
    const body = { billIds: [a] };
    expect((await house.ask(sendPayLinks, { as: stranger }, { body })).status).toBe(404);
    expect((await house.ask(sendPayLinks, { as: keeper }, { body })).status).toBe(403);
    expect((await shop.bill(a)).partyId).toBe(partyId);
  });
});
