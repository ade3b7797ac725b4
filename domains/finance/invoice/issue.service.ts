import { sql } from "kysely";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { propose, refuseFrozen } from "../../approval/examine/propose.service.ts";
import {
  type Outlook,
  type Wanted,
  approves,
  money,
  words,
} from "../../approval/examine/registry.service.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { INVOICE_KIND } from "../einvoice/einvoice.rules.ts";
import { confHeld } from "../einvoice/conf.queries.ts";
import type { BuyerInput } from "./acts.contract.ts";
import { bookIssued, bookNotMade } from "./book.service.ts";
import { invoiceDue } from "./invoice.contract.ts";
import { type Invoice, linesOf, lockInvoice, readInvoice } from "./invoice.queries.ts";
import { INVOICE_MOVES, INVOICE_STATE, taxOfPart } from "./invoice.rules.ts";
import { type Charged, chargedLines } from "./lines.queries.ts";
import { CHANGED, keep, moveInvoice, noteInvoice, wholeAccount } from "./keep.service.ts";

type Seen = { version: number };

/** In scope, as one has seen it, and waiting for nobody's approval. */
async function actedOn(act: Act, id: number, { version }: Seen): Promise<Invoice> {
  const invoice = await lockInvoice(act, id);
  await refuseFrozen(act, "invoice", [id]);
  asSeen(invoice, version);
  return invoice;
}

/** Hands an application over to its driver, by a job of its own. */
export async function issue(act: Act, invoice: Invoice): Promise<void> {
  const conf = await confHeld(act, invoice.configId);
  const { driver } = conf;
  const state = INVOICE_MOVES.next("issue", { ...invoice, driver });
  if (!conf.enabled) throw new Refusal("notAllowed", "该门店未启用电子发票配置");
  await moveInvoice(act, invoice, state, { driver, nextAskAt: act.now.toISOString() });
  await noteInvoice(act, invoice, "审核开票", `${yuan(invoice.amount)} 元提交开具`);
  await act.emit(invoiceDue, { id: invoice.id });
}

export const issueSeen = async (act: Act, id: number, seen: Seen): Promise<void> =>
  issue(act, await actedOn(act, id, seen));

/** Tries again what was plainly refused: under a new number, for the old one is used up, with what may be invoiced now. */
export async function retry(act: Act, id: number, seen: Seen): Promise<void> {
  const invoice = await actedOn(act, id, seen);
  const { driver } = await confHeld(act, invoice.configId);
  const state = INVOICE_MOVES.next("retry", { ...invoice, driver });
  const lines = await reserveAgain(act, invoice);
  const tax = await taxAgain(act, invoice, lines);
  const attempt = invoice.attempt + 1;
  await moveInvoice(act, invoice, state, {
    driver,
    tax,
    attempt,
    serialNo: `${invoice.applyNo.replaceAll("-", "")}R${attempt}`,
    sentAt: null,
    asked: 0,
    failure: "",
    outsideNo: "",
    redConfirmNo: "",
    redConfirmState: null,
    redConfirmUntil: null,
    nextAskAt: act.now.toISOString(),
  });
  await noteInvoice(act, invoice, "重试开票", `第 ${attempt} 次提交开具`);
  await act.emit(invoiceDue, { id });
}

/** Holds again what a failure released, as far as it may still be invoiced; answers the lines as they stood before, of a red letter none. */
async function reserveAgain(act: Act, invoice: Invoice): Promise<Charged[]> {
  if (invoice.direction === "red") {
    const blue = (await readInvoice(act, invoice.redOfId!))!;
    if (blue.redAmount + blue.reding + invoice.amount > blue.amount)
      throw new Refusal("changed", CHANGED, 409);
    const lines = await linesOf(act, invoice.id);
    const of = await linesOf(act, blue.id);
    for (const line of lines) {
      const from = of.find((one) => one.id === line.redLineId)!;
      if (from.redAmount + line.amount > from.amount || from.redTax + line.tax > from.tax)
        throw new Refusal("changed", CHANGED, 409);
    }
    await sql`update invoice set reding = reding + ${invoice.amount}, version = version + 1 where id = ${blue.id}`.execute(
      act.tx,
    );
    return [];
  }
  const lines = await linesOf(act, invoice.id);
  const charged = await chargedLines(act, [...new Set(lines.map((l) => l.billLineId))], { lock: true });
  for (const { id, available, why } of charged) {
    const wanted = lines.reduce((sum, l) => (l.billLineId === id ? sum + l.amount : sum), 0);
    // such as of a bill that was voided meanwhile
    if (why || wanted > available) throw new Refusal("changed", CHANGED, 409);
  }
  await keep(act, lines, 1, 0);
  return charged;
}

