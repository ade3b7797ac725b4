import { createHash, createPublicKey, randomUUID, verify } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aLine, aParty, aStore, bookBalance } from "../bill/bill.sample.ts";
import { takeBack } from "../flow/allocate.service.ts";
import { take } from "../flow/flow.sample.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { voidBills } from "../bill/void.service.ts";
import { textOfPdf } from "../../contract/paper/paper.sample.ts";
import { sampleNotification } from "../einvoice/sample.service.ts";
import { cancelInvoice, issueInvoice, retryInvoice } from "./acts.contract.ts";
import {
  exportInvoices,
  invoiceFile,
  invoiceNotify,
  invoicesOf,
  listInvoices,
  listLines,
  listToRed,
} from "./invoice.contract.ts";
import {
  anIssuer,
  type Issuer,
  APPLYING,
  applied,
  applying,
  askingDrivers,
  COMPANY,
  invoiceOf,
  ISSUING,
  lineOf,
  onInvoiceNow,
  redding,
} from "./invoice.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let { store, accounts, conf, as, paid: paidLines, issued: issuedOf, sound } = {} as Issuer;
beforeAll(async () => {
  ({ store, accounts, conf, as, paid: paidLines, issued: issuedOf, sound } = await anIssuer(house));
});

const TERM = { periodStart: "2026-03-10", periodEnd: "2026-04-09" };
/** A bill of rent that is paid. */
async function paid(amount = 300_000, name = "张三") {
  const made = await paidLines([aLine("rent", amount, TERM)], { name, leased: false });
  return { ...made, line: (await lineOf(house, made.billId)).id };
}
const availableOf = async (billId: number) =>
  (await house.did(listLines, { as }, { query: { billIds: String(billId) } })).list[0]?.available ?? 0;
const minutes = (n: number) => {
  const at = new Date("2026-03-15T10:00:00+08:00").getTime() + n * 60_000;
  house.setClock(new Date(at).toISOString());
};

test("a paid rent of 3,000.00 becomes an issued invoice with tax 42.86, a PDF marked 样票 and E22; a second application finds nothing", async () => {
  const { billId, line } = await paid();
  expect(await availableOf(billId)).toBe(300_000);
  const tax = await bookBalance(house, "2221");
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  expect(await lineOf(house, billId)).toMatchObject({ invoiced: 0, invoicing: 300_000 });
  const second = await applying(house, as, [{ lineId: line, amount: 300_000 }]);
  expect([second.status, second.body.message]).toEqual([409, "可开票金额已变化"]);

  const invoice = await issuedOf(ids[0]!);
  expect(invoice).toMatchObject({
    state: "issued",
    amount: 300_000,
    tax: 4286,
    net: 295_714,
    files: ["pdf", "xml"],
  });
  expect(invoice.invoiceNo).toMatch(/^26009\d{15}$/);
  expect(await bookBalance(house, "2221")).toBe(tax - 4286);
  expect(invoice.entries[0]!.lines.map((l) => [l.account, l.debit, l.credit])).toEqual([
    ["2222", 4286, 0],
    ["2221", 0, 4286],
  ]);
  expect(await lineOf(house, billId)).toMatchObject({ invoiced: 300_000, invoicing: 0 });
  expect(await availableOf(billId)).toBe(0);

  const file = (kind: "pdf" | "xml") =>
    house.ask(invoiceFile, { as }, { params: { id: invoice.id }, query: { kind } });
  expect(textOfPdf((await file("pdf")).raw)).toContain("样票：由内置模拟平台生成");
  const xml = (await file("xml")).raw.toString();
  expect(xml).toContain(`<EIid>${invoice.invoiceNo}</EIid>`);
  expect(xml).toContain("<ComTaxAm>42.86</ComTaxAm>");
  expect(xml).toContain("<LabelType>样票</LabelType>");
  const [, body, signature, key] =
    /<EInvoice>(.*)<TaxBureauSignature>.*<SignatureValue>(.*)<\/SignatureValue><KeyInfo>(.*)<\/KeyInfo>/s.exec(
      xml,
    )!;
  const publicKey = createPublicKey({ key: Buffer.from(key!, "base64"), type: "spki", format: "der" });
  const isSigned = (text: string) =>
    verify(null, createHash("sha256").update(text).digest(), publicKey, Buffer.from(signature!, "base64"));
  expect([isSigned(body!), isSigned(body!.replace("42.86", "42.87"))]).toEqual([true, false]);
  const of = await house.did(invoicesOf, { as }, { query: { billId } });
  expect(of.map((i) => i.id)).toEqual([invoice.id]);
  await sound();
});

