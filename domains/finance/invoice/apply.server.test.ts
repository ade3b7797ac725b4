import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, bookBalance } from "../bill/bill.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { applyRate, previewRate } from "../einvoice/einvoice.contract.ts";
import { debit, credit } from "../journal/journal.rules.ts";
import { post } from "../journal/journal.service.ts";
import {
  applyBatch,
  editInvoice,
  issueInvoice,
  previewApply,
  previewBatch,
  registerInvoice,
  rejectInvoice,
  sendInvoice,
  startApply,
} from "./acts.contract.ts";
import { countInvoices, listInvoices, listLines } from "./invoice.contract.ts";
import {
  anIssuer,
  type Issuer,
  APPLYING,
  applied,
  applying,
  invoiceOf,
  lineOf,
  onInvoiceNow,
  PERSON,
  redding,
} from "./invoice.sample.ts";
import { ratePreview } from "./planned.service.ts";

const house = await testHouse();
const { pool } = house.database;
let { store, conf, as, paid, issued, sound } = {} as Issuer;
beforeAll(async () => {
  ({ store, conf, as, paid, issued, sound } = await anIssuer(house, ["26.get"]));
});

test("an application begins with what may be invoiced; rent stands apart and beyond the limit it is split, shown before", async () => {
  await conf.change({ perInvoiceLimit: 200_000 });
  const { billId } = await paid([
    aLine("deposit", 100_000, { slices: [] }),
    aLine("rent", 300_000),
    aLine("property", 10_000),
  ]);
  const begun = await house.did(startApply, { as }, { query: { billIds: String(billId) } });
  expect(begun).toMatchObject({
    partyName: "张三",
    perInvoiceLimit: 200_000,
    kind: "general",
    mobile: "13812345678",
  });
  expect(begun.lease).toMatchObject({ start: "2026-03-01", end: "2026-03-31" });
  expect(begun.titles).toMatchObject([{ kind: "person", title: "张三" }]);
  expect(begun.lines.map((l) => [l.subject, l.available, l.why])).toEqual([
    ["押金", 0, "押金不能开票"],
    ["租金", 300_000, ""],
    ["物业费", 10_000, ""],
  ]);
  const lines = begun.lines.filter((l) => !l.why).map((l) => ({ lineId: l.lineId, amount: l.available }));
  const { sheets, tax } = await house.did(previewApply, { as }, { body: { lines } });
  expect(sheets.map((s) => [s.lease, s.amount, s.tax])).toEqual([
    [true, 200_000, 2857],
    [true, 100_000, 1429],
    [false, 10_000, 566],
  ]);
  expect(tax).toBe(4286 + 566);
  const { ids } = await applied(house, as, lines, { issueNow: true });
  await house.deliver();
  const made = await Promise.all(ids.map((id) => invoiceOf(house, as, id)));
  expect(made.map((i) => [i.state, i.amount, i.leaseAddress !== ""])).toEqual([
    ["issued", 200_000, true],
    ["issued", 100_000, true],
    ["issued", 10_000, false],
  ]);
  await conf.change({ perInvoiceLimit: 10_000_000 });
  await sound();
});

test("what is typed is judged in the catalogue's words", async () => {
  const { billId } = await paid();
  const { id: lineId } = await lineOf(house, billId);
  const wrong = async (more: object) => {
    const { body } = await applying(house, as, [{ lineId, amount: 300_000 }], more);
    return body.fields?.[0]?.msg ?? body.message;
  };
  expect(await wrong({ kind: "special" })).toBe("专用发票须填写企业税号");
  expect(await wrong({ titleType: "company", taxNo: "123" })).toBe("请输入正确的统一社会信用代码");
  expect(await wrong({ receiverMobile: "", receiverEmail: "" })).toBe("请填写接收手机或邮箱");
  expect(await wrong({ leaseAddress: "" })).toBe("请补全不动产租赁信息");
  expect(await wrong({ title: "张" })).toContain("购方名称");
  const clerk = await house.person({ permits: APPLYING, villages: [store.villageId] });
  expect((await applying(house, clerk, [{ lineId, amount: 300_000 }], { issueNow: true })).status).toBe(403);
  const stranger = await house.person({ permits: APPLYING, villages: [(await aStore(house)).villageId] });
  expect((await applying(house, stranger, [{ lineId, amount: 300_000 }])).status).toBe(404);
});

