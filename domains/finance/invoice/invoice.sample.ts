import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aBill, aContract, aLine, aParty, aStore } from "../bill/bill.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import { aConf } from "../einvoice/einvoice.sample.ts";
import { someAccounts, take } from "../flow/flow.sample.ts";
import { applyInvoice, issueInvoice, previewApply, previewRed, redInvoice } from "./acts.contract.ts";
import { getInvoice } from "./invoice.contract.ts";
import jobs from "./invoice.job.ts";

export const APPLYING = ["28.query", "28.get", "28.add", "28.edit", "28.delete", "28.export"];
export const ISSUING = ["#2801", "#2802", "#2803"];

export const PERSON = {
  kind: "general",
  titleType: "person",
  title: "张三",
  receiverMobile: "13812345678",
  leaseAddress: "杭州市滨江区江南大道 100 号 1203",
  leaseStart: "2026-03-10",
  leaseEnd: "2026-04-09",
} as const;
export const COMPANY = {
  ...PERSON,
  kind: "special",
  titleType: "company",
  title: "宏远商贸有限公司",
  taxNo: "91330106MA2B2ABC74",
} as const;

export type Wish = { lineId: number; amount: number };

/** Applies as the drawer does: with the hash of what it showed. */
export async function applying(house: TestHouse, as: Person, lines: Wish[], more: object = {}) {
  const { body } = await house.ask(previewApply, { as }, { body: { lines } });
  const previewHash = body.data?.hash ?? "-";
  return house.ask(
    applyInvoice,
    { as, key: randomUUID() },
    {
      body: { ...PERSON, lines, previewHash, ...more } as never,
    },
  );
}
export async function applied(house: TestHouse, as: Person, lines: Wish[], more: object = {}) {
  const { status, body } = await applying(house, as, lines, more);
  if (status !== 200) throw new Error(`${body.message} ${JSON.stringify(body.fields)}`);
  return body.data;
}

export const invoiceOf = (house: TestHouse, as: Person, id: number) =>
  house.did(getInvoice, { as }, { params: { id } });

/** An act on an invoice as it stands now. */
export async function onInvoiceNow<C extends Call>(
  house: TestHouse,
  as: Person,
  call: C,
  id: number,
  body: object = {},
) {
  const { version } = await invoiceOf(house, as, id);
  return house.ask(call, { as, key: randomUUID() }, {
    params: { id },
    body: { version, ...body },
  } as unknown as Sent<C> as never);
}

/** Takes back so much of the lines of an invoice. */
export async function redding(house: TestHouse, as: Person, id: number, lines: Wish[], reason = "04") {
  const { body } = await house.ask(previewRed, { as }, { params: { id }, body: { lines } });
  return onInvoiceNow(house, as, redInvoice, id, {
    reason,
    lines,
    previewHash: body.data?.hash ?? "-",
  });
}

/** The minute's run that asks drivers. */
export const askingDrivers = (house: TestHouse) =>
  perform(
    house,
    jobs.find((j) => j.name === "invoice.ask")!,
    {},
    randomUUID(),
  );

export async function lineOf(house: TestHouse, billId: number, code = "rent") {
  const { rows } = await house.database.pool.query<{
    id: number;
    invoiced: number;
    invoicing: number;
    amount: number;
  }>(
    `select l.id, l.invoiced, l.invoicing, l.amount from bill_line l join fee_subject s on s.id = l.fee_subject_id
     where l.bill_id = $1 and s.code = $2 and l.kind in ('normal', 'lateFee')`,
    [billId, code],
  );
  return rows[0]!;
}

/** `of`: another contract of a party that is there, under this number. */
type Paid = { name?: string; kind?: string; leased?: boolean; of?: { partyId: number; no: string } };
export type Issuer = Awaited<ReturnType<typeof anIssuer>>;

/** A store that issues invoices on 15 March, and somebody who may apply for them and issue them. */
export async function anIssuer(house: TestHouse, permits: string[] = []) {
  house.setClock("2026-03-15T10:00:00+08:00");
  const store = await aStore(house);
  const accounts = await someAccounts(house, store);
  const conf = await aConf(house, [store.villageId]);
  const as = await house.person({
    permits: [...APPLYING, ...ISSUING, ...permits],
    villages: [store.villageId],
  });
  /** A bill that was paid on the 10th. */
  const paid = async (
    lines = [aLine("rent", 300_000)],
    { name = "张三", kind = "renter", leased = true, of }: Paid = {},
  ) => {
    const partyId = of?.partyId ?? (await aParty(house, name, { villageId: store.villageId, kind }));
    const contract = leased && { contractId: await aContract(house, store, partyId, of) };
    const billId = await aBill(house, store, partyId, { ...contract, dueDate: "2026-03-10", lines });
    await take(house, store, accounts, partyId, {
      amount: lines.reduce((sum, l) => sum + l.amount, 0),
      paidAt: "2026-03-10T09:00:00+08:00",
      bills: [billId],
    });
    return { partyId, billId };
  };
  const issued = async (id: number) => {
    const { body } = await onInvoiceNow(house, as, issueInvoice, id);
    expect(body.message).toBe("ok");
    await house.deliver();
    return invoiceOf(house, as, id);
  };
  const sound = async () =>
    expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
  return { store, accounts, conf, as, paid, issued, sound };
}