test("a red letter in three parts of 1,000.00 takes back 14.29, 14.28 and 14.29, and makes it invoiceable again", async () => {
  const { billId, line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  const { lines } = await issuedOf(ids[0]!);
  const before = await bookBalance(house, "2222");
  const taxes: number[] = [];
  for (let times = 1; times <= 3; times++) {
    const { body } = await redding(house, as, ids[0]!, [{ lineId: lines[0]!.id, amount: 100_000 }]);
    await house.deliver();
    const red = await invoiceOf(house, as, body.data!.id);
    expect(red).toMatchObject({ direction: "red", state: "issued", redConfirmState: "01" });
    taxes.push(red.tax);
    expect(await availableOf(billId)).toBe(100_000 * times);
  }
  // a red letter is below nothing, as it stands on its paper
  expect(taxes).toEqual([-1429, -1428, -1429]);
  expect(await bookBalance(house, "2222")).toBe(before - 4286);
  expect(await invoiceOf(house, as, ids[0]!)).toMatchObject({ state: "red", redAmount: 300_000 });
  const more = await redding(house, as, ids[0]!, [{ lineId: lines[0]!.id, amount: 1 }]);
  expect(more.status).toBe(409);
  await sound();
});

test("who has the invoice is told of a red letter as what it takes back, not as another invoice", async () => {
  await conf.change({ notifyBy: "sms" });
  const { line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  const { id: blueId, invoiceNo, lines } = await issuedOf(ids[0]!);
  await redding(house, as, blueId, [{ lineId: lines[0]!.id, amount: 100_000 }]);
  await house.deliver();
  await conf.change({ notifyBy: "none" });
  const { id, ...red } = (await invoiceOf(house, as, blueId)).reds[0]!;
  const { rows } = await pool.query("select body from outbox where source_id = $1", [id]);
  const body = `您的发票 ${invoiceNo} 已红冲 1,000.00 元，红字发票 ${red.invoiceNo}`;
  expect(rows).toEqual([{ body }]);
});

test("two people apply for one line: one has it, the other hears that it changed", async () => {
  const { line } = await paid();
  const both = await Promise.all([
    applying(house, as, [{ lineId: line, amount: 300_000 }]),
    applying(house, as, [{ lineId: line, amount: 300_000 }]),
  ]);
  expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
  const ids = both.find((b) => b.status === 200)!.body.data.ids;
  expect((await onInvoiceNow(house, as, cancelInvoice, ids[0]!, { reason: "重复申请" })).status).toBe(200);
  await sound();
});

test("what timed out is asked for again and made once", async () => {
  await conf.behave("timeout");
  const { line, billId } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  const waiting = await issuedOf(ids[0]!);
  expect(waiting).toMatchObject({ state: "issuing", reason: "开票服务商没有响应，系统会自动查询结果" });
  expect(await lineOf(house, billId)).toMatchObject({ invoiced: 0, invoicing: 300_000 });
  minutes(2);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, ids[0]!)).toMatchObject({ state: "issued", tax: 4286 });
  const { rows } = await pool.query("select count(*)::int n from einvoice_sample where serial_no = $1", [
    waiting.serialNo,
  ]);
  expect(rows[0].n).toBe(1);
  await conf.behave("normal");
  await sound();
});