/** What is tried or registered again bears the cumulative share of now: others may have been made of its lines since it was refused. */
async function taxAgain(act: Act, invoice: Invoice, charged: readonly Charged[]): Promise<Fen> {
  if (!charged.length) return invoice.tax;
  const bears = new Map(charged.map((line) => [line.id, { ...line }]));
  const taxes = (await linesOf(act, invoice.id)).map(({ id, billLineId, amount }) => {
    const of = bears.get(billLineId)!;
    const tax = taxOfPart(of, amount);
    of.taken += amount;
    of.takenTax += tax;
    return { id, tax };
  });
  await sql`update invoice_line y set tax = r.tax from json_to_recordset(${JSON.stringify(taxes)}::json) r(id bigint, tax bigint)
    where y.id = r.id and y.tax <> r.tax`.execute(act.tx);
  return taxes.reduce((sum, { tax }) => sum + tax, 0);
}

/** Cancels an application: releases what it held. */
export async function drop(
  act: Act,
  invoice: Invoice,
  to: "rejected" | "cancelled",
  reason: string,
): Promise<void> {
  const state = INVOICE_MOVES.next(to === "rejected" ? "reject" : "cancel", invoice);
  if (invoice.status === "applied") await bookNotMade(act, invoice);
  await moveInvoice(act, invoice, state, { endReason: reason.slice(0, 200) });
  await noteInvoice(act, invoice, INVOICE_STATE[to][0].slice(1), reason);
}
export const dropSeen = async (
  act: Act,
  id: number,
  { reason, ...seen }: Seen & { reason: string },
  to: "rejected" | "cancelled",
): Promise<void> => drop(act, await actedOn(act, id, seen), to, reason);

export const buyerColumns = (buyer: BuyerInput) => ({
  kind: buyer.kind,
  titleType: buyer.titleType,
  title: buyer.title,
  taxNo: buyer.taxNo.toUpperCase(),
  addressPhone: buyer.addressPhone,
  bankAccount: buyer.bankAccount,
  receiverMobile: buyer.receiverMobile,
  receiverEmail: buyer.receiverEmail,
  leaseAddress: buyer.leaseAddress,
  leaseStart: buyer.leaseStart ?? null,
  leaseEnd: buyer.leaseEnd ?? null,
  crossCity: buyer.crossCity,
  certificateNo: buyer.certificateNo,
  remark: buyer.remark,
});

/** Another buyer, or another place to send it to, before it is made. */
export async function changeBuyer(
  act: Act,
  id: number,
  { version, ...buyer }: Seen & BuyerInput,
): Promise<void> {
  const invoice = await actedOn(act, id, { version });
  INVOICE_MOVES.next("edit", invoice);
  const leased = (await linesOf(act, id)).some((l) => l.element === "lease");
  if (leased && !(buyer.leaseAddress && buyer.leaseStart && buyer.leaseEnd))
    throw invalid({ field: "leaseAddress", msg: "请补全不动产租赁信息" });
  const bankAccount = await wholeAccount(act, invoice.partyId, buyer.bankAccount, [invoice.bankAccount]);
  await moveInvoice(act, invoice, invoice.status, buyerColumns({ ...buyer, bankAccount }));
  await noteInvoice(
    act,
    invoice,
    "修改开票信息",
    `${INVOICE_KIND[buyer.kind][0]}，购方 ${buyer.title} ${buyer.taxNo}`,
  );
  const { kind, title, taxNo } = invoice;
  // what was approved was this title: another one is made once that is approved too
  if (kind !== buyer.kind || title !== buyer.title || taxNo !== buyer.taxNo.toUpperCase())
    await propose(act, "invoice", [
      {
        recordId: id,
        villageId: invoice.villageId,
        payload: {},
        reason: `修改购方：${title} → ${buyer.title}`,
      },
    ]);
}

