import { Refusal } from "../../../platform/kernel/refusal.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { nobody, type Act } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { netOf } from "../bill/bill.rules.ts";
import { type Conf, confById } from "../einvoice/conf.queries.ts";
import { driverOf } from "../einvoice/driver.service.ts";
import type { InvoiceDriver, Notification, Order, OrderItem, Told } from "../einvoice/einvoice.rules.ts";
import { bookTold, fail } from "./book.service.ts";
import { deliver } from "./deliver.service.ts";
import { invoiceDue } from "./invoice.contract.ts";
import { type Invoice, linesOf, readInvoice } from "./invoice.queries.ts";
import { askAfter } from "./invoice.rules.ts";
import { CHANGED } from "./keep.service.ts";

const REQUEST = { requestId: "", ip: "", userAgent: "job" };

const inside = <T>(house: House, work: (act: Act) => Promise<T>): Promise<T> =>
  house.database.db.transaction().execute((tx) => work(actOf(house, tx, nobody, REQUEST)));

type Doing = { conf: Conf; order: Order; first: boolean; red: boolean; outsideNo: string };

/**
 * Advances one invoice at its driver. The send is recorded before it happens, between two transactions; the next run after a
 * time-out or a crash queries the serial number first, and sends again under the same number only what the driver never received.
 */
export async function tend(house: House, id: number): Promise<void> {
  const doing = await inside(house, (act) => claim(act, id));
  if (doing) await ask(house, id, doing);
  await fetchFiles(house, id);
}

async function ask(house: House, id: number, { conf, order, first, red, outsideNo }: Doing): Promise<void> {
  let told: Told | undefined;
  let problem = "";
  try {
    const driver = await driverAt(house, conf);
    const known = first ? undefined : await driver.query(order.serialNo, { red, outsideNo });
    told = known ?? (await driver.issue(order));
  } catch (error) {
    // a refusal is about the configuration: the outcome is unknown, or nothing was sent
    if (!(error instanceof Refusal) && !mayPass(error)) throw error;
    problem = error instanceof Refusal ? error.message : "开票服务商没有响应，系统会自动查询结果";
  }
  await inside(house, async (act) => {
    if (told) await bookTold(act, id, told);
    await act.tx
      .updateTable("invoice")
      .set({ failure: problem.slice(0, 200) })
      .where("id", "=", id)
      .where("state", "=", "issuing")
      .execute();
  });
}

const driverAt = (house: House, conf: Conf): Promise<InvoiceDriver> =>
  driverOf(
    {
      db: house.database.db,
      cipher: house.cipher,
      now: house.clock(),
      settings: house.settings,
      hears: (notification) => inside(house, (act) => hear(act, conf, notification)),
    },
    conf,
  );

/** The next step; nothing where it is finished. Recorded before anything is sent. */
async function claim(act: Act, id: number): Promise<Doing | undefined> {
  const invoice = await readInvoice(act, id, { lock: true });
  if (invoice?.status !== "issuing") return undefined;
  const conf = await confById(act, invoice.configId);
  // nobody can be asked: it is registered by hand
  if (conf.driver === "manual") {
    await act.tx.updateTable("invoice").set({ driver: "manual" }).where("id", "=", id).execute();
    await fail(act, invoice, "该企业为手工登记发票，请登记已开具的发票");
    return undefined;
  }
  const first = invoice.sentAt === null;
  if (first && !(await stillFits(act, invoice))) {
    await fail(act, invoice, CHANGED);
    return undefined;
  }
  const asked = invoice.asked + 1;
  const now = act.now.toISOString();
  await act.tx
    .updateTable("invoice")
    .set({
      asked,
      sentAt: invoice.sentAt ?? now,
      nextAskAt: new Date(act.now.getTime() + askAfter(asked) * 60_000).toISOString(),
    })
    .where("id", "=", id)
    .execute();
  const order = await orderOf(act, invoice, conf);
  return { conf, order, first, red: invoice.direction === "red", outsideNo: invoice.outsideNo };
}

/** A line may have fallen since it was applied for: then nothing is sent. */
async function stillFits(act: Act, invoice: Invoice): Promise<boolean> {
  if (invoice.direction === "red") return true;
  const lines = await linesOf(act, invoice.id);
  const bills = await lockBills(
    act,
    lines.map((l) => l.billId),
  );
  const own = new Set(lines.map((l) => l.billLineId));
  return bills
    .flatMap((bill) => bill.lines)
    .every((line) => !own.has(line.id) || line.invoiced + line.invoicing <= netOf(line));
}