test("killed between the platform's yes and the booking, the next run finds it and books it once", async () => {
  const { line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  await conf.behave("timeout");
  await issuedOf(ids[0]!);
  // as it stands when the process died right after the answer: sent, and nothing else known
  await pool.query("update invoice set failure = '', asked = 1 where id = $1", [ids[0]]);
  minutes(4);
  await Promise.all([askingDrivers(house), askingDrivers(house)]);
  const made = await invoiceOf(house, as, ids[0]!);
  expect(made.state).toBe("issued");
  // the number that it went to is whole only for whom it may be sent by
  expect(made.receiverMobile).toBe("13812345678");
  const auditor = await house.person({ permits: ["28.get"], villages: [made.villageId] });
  expect((await invoiceOf(house, auditor, ids[0]!)).receiverMobile).toBe("138****5678");
  expect(made.entries).toHaveLength(1);
  await conf.behave("normal");
  await sound();
});

test("a platform that calls back twice, and before it answers, has the invoice booked once", async () => {
  await conf.behave("twice");
  const { line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  const made = await issuedOf(ids[0]!);
  expect(made).toMatchObject({ state: "issued" });
  expect(made.entries).toHaveLength(1);
  const { body, header } = sampleNotification(house.cipher, conf.id, made.serialNo);
  const told = () =>
    house.ask(invoiceNotify, { headers: { "einvoice-signature": header("einvoice-signature")! } }, {
      params: { config: conf.id },
      query: {},
      body: JSON.parse(body),
    } as never);
  expect((await Promise.all([told(), told()])).map((t) => t.status)).toEqual([200, 200]);
  const forged = await house.ask(invoiceNotify, { headers: { "einvoice-signature": "00" } }, {
    params: { config: conf.id },
    query: {},
    body: JSON.parse(body),
  } as never);
  expect(forged.status).toBe(401);
  await house.deliver();
  expect((await invoiceOf(house, as, ids[0]!)).entries).toHaveLength(1);
  await conf.behave("normal");
  await sound();
});

test("what is refused is free again, its applicant hears why, and another try has another number", async () => {
  await conf.behave("refuse");
  const { line, billId } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  const failed = await issuedOf(ids[0]!);
  expect(failed).toMatchObject({ state: "failed", reason: "模拟平台拒绝开具：购方信息校验未通过" });
  expect(await lineOf(house, billId)).toMatchObject({ invoiced: 0, invoicing: 0 });
  const { rows } = await pool.query("select title from message where biz_type = 'invoice' and biz_id = $1", [
    ids[0],
  ]);
  expect(rows).toEqual([{ title: "开票失败：张三" }]);
  await conf.behave("normal");
  expect((await onInvoiceNow(house, as, retryInvoice, ids[0]!)).status).toBe(200);
  await house.deliver();
  const made = await invoiceOf(house, as, ids[0]!);
  expect(made).toMatchObject({ state: "issued", serialNo: `${failed.serialNo}R2` });
  await sound();
});

test("a late platform answers when it is asked again", async () => {
  await conf.behave("delay");
  const { line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  minutes(10);
  expect((await issuedOf(ids[0]!)).state).toBe("issuing");
  minutes(11);
  await askingDrivers(house);
  expect((await invoiceOf(house, as, ids[0]!)).state).toBe("issuing");
  minutes(14);
  await askingDrivers(house);
  expect((await invoiceOf(house, as, ids[0]!)).state).toBe("issued");
  await conf.behave("normal");
});

test("a red letter of a special invoice waits for its buyer, who agrees, denies or lets 72 hours pass", async () => {
  const special = async () => {
    const { line } = await paid();
    const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }], COMPANY);
    const { lines } = await issuedOf(ids[0]!);
    const { body } = await redding(house, as, ids[0]!, [{ lineId: lines[0]!.id, amount: 300_000 }]);
    await house.deliver();
    return { blue: ids[0]!, red: body.data!.id, lineId: lines[0]!.id };
  };
  minutes(20);
  const one = await special();
  const waits = await invoiceOf(house, as, one.red);
  expect(waits).toMatchObject({ state: "issuing", redConfirmState: "02" });
  expect(waits.redConfirmUntil).not.toBeNull();
  const again = await redding(house, as, one.blue, [{ lineId: one.lineId, amount: 1 }]);
  expect(again.body.message).toBe("该发票正在红冲，没有可红冲的金额");
  minutes(22);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, one.red)).toMatchObject({ state: "issued", redConfirmState: "04" });

  const two = await special();
  await conf.behave("refuse");
  minutes(25);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, two.red)).toMatchObject({ state: "failed", redConfirmState: "05" });
  expect(await invoiceOf(house, as, two.blue)).toMatchObject({ state: "issued", reding: 0 });

  await conf.behave("normal");
  minutes(30);
  const { line } = await paid();
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }], COMPANY);
  const { lines } = await issuedOf(ids[0]!);
  await conf.behave("timeout");
  const { body } = await redding(house, as, ids[0]!, [{ lineId: lines[0]!.id, amount: 300_000 }]);
  await house.deliver();
  minutes(30 + 73 * 60);
  await askingDrivers(house);
  expect(await invoiceOf(house, as, body.data!.id)).toMatchObject({ state: "failed", redConfirmState: "07" });
  await conf.behave("normal");
  await sound();
});