test("one application for each customer of a batch; a charge or a customer that is left out stands there with why", async () => {
  const one = await paid([aLine("rent", 300_000), aLine("cleaning", 15_000)]);
  const two = await paid([aLine("rent", 200_000)], { name: "宏远商贸", kind: "merchant" });
  const idOf = async (billId: number, code?: string) => (await lineOf(house, billId, code)).id;
  const lineIds = [await idOf(one.billId), await idOf(one.billId, "cleaning"), await idOf(two.billId)];
  const preview = await house.did(previewBatch, { as }, { body: { lineIds } });
  expect(preview.rows.map((r) => [r.partyName, r.count, r.refusal])).toEqual([
    ["张三", 1, null],
    ["张三", 0, "请先维护科目映射：保洁费"],
    ["宏远商贸", 0, "请先维护发票抬头"],
  ]);
  const body = { lineIds, previewHash: preview.hash };
  const twice = await Promise.all(
    [1, 2].map(() => house.ask(applyBatch, { as, key: randomUUID() }, { body })),
  );
  expect(twice.map((t) => t.status).toSorted()).toEqual([200, 409]);
  await pool.query(
    "insert into invoice_title (party_id, kind, title, tax_no, is_default, email) values ($1, 'company', '宏远商贸有限公司', '91330106MA2B2ABC74', true, 'fp@hy.cn')",
    [two.partyId],
  );
  const again = await house.did(previewBatch, { as }, { body: { lineIds: [lineIds[2]!] } });
  expect(again.rows[0]).toMatchObject({ title: "宏远商贸有限公司", refusal: null, count: 1 });
  await sound();
});

test("the title that a contract names comes before the customer's usual one, and contracts are kept apart by it", async () => {
  const one = await paid([aLine("rent", 200_000)], { name: "连锁商贸", kind: "merchant" });
  const titled = async (title: string, taxNo: string, usual: boolean) =>
    (
      await pool.query<{ id: number }>(
        "insert into invoice_title (party_id, kind, title, tax_no, is_default, email, bank, account) values ($1, 'company', $2, $3, $4, 'fp@hy.cn', '招商银行', '6222020200011239999') returning id",
        [one.partyId, title, taxNo, usual],
      )
    ).rows[0]!.id;
  const usual = await titled("连锁商贸总店", "91330106MA2B2ABC74", true);
  const branch = await titled("连锁商贸分店", "91330106MA2B2ABC74", false);
  const names = (billId: number, id: number | null) =>
    pool.query(
      "update contract set invoice_title_id = $2 where id = (select contract_id from bill where id = $1)",
      [billId, id],
    );
  const begin = () => house.did(startApply, { as }, { query: { billIds: String(one.billId) } });
  const firstOf = async () => (await begin()).titles.map((t) => t.title);
  expect(await firstOf()).toEqual(["连锁商贸总店", "连锁商贸分店"]);
  await names(one.billId, branch);
  expect(await firstOf()).toEqual(["连锁商贸分店", "连锁商贸总店"]);
  const of = { partyId: one.partyId, no: "HT20260101-900001" };
  const other = await paid([aLine("rent", 100_000)], { of });
  const lineIds = [(await lineOf(house, one.billId)).id, (await lineOf(house, other.billId)).id];
  const rows = async () => (await house.did(previewBatch, { as }, { body: { lineIds } })).rows;
  const shown = async () => (await rows()).map((r) => [r.title, r.amount]);
  expect(await shown()).toEqual([
    ["连锁商贸分店", 200_000],
    ["连锁商贸总店", 100_000],
  ]);
  // one that names the usual title is invoiced together with those that name none
  await names(one.billId, usual);
  expect(await shown()).toEqual([["连锁商贸总店", 300_000]]);
  // a title that has come to another record since is found with its whole account
  await names(one.billId, branch);
  const elsewhere = await aParty(house, "连锁商贸新", { villageId: store.villageId, kind: "merchant" });
  await pool.query("update invoice_title set party_id = $2 where id = $1", [branch, elsewhere]);
  const { titles, lines: wanted } = await begin();
  expect(titles[0]).toMatchObject({ title: "连锁商贸分店", bankAccount: "招商银行****9999" });
  const wish = wanted.map((l) => ({ lineId: l.lineId, amount: l.available }));
  const { bankAccount } = titles[0]!;
  const { ids } = await applied(house, as, wish, {
    titleType: "company",
    title: "连锁商贸分店",
    taxNo: "91330106MA2B2ABC74",
    bankAccount,
  });
  const { rows: whole } = await pool.query("select bank_account from invoice where id = $1", [ids[0]]);
  expect(whole).toEqual([{ bank_account: "招商银行 6222020200011239999" }]);
  await sound();
});