async function orderOf(act: Act, invoice: Invoice, conf: Conf): Promise<Order> {
  const red = invoice.direction === "red";
  const blue = red ? (await readInvoice(act, invoice.redOfId!))! : undefined;
  const lines = await linesOf(act, invoice.id);
  // a row of the blue invoice is one item of it
  const rows = blue ? itemsOf(await linesOf(act, blue.id)) : undefined;
  const items = itemsOf(lines).map((item) => ({
    ...item,
    ...(rows && { blueRow: rows.findIndex((row) => sameItem(row, item)) + 1 }),
  }));
  const leased = lines.some((l) => l.element === "lease");
  return {
    serialNo: invoice.serialNo,
    kind: invoice.kind,
    seller: sellerOf(conf),
    buyer: {
      company: invoice.titleType === "company",
      name: invoice.title,
      taxNo: invoice.taxNo,
      addressPhone: invoice.addressPhone,
      bankAccount: invoice.bankAccount,
    },
    amount: invoice.amount,
    tax: invoice.tax,
    items,
    lease: leased
      ? {
          address: invoice.leaseAddress,
          start: invoice.leaseStart!,
          end: invoice.leaseEnd!,
          crossCity: invoice.crossCity,
          certificateNo: invoice.certificateNo,
          areaUnit: invoice.areaUnit,
        }
      : null,
    remark: invoice.remark,
    at: act.now.toISOString(),
    red: blue
      ? {
          invoiceNo: blue.invoiceNo!,
          issuedAt: new Date(blue.issuedAt!).toISOString(),
          reason: invoice.redReason!,
          whole: invoice.amount === blue.amount,
        }
      : null,
  };
}

const sellerOf = ({ name, taxNo, address, phone, bank, account, drawer, payee, reviewer }: Conf) => ({
  ...{ name, taxNo, address, phone, bank, account },
  ...{ drawer, payee, reviewer },
});

const sameItem = (a: OrderItem, b: OrderItem): boolean =>
  a.code === b.code && a.name === b.name && a.taxMode === b.taxMode && a.taxRate === b.taxRate;

/** Lines of one kind are one row: of a lease the tax authority takes no more. */
function itemsOf(lines: Awaited<ReturnType<typeof linesOf>>): OrderItem[] {
  const items: OrderItem[] = [];
  for (const line of lines) {
    const item = {
      code: line.itemCode,
      name: line.itemName,
      taxMode: line.taxMode,
      taxRate: line.taxRate,
      policy: line.policy,
      amount: line.amount,
      tax: line.tax,
    };
    const same = items.find((one) => sameItem(one, item));
    if (!same) items.push(item);
    else {
      same.amount += item.amount;
      same.tax += item.tax;
    }
  }
  return items;
}

/** Brings the files of what is issued, and sends them to whom the invoice is for. */
async function fetchFiles(house: House, id: number): Promise<void> {
  const invoice = await inside(house, (act) => readInvoice(act, id));
  if (!invoice?.filesDue || !invoice.invoiceNo) return;
  const conf = await inside(house, (act) => confById(act, invoice.configId));
  try {
    const driver = await driverAt(house, conf);
    const files = await driver.files({
      serialNo: invoice.serialNo,
      state: "issued",
      invoiceNo: invoice.invoiceNo,
      issuedAt: new Date(invoice.issuedAt!).toISOString(),
      reason: "",
      outsideNo: invoice.outsideNo,
    });
    await inside(house, async (act) => {
      const now = await readInvoice(act, id, { lock: true });
      if (!now?.filesDue) return;
      const by = { targetKind: "invoice", targetId: id, villageId: now.villageId, needs: "28.get" } as const;
      const kept: { kind: string; id: number }[] = [];
      for (const { kind, type, bytes } of files) {
        const { id: fileId } = await keepFile(
          act,
          { name: `发票_${now.invoiceNo}.${kind}`, type, bytes },
          by,
        );
        kept.push({ kind, id: fileId });
      }
      await act.tx
        .updateTable("invoice")
        .set({ filesDue: false, version: NEXT_VERSION })
        .where("id", "=", id)
        .execute();
      const pdf = kept.find((file) => file.kind === "pdf")?.id;
      await deliver(act, now, {
        mobile: conf.notifyBy === "sms" ? now.receiverMobile : "",
        email: conf.notifyBy === "email" ? now.receiverEmail : "",
        fileId: pdf,
        once: `invoice.sent.${id}`,
      });
    });
  } catch (error) {
    if (!(error instanceof Refusal) && !mayPass(error)) throw error;
    // the job asks for them again
  }
}

/** A call-back about an order: its content is ignored, the outcome is queried. */
export async function hear(act: Act, conf: Conf, notification: Notification): Promise<void> {
  const driver = await driverOf(
    { db: act.tx, cipher: act.cipher, now: act.now, settings: act.settings },
    conf,
  );
  const serialNo = driver.hear(notification);
  const invoice = await act.tx
    .selectFrom("invoice")
    .select("id")
    .where("serialNo", "=", serialNo)
    .where("configId", "=", conf.id)
    .where("state", "=", "issuing")
    .executeTakeFirst();
  // unknown and finished orders are acknowledged, else the driver would repeat its call-back
  if (invoice) await act.emit(invoiceDue, { id: invoice.id });
}