test("a line that falls below what is invoiced is to be taken back; one that falls while it waits is not sent", async () => {
  house.setClock("2026-03-20T10:00:00+08:00");
  await conf.change({ invoiceBasis: "either" });
  const partyId = await aParty(house, "李四", { villageId: store.villageId });
  const billId = await aBill(house, store, partyId, {
    dueDate: "2026-03-10",
    lines: [aLine("rent", 300_000, { slices: [{ from: "2026-03-01", to: "2026-03-15", amount: 300_000 }] })],
  });
  const { id: line } = await lineOf(house, billId);
  expect(await availableOf(billId)).toBe(300_000);
  const { ids } = await applied(house, as, [{ lineId: line, amount: 300_000 }]);
  await expect(acting(house, (act) => voidBills(act, [billId], "重开"))).rejects.toThrow("正在开票");
  await acting(house, (act) => adjustLines(act, [{ lineId: line, amount: -100_000, reason: "减免" }]));
  const failed = await issuedOf(ids[0]!);
  expect(failed).toMatchObject({ state: "failed", reason: "可开票金额已变化" });
  const sent = await pool.query("select 1 from einvoice_sample where serial_no = $1", [failed.serialNo]);
  expect(sent.rows).toEqual([]);

  const next = await applied(house, as, [{ lineId: line, amount: 200_000 }]);
  const made = await issuedOf(next.ids[0]!);
  expect(made.tax).toBe(2857);
  await expect(acting(house, (act) => voidBills(act, [billId], "重开"))).rejects.toThrow(
    "账单已开票，请先红冲",
  );
  // a red letter is asked for while the line is adjusted
  await Promise.all([
    acting(house, (act) => adjustLines(act, [{ lineId: line, amount: -50_000, reason: "减免" }])),
    redding(house, as, made.id, [{ lineId: made.lines[0]!.id, amount: 10_000 }]),
  ]);
  await house.deliver();
  const { list, sums } = await house.did(listToRed, { as }, { query: {} });
  expect(list).toMatchObject([{ billId, over: 40_000, invoiceId: made.id }]);
  expect(sums).toMatchObject({ over: 40_000 });
  await redding(house, as, made.id, [{ lineId: made.lines[0]!.id, amount: 40_000 }]);
  await house.deliver();
  expect((await house.did(listToRed, { as }, { query: {} })).list).toEqual([]);
  await conf.change({ invoiceBasis: "paid" });
  await sound();
});