/** An invoice made outside, with its number, day and paper. */
export async function register(
  act: Act,
  id: number,
  { version, invoiceNo, issuedOn, fileId }: Seen & { invoiceNo: string; issuedOn: string; fileId: number },
): Promise<void> {
  const invoice = await actedOn(act, id, { version });
  INVOICE_MOVES.next("register", invoice);
  if (issuedOn > act.today) throw invalid({ field: "issuedOn", msg: "开票日期不能晚于今天" });
  if (invoice.redOfId !== null) {
    const blue = await theRow(act, "invoice", ["invoiceNo", "issuedOn"], { id: invoice.redOfId });
    if (issuedOn < blue.issuedOn!) {
      const msg = `红票日期不能早于原发票 ${blue.invoiceNo} 的开票日期 ${blue.issuedOn}`;
      throw invalid({ field: "issuedOn", msg });
    }
  }
  const file = await aRow(act, "storedFile", ["type"], { id: fileId });
  if (file?.type !== "application/pdf") throw invalid({ field: "fileId", msg: "请上传发票PDF" });
  await attachFile(act, fileId, {
    targetKind: "invoice",
    targetId: id,
    villageId: invoice.villageId,
    needs: "28.get",
  });
  if (invoice.status === "failed")
    invoice.tax = await taxAgain(act, invoice, await reserveAgain(act, invoice));
  const noon = new Date(`${issuedOn}T12:00:00+08:00`);
  const issuedAt = (noon > act.now ? act.now : noon).toISOString();
  await bookIssued(act, invoice, { invoiceNo, issuedAt, files: false });
}

type Part = { lineId: number; amount: Fen };

/** What a red letter takes back, line by line, with the tax of the cumulative share. */
async function redParts(read: Read, invoice: Invoice, wanted: readonly Part[]) {
  INVOICE_MOVES.next("red", invoice);
  if (invoice.reding) throw new Refusal("notAllowed", "该发票有红字申请正在处理，请等待结果");
  const lines = await linesOf(read, invoice.id);
  const parts = wanted.map(({ lineId, amount }) => {
    const line = lines.find((l) => l.id === lineId);
    if (!line) throw notFound();
    if (amount > line.amount - line.redAmount)
      throw new Refusal("notAllowed", "红冲金额不能超过未红冲金额", 409);
    const tax = taxOfPart(
      { whole: line.amount, tax: line.tax, taken: line.redAmount, takenTax: line.redTax },
      amount,
    );
    return { line, amount, tax };
  });
  const amount = parts.reduce((sum, p) => sum + p.amount, 0);
  const tax = parts.reduce((sum, p) => sum + p.tax, 0);
  return {
    parts,
    amount,
    tax,
    shown: {
      lines: parts.map((p) => ({ id: p.line.id, itemName: p.line.itemName, amount: p.amount, tax: p.tax })),
      amount,
      tax,
      hash: basisHash([invoice.id, parts.map((p) => [p.line.id, p.amount, p.tax, p.line.redAmount])]),
    },
  };
}

export const redPreview = async (read: Read, invoice: Invoice, lines: readonly Part[]) =>
  (await redParts(read, invoice, lines)).shown;

