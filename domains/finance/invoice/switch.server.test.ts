import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { editInvoice, issueInvoice, registerInvoice, retryInvoice } from "./acts.contract.ts";
import {
  anIssuer,
  applied,
  askingDrivers,
  COMPANY,
  invoiceOf,
  type Issuer,
  lineOf,
  onInvoiceNow,
  PERSON,
  redding,
} from "./invoice.sample.ts";

const house = await testHouse();
let { store, conf, as, paid, issued, sound } = {} as Issuer;
beforeAll(async () => {
  ({ store, conf, as, paid, issued, sound } = await anIssuer(house));
});

async function waiting() {
  const { billId } = await paid();
  const { id: lineId } = await lineOf(house, billId);
  const { ids } = await applied(house, as, [{ lineId, amount: 300_000 }]);
  return ids[0]!;
}
const now = (id: number) => invoiceOf(house, as, id);
const BY_HAND = "该企业为手工登记发票，请登记已开具的发票";
let numbers = 0;
async function registering(id: number, issuedOn = "2026-03-15") {
  const file = { name: "发票.pdf", bytes: aPdf(), type: "application/pdf" };
  const { data } = (await sendFile(house, as, file, "paper10M")).body;
  const invoiceNo = `2633200000000000${String(++numbers).padStart(4, "0")}`;
  return onInvoiceNow(house, as, registerInvoice, id, { invoiceNo, issuedOn, fileId: data.id });
}

test("switched to 手工登记, what waits, has failed or is taken back is registered, and nothing is handed to nobody", async () => {
  const made = (await issued(await waiting())).id;
  await conf.behave("refuse");
  const failed = (await issued(await waiting())).id;
  expect((await now(failed)).state).toBe("failed");
  await conf.behave("normal");
  const open = await waiting();
  await conf.change({ driver: "manual" });
  await conf.enable();
  for (const [call, id] of [
    [issueInvoice, open],
    [retryInvoice, failed],
  ] as const)
    expect((await onInvoiceNow(house, as, call, id)).body.message).toBe(BY_HAND);
  expect([(await now(open)).state, (await now(failed)).state]).toEqual(["applied", "failed"]);
  expect((await registering(open)).status).toBe(200);
  const line = (await now(made)).lines[0]!;
  const red = await redding(house, as, made, [{ lineId: line.id, amount: line.amount }]);
  expect(red.status).toBe(200);
  expect((await now(red.body.data.id)).state).toBe("applied");
  const { invoiceNo } = await now(made);
  const early = `红票日期不能早于原发票 ${invoiceNo} 的开票日期 2026-03-15`;
  expect((await registering(red.body.data.id, "2026-03-14")).body.fields).toEqual([
    { field: "issuedOn", msg: early },
  ]);
  expect((await registering(red.body.data.id)).status).toBe(200);
  // one that an older release handed over all the same
  const stuck = await waiting();
  await house.database.pool.query(
    "update invoice set state = 'issuing', driver = 'simulator', next_ask_at = now() - interval '1 year' where id = $1",
    [stuck],
  );
  await askingDrivers(house);
  expect(await now(stuck)).toMatchObject({ state: "failed", reason: BY_HAND });
  expect((await registering(stuck)).status).toBe(200);
  await conf.change({ driver: "simulator" });
  await conf.enable();
  await sound();
});

/** The three thirds of a paid line: two whose invoices are refused, then one that is made. */
async function thirds() {
  const { billId } = await paid();
  const { id: lineId } = await lineOf(house, billId);
  const third = async () => (await applied(house, as, [{ lineId, amount: 100_000 }])).ids[0]!;
  await conf.behave("refuse");
  const refused = [(await issued(await third())).id, (await issued(await third())).id];
  await conf.behave("normal");
  return { refused, made: [(await issued(await third())).id] };
}
/** In the order in which they were made they bear the tax of the line to the fen. */
async function bearWhole(made: readonly number[]): Promise<void> {
  const all = await Promise.all(made.map(now));
  expect(all.map((i) => [i.state, i.tax, i.lines[0]!.tax])).toEqual([
    ["issued", 1429, 1429],
    ["issued", 1428, 1428],
    ["issued", 1429, 1429],
  ]);
}

test("what is tried again bears the tax that is left: a line that is wholly invoiced carries its own to the fen", async () => {
  const { refused, made } = await thirds();
  for (const id of refused) {
    expect((await onInvoiceNow(house, as, retryInvoice, id)).status).toBe(200);
    await house.deliver();
    made.push(id);
  }
  await bearWhole(made);
  await sound();
});

test("what is registered by hand after it was refused does so too", async () => {
  const { refused, made } = await thirds();
  await conf.change({ driver: "manual" });
  await conf.enable();
  for (const id of refused) expect((await registering(id)).status).toBe(200);
  await bearWhole([...made, ...refused]);
  await conf.change({ driver: "simulator" });
  await conf.enable();
  await sound();
});

test("another title, number or kind than was approved waits for approval again before it is made", async () => {
  const chief = await house.person({ permits: ["28.query"], villages: [store.villageId], name: "罗佳宁" });
  const admin = await house.person({ superType: "1", name: "许承锦" });
  await aModule(house, admin, {
    moduleType: "invoice",
    name: "开票审批",
    villageIds: [store.villageId],
    fallback: chief,
    processes: [otherwise(asking("财务", [chief]))],
  });
  const decide = async (id: number, decision: "approve" | "reject") => {
    const { rows } = await house.database.pool.query(
      "select id::int, version from examine where target_kind = 'invoice' and target_id = $1 and state = 'approving'",
      [id],
    );
    const [{ id: examineId, version }] = rows;
    const how = { as: chief, key: randomUUID() };
    const body = { decision, version, comment: "不同意" };
    await house.did(decideExamine, how, { params: { id: examineId }, body: body as never });
    await house.deliver();
  };
  await conf.behave("refuse");
  const id = await waiting();
  await decide(id, "approve");
  expect(await now(id)).toMatchObject({ state: "failed", title: "张三" });
  await conf.behave("normal");
  // where it is sent to needs no approval
  const elsewhere = { ...PERSON, receiverMobile: "13912345678" };
  expect((await onInvoiceNow(house, as, editInvoice, id, elsewhere)).status).toBe(200);
  expect(await now(id)).toMatchObject({ frozen: false });
  expect((await onInvoiceNow(house, as, editInvoice, id, COMPANY)).status).toBe(200);
  expect(await now(id)).toMatchObject({ title: COMPANY.title, frozen: true });
  expect((await onInvoiceNow(house, as, retryInvoice, id)).body.reason).toBe("frozen");
  await decide(id, "approve");
  expect((await onInvoiceNow(house, as, retryInvoice, id)).status).toBe(200);
  await house.deliver();
  expect(await now(id)).toMatchObject({ state: "issued", title: COMPANY.title });
  await sound();
});