test("a line is found by the day of one of its payments, not by what lies between two", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const partyId = await aParty(house, "郑一");
  const lines = [aLine("rent", 300_000, TERM)];
  const billId = await aBill(house, store, partyId, { dueDate: "2026-03-10", lines });
  let last = 0;
  for (const day of ["2026-03-02", "2026-03-20"]) {
    house.setClock(`${day}T10:00:00+08:00`);
    const paidAt = `${day}T09:00:00+08:00`;
    last = (await take(house, store, accounts, partyId, { amount: 100_000, paidAt, bills: [billId] })).id!;
  }
  const found = async (paidFrom?: string, paidTo?: string) =>
    (await house.did(listLines, { as }, { query: { partyId, paidFrom, paidTo } })).total;
  expect(await found("2026-03-02", "2026-03-02")).toBe(1);
  expect(await found("2026-03-03", "2026-03-19")).toBe(0);
  expect(await found("2026-03-20")).toBe(1);
  expect(await found("2026-03-21")).toBe(0);
  expect(await found(undefined, "2026-03-01")).toBe(0);
  expect(await found(undefined, "2026-03-02")).toBe(1);
  // what was taken back was no payment, neither is its taking back
  house.setClock("2026-03-25T10:00:00+08:00");
  await acting(house, (act) => takeBack(act, last));
  expect(await found("2026-03-20")).toBe(0);
  expect(await found("2026-03-02")).toBe(1);
});

test("the file of red letters adds up to its line of sums, as the page does", async () => {
  const { rawPayload } = await house.app.inject({
    url: `${exportInvoices.path}?tab=red&columns=applyNo,amount,net,tax&usage=核对`,
    headers: { authorization: as.token },
  });
  const [sheet] = await openBook(rawPayload);
  const rows = sheet!.rows.slice(2).map((row) => row.values);
  const sums = rows.pop()!;
  const standing = rows.filter(([, amount]) => Number(amount) < 0);
  expect([sums[0], standing.length]).toEqual(["合计", rows.length]);
  const { list } = await house.did(listInvoices, { as }, { query: { tab: "red", pageSize: 200 } });
  expect(rows.map(([no, amount, net, tax]) => [no, amount, net, tax])).toEqual(
    list.map((i) => [i.applyNo, i.amount / 100, i.net / 100, i.tax / 100]),
  );
});

test("nobody sees invoices of other stores, and the sums of the list count red letters against blue ones", async () => {
  const other = await aStore(house);
  const stranger = await house.person({ permits: [...APPLYING, ...ISSUING], villages: [other.villageId] });
  const { list, sums } = await house.did(listInvoices, { as }, { query: { tab: "all", pageSize: 200 } });
  expect(list.length).toBeGreaterThan(5);
  const gone = list.filter((i) => i.state === "rejected" || i.state === "cancelled");
  expect(gone.length).toBeGreaterThan(0);
  const standing = list.filter((i) => !gone.includes(i));
  expect(standing.some((i) => i.direction === "red" && i.amount < 0 && i.net < 0)).toBe(true);
  expect(sums!.amount).toBe(standing.reduce((sum, i) => sum + i.amount, 0));
  expect(sums!.tax).toBe(standing.reduce((sum, i) => sum + i.tax, 0));
  const byAmount = { tab: "all", sort: "amount", order: "asc", pageSize: 200 } as const;
  const sorted = (await house.did(listInvoices, { as }, { query: byAmount })).list.map((i) => i.amount);
  expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
  expect((await house.did(listInvoices, { as: stranger }, { query: {} })).list).toEqual([]);
  const answer = await house.ask(
    issueInvoice,
    { as: stranger, key: randomUUID() },
    {
      params: { id: list[0]!.id },
      body: { version: 1 },
    },
  );
  expect(answer.status).toBe(404);
});