test("the lease block comes from room and contract: papers of the flat, and the term where a charge has no period", async () => {
  await pool.query(
    "update apartment set certificate_no = '浙2026杭州市不动产权第0000001号' where id = (select apartment_id from room where id = $1)",
    [store.roomId],
  );
  const { billId } = await paid([aLine("rent", 100_000, { periodStart: null, periodEnd: null, slices: [] })]);
  const { rows } = await pool.query(
    "select c.start_date, c.end_date from contract c join bill b on b.contract_id = c.id where b.id = $1",
    [billId],
  );
  const certificateNo = "浙2026杭州市不动产权第0000001号";
  const { lease } = await house.did(startApply, { as }, { query: { billIds: String(billId) } });
  expect(lease).toMatchObject({ start: rows[0].start_date, end: rows[0].end_date, certificateNo });
  const { id } = await lineOf(house, billId);
  const { hash } = await house.did(previewBatch, { as }, { body: { lineIds: [id] } });
  const body = { lineIds: [id], previewHash: hash };
  const { ids } = await house.did(applyBatch, { as, key: randomUUID() }, { body });
  expect(await invoiceOf(house, as, ids[0]!)).toMatchObject({
    certificateNo,
    leaseStart: rows[0].start_date,
  });
  await pool.query("update apartment set certificate_no = ''");
});

test("an application may be changed, rejected and sent again once it is made", async () => {
  const { billId } = await paid();
  const { id: lineId } = await lineOf(house, billId);
  const { ids } = await applied(house, as, [{ lineId, amount: 300_000 }]);
  const edited = await onInvoiceNow(house, as, editInvoice, ids[0]!, {
    ...PERSON,
    title: "张三丰",
    bankAccount: "招商银行 6222020200011234567",
  });
  expect(edited.status).toBe(200);
  const masked = "招商银行****4567";
  expect(await invoiceOf(house, as, ids[0]!)).toMatchObject({ title: "张三丰", bankAccount: masked });
  // what comes back as it was shown stays what it was; another number with stars is none
  const again = (bankAccount: string) =>
    onInvoiceNow(house, as, editInvoice, ids[0]!, { ...PERSON, title: "张三丰", bankAccount });
  expect((await again(masked)).status).toBe(200);
  expect((await again("招商银行****9999")).status).toBe(400);
  const { rows: kept } = await house.database.pool.query("select bank_account from invoice where id = $1", [
    ids[0],
  ]);
  expect(kept).toEqual([{ bank_account: "招商银行 6222020200011234567" }]);
  const stale = await house.ask(
    issueInvoice,
    { as, key: randomUUID() },
    { params: { id: ids[0]! }, body: { version: 1 } },
  );
  expect(stale.status).toBe(409);
  await onInvoiceNow(house, as, rejectInvoice, ids[0]!, { reason: "抬头有误" });
  expect(await invoiceOf(house, as, ids[0]!)).toMatchObject({ state: "rejected", reason: "抬头有误" });
  expect(await lineOf(house, billId)).toMatchObject({ invoicing: 0 });
  const next = await applied(house, as, [{ lineId, amount: 300_000 }]);
  const made = await issued(next.ids[0]!);
  await house.did(
    sendInvoice,
    { as },
    { params: { id: made.id }, body: { mobile: "13900000001", email: "a@b.cn" } },
  );
  const { rows } = await pool.query(
    "select channel, recipient, file_id is not null paper from outbox where source = 'invoice' and source_id = $1 order by 1",
    [made.id],
  );
  expect(rows).toEqual([
    { channel: "email", recipient: "a@b.cn", paper: true },
    { channel: "sms", recipient: "13900000001", paper: false },
  ]);
  const log = made.log.map((l) => l.action);
  expect(log).toEqual(["开票", "审核开票", "申请开票"]);
  const bill = await house.did(getBill, { as }, { params: { id: billId } });
  expect(bill.log.map((l) => l.action)).toContain("开票");
});