/** Asks for a red letter: it holds what it takes until its driver, and where it must the buyer, has said yes. */
export async function applyRed(
  act: Act,
  id: number,
  given: Seen & { reason: "01" | "02" | "03" | "04"; lines: Part[]; remark: string; previewHash: string },
): Promise<{ id: number; applyNo: string }> {
  const blue = await actedOn(act, id, given);
  const { parts, amount, tax, shown } = await redParts(act, blue, given.lines);
  if (shown.hash !== given.previewHash) throw new Refusal("previewChanged", CHANGED, 409, { data: shown });
  const [applyNo] = await act.numbers("FP");
  const { driver } = await confHeld(act, blue.configId);
  const manual = driver === "manual";
  const made = await act.tx
    .insertInto("invoice")
    .values({
      applyNo: applyNo!,
      serialNo: applyNo!.replaceAll("-", ""),
      direction: "red",
      kind: blue.kind,
      carrier: blue.carrier,
      enterpriseId: blue.enterpriseId,
      configId: blue.configId,
      villageId: blue.villageId,
      partyId: blue.partyId,
      driver,
      titleType: blue.titleType,
      title: blue.title,
      taxNo: blue.taxNo,
      addressPhone: blue.addressPhone,
      bankAccount: blue.bankAccount,
      receiverMobile: blue.receiverMobile,
      receiverEmail: blue.receiverEmail,
      leaseAddress: blue.leaseAddress,
      leaseStart: blue.leaseStart,
      leaseEnd: blue.leaseEnd,
      crossCity: blue.crossCity,
      certificateNo: blue.certificateNo,
      amount,
      tax,
      remark: given.remark,
      state: manual ? "applied" : "issuing",
      nextAskAt: manual ? null : act.now.toISOString(),
      redOfId: blue.id,
      redReason: given.reason,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
      ...stamp(act),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("invoiceLine")
    .values(
      parts.map(({ line, ...part }, seq) => ({
        invoiceId: made.id,
        seq,
        billId: line.billId,
        billLineId: line.billLineId,
        redLineId: line.id,
        feeSubjectId: line.feeSubjectId,
        contractId: line.contractId,
        itemCode: line.itemCode,
        itemName: line.itemName,
        taxMode: line.taxMode,
        taxRate: line.taxRate,
        policy: line.policy,
        element: line.element,
        ...part,
      })),
    )
    .execute();
  await sql`update invoice set reding = ${amount}, version = version + 1 where id = ${blue.id}`.execute(
    act.tx,
  );
  const red = (await readInvoice(act, made.id))!;
  await noteInvoice(act, red, "申请红冲", `红冲 ${blue.invoiceNo} ${yuan(amount)} 元`);
  await act.note({
    kind: "invoice",
    recordId: blue.id,
    number: blue.applyNo,
    villageId: blue.villageId,
    action: "申请红冲",
    summary: `红冲 ${yuan(amount)} 元，红字申请 ${applyNo}`,
  });
  if (!manual) await act.emit(invoiceDue, { id: made.id });
  return { id: made.id, applyNo: applyNo! };
}

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const invoice = await readInvoice(read, id);
  if (!invoice) throw notFound();
  if (invoice.status !== "applied" && invoice.status !== "failed")
    throw new Refusal("notAllowed", "该开票申请已处理");
  const lines = await linesOf(read, id);
  return {
    title: `开票 ${invoice.applyNo}`,
    number: invoice.applyNo,
    villageId: invoice.villageId,
    amount: invoice.amount,
    values: { amount: invoice.amount },
    facts: [
      ["购方", invoice.title],
      ["税号", invoice.taxNo || "—"],
      ["票种", INVOICE_KIND[invoice.kind][0]],
      ["税额", `${yuan(invoice.tax)} 元`],
    ],
    preview: [
      {
        title: "开票明细",
        columns: [words("项目名称"), money("价税合计"), money("税额")],
        rows: lines.map((l) => [l.itemName, l.amount, l.tax]),
      },
    ],
    hash: basisHash([id, invoice.amount, invoice.tax, invoice.kind, invoice.title, invoice.taxNo]),
  };
}

approves({
  type: "invoice",
  title: "开票",
  group: "财务",
  kind: "invoice",
  page: "/accountManage/InvoiceManage",
  permit: "28.query",
  fields: [{ key: "amount", title: "金额", kind: "money" }],
  outlook: outlookOf,
  effect: async (act, { id }) => {
    const invoice = await readInvoice(act, id, { lock: true });
    if (!invoice) throw notFound();
    // what is registered by hand waits for its number, what has failed for being tried again
    if (invoice.driver !== "manual" && invoice.status === "applied") await issue(act, invoice);
  },
  dropped: async (act, { id }, { state, why }) => {
    const invoice = await readInvoice(act, id, { lock: true });
    if (invoice?.status !== "applied" && invoice?.status !== "failed") return;
    const rejected = state === "rejected" && invoice.status === "applied";
    await drop(act, invoice, rejected ? "rejected" : "cancelled", why || "审批未通过");
  },
});