test("by hand: an invoice made outside is registered with number, day and PDF, and its red letter too", async () => {
  await conf.change({ driver: "manual" });
  await conf.enable();
  const { billId } = await paid();
  const { id: lineId } = await lineOf(house, billId);
  const { ids } = await applied(house, as, [{ lineId, amount: 300_000 }]);
  expect((await onInvoiceNow(house, as, issueInvoice, ids[0]!)).body.message).toContain("手工登记");
  const paper = async () =>
    (await sendFile(house, as, { name: "发票.pdf", bytes: aPdf(), type: "application/pdf" }, "paper10M")).body
      .data.id;
  const tax = await bookBalance(house, "2221");
  const given = { invoiceNo: "26332000000123456789", issuedOn: "2026-03-14" };
  const late = await onInvoiceNow(house, as, registerInvoice, ids[0]!, {
    ...given,
    issuedOn: "2026-03-16",
    fileId: await paper(),
  });
  expect(late.body.fields).toEqual([{ field: "issuedOn", msg: "开票日期不能晚于今天" }]);
  expect(
    (await onInvoiceNow(house, as, registerInvoice, ids[0]!, { ...given, fileId: await paper() })).status,
  ).toBe(200);
  const made = await invoiceOf(house, as, ids[0]!);
  expect(made).toMatchObject({ state: "issued", invoiceNo: given.invoiceNo, files: ["pdf"] });
  expect(made.entries[0]!.businessDate).toBe("2026-03-14");
  expect(await bookBalance(house, "2221")).toBe(tax - 4286);
  const { body } = await redding(house, as, made.id, [{ lineId: made.lines[0]!.id, amount: 300_000 }]);
  expect((await invoiceOf(house, as, body.data!.id)).state).toBe("applied");
  const twice = await onInvoiceNow(house, as, registerInvoice, body.data!.id, {
    ...given,
    fileId: await paper(),
  });
  expect(twice.body.fields).toEqual([{ field: "invoiceNo", msg: "该发票号码已登记" }]);
  await onInvoiceNow(house, as, registerInvoice, body.data!.id, {
    ...given,
    invoiceNo: "26332000000123456780",
    fileId: await paper(),
  });
  expect((await invoiceOf(house, as, made.id)).state).toBe("red");
  expect(await bookBalance(house, "2221")).toBe(tax);
  await conf.change({ driver: "simulator" });
  await conf.enable();
  await sound();
});

test("a paid bill is invoiced by itself where the configuration says so", async () => {
  await conf.change({ autoInvoice: "onPaid", notifyBy: "sms" });
  const { billId } = await paid();
  // hears that it is paid, applies and issues; hears that it is due, makes it
  await house.deliver();
  await house.deliver();
  const { list } = await house.did(listInvoices, { as }, { query: { tab: "issued" } });
  expect(list[0]).toMatchObject({ applicant: "自动开票", amount: 300_000, state: "issued" });
  expect(await lineOf(house, billId)).toMatchObject({ invoiced: 300_000 });
  const { rows } = await pool.query(
    "select recipient from outbox where source = 'invoice' and source_id = $1",
    [list[0]!.id],
  );
  expect(rows).toEqual([{ recipient: "13812345678" }]);
  await conf.change({ autoInvoice: "off", notifyBy: "none" });
  await sound();
});

test("tax that was declared before is not moved again, and a red letter brings back no more than was moved", async () => {
  const { billId, partyId } = await paid();
  const line = await lineOf(house, billId);
  await acting(house, (act) =>
    post(act, [
      {
        event: "E23",
        sourceType: "declared",
        sourceId: line.id,
        businessDate: "2026-03-15",
        legs: [
          debit("2222", store.villageId, 3000, { billId, billLineId: line.id, partyId }),
          credit("2221", store.villageId, 3000, { billId, billLineId: line.id, partyId }),
        ],
      },
    ]),
  );
  const tax = await bookBalance(house, "2221");
  const { ids } = await applied(house, as, [{ lineId: line.id, amount: 300_000 }]);
  const made = await issued(ids[0]!);
  expect(await bookBalance(house, "2221")).toBe(tax - 1286);
  await redding(house, as, made.id, [{ lineId: made.lines[0]!.id, amount: 300_000 }]);
  await house.deliver();
  expect(await bookBalance(house, "2221")).toBe(tax);
  await sound();
});

test("another rate from a day on holds for new bills, for planned ones when it is applied, and never for issued ones", async () => {
  const partyId = await aParty(house, "王五", { villageId: store.villageId });
  const contractId = await aContract(house, store, partyId);
  const issuedBill = await aBill(house, store, partyId, { contractId, dueDate: "2026-03-10" });
  const planned = await aBill(house, store, partyId, {
    contractId,
    dueDate: "2026-05-01",
    lines: [aLine("rent", 300_000), aLine("rent", -30_000, { kind: "adjust", slices: [], reason: "优惠" })],
  });
  await aBill(house, store, partyId, { contractId, dueDate: "2026-05-02", lines: [aLine("rent", 100_000)] });
  await conf.item("rent", {
    taxMode: "rate",
    taxRate: 0.09,
    itemCode: "3040502020200000000",
    itemName: "租金",
    element: "lease",
    fromDay: "2026-04-01",
  });
  const loose = await aBill(house, store, partyId, { dueDate: "2026-05-01" });
  const taxes = async (billId: number) =>
    (
      await pool.query<{ tax: number }>("select tax::int from bill_line where bill_id = $1 order by id", [
        billId,
      ])
    ).rows.map((r) => r.tax);
  expect([await taxes(issuedBill), await taxes(planned), await taxes(loose)]).toEqual([
    [4286],
    [4286, -429],
    [24_771],
  ]);
  const { rows } = await pool.query<{ id: number }>(
    "select id from fee_subject where code = 'rent' and enterprise_id = $1",
    [house.enterpriseId],
  );
  const query = { feeSubjectId: rows[0]!.id, fromDay: "2026-04-01" };
  const preview = await house.did(previewRate, { as: conf.admin }, { params: { id: conf.id }, query });
  expect(preview).toMatchObject({ bills: 2, lines: 3, amount: 370_000, before: 5286, after: 30_551 });
  expect(preview).toMatchObject({ rate: "9%", more: false });
  const first = await acting(house, (act) => ratePreview(act, conf.id, query, 1), { superType: "0" });
  expect(first).toMatchObject({ bills: 1, lines: 2, more: true });
  const done = await house.did(
    applyRate,
    { as: conf.admin },
    { params: { id: conf.id }, body: { ...query, previewHash: preview.hash } },
  );
  expect(done).toEqual({ lines: 3, more: false });
  expect([await taxes(issuedBill), await taxes(planned)]).toEqual([[4286], [24_771, -2477]]);
});

test("the tabs count what they hold", async () => {
  const counts = await house.did(countInvoices, { as }, { query: {} });
  const { total } = await house.did(listInvoices, { as }, { query: { tab: "issued" } });
  expect(counts["issued"]).toBe(total);
  const { list, sums } = await house.did(listLines, { as }, { query: { pageSize: 200 } });
  expect(sums!.available).toBe(list.reduce((sum, l) => sum + l.available, 0));
});
