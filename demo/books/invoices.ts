import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { changeItem, createConf, switchConf } from "../../domains/finance/einvoice/conf.service.ts";
import { confById } from "../../domains/finance/einvoice/conf.queries.ts";
import type { Behaviour } from "../../domains/finance/einvoice/einvoice.rules.ts";
import { applyAll, batchOf } from "../../domains/finance/invoice/apply.service.ts";
import { applyRed, issue, redPreview } from "../../domains/finance/invoice/issue.service.ts";
import { linesOf, readInvoice } from "../../domains/finance/invoice/invoice.queries.ts";
import { tend } from "../../domains/finance/invoice/tend.service.ts";
import { acting, houseAt } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher; now?: Date };

/** A credit code of the demo's own. */
const TAX_NO = "91330106MA2B2ABC74";
const RATE = { policy: "", element: "none", fromDay: "2020-01-01" } as const;
/** What the built-in subjects are on an invoice. */
const ITEMS = {
  rent: {
    ...RATE,
    taxMode: "reduced15",
    taxRate: 0,
    itemCode: "3040502020200000000",
    itemName: "住房租金",
    element: "lease",
  },
  property: {
    ...RATE,
    taxMode: "rate",
    taxRate: 0.06,
    itemCode: "3040801010000000000",
    itemName: "物业管理费",
  },
  service: { ...RATE, taxMode: "rate", taxRate: 0.06, itemCode: "3079900000000000000", itemName: "服务费" },
} as const;

/** What became of an application of the demo, and how many days ago it was made. */
const FATES = [
  { fate: "issued", ago: 6 },
  { fate: "applied", ago: 0 },
  { fate: "red", ago: 5 },
  { fate: "issued", ago: 3 },
  { fate: "failed", ago: 2 },
  { fate: "issued", ago: 1 },
  { fate: "applied", ago: 0 },
] as const;

/** How the company makes its invoices, and some that it made: at the sample platform, whose papers are worth nothing. */
export async function makeInvoices(
  store: Store,
  people: { admin: number; clerk: number },
  today: Day,
): Promise<void> {
  const at = (ago: number, clock: string) => new Date(`${addDays(today, -ago)}T${clock}:00+08:00`);
  const { db } = store;
  const { rows: villages } = await sql<{ id: number }>`select id from village order by id`.execute(db);
  const confId = await acting(store, people.admin, at(20, "10:00"), async (act) => {
    const id = await createConf(act, {
      ...{ driver: "simulator", endpoint: "", behaviour: "normal", autoInvoice: "off", notifyBy: "none" },
      sellerName: "青禾公寓管理有限公司",
      taxNo: TAX_NO,
      address: "杭州市滨江区江南大道 100 号",
      phone: "0571-88886666",
      bank: "工商银行杭州滨江支行",
      account: "1202020209900123456",
      defaultKind: "general",
      perInvoiceLimit: 10_000_000,
      creditWarn: null,
      invoiceBasis: "paid",
      ...{ drawer: "周敏", payee: "", reviewer: "" },
      villageIds: villages.map((v) => v.id),
    });
    for (const [code, item] of Object.entries(ITEMS)) {
      const subject = await act.tx
        .selectFrom("feeSubject")
        .select("id")
        .where("code", "=", code)
        .where("enterpriseId", "=", act.who.enterpriseId)
        .executeTakeFirstOrThrow();
      await changeItem(act, id, { ...item, feeSubjectId: subject.id, version: 0 });
    }
    const { version } = await confById(act, id);
    await switchConf(act, id, version, true);
    return id;
  });
  const behave = (behaviour: Behaviour) =>
    db.updateTable("einvoiceConfig").set({ behaviour }).where("id", "=", confId).execute();
  const { rows: lines } = await sql<{ id: number }>`
    select min(l.id) id from bill_line l join bill b on b.id = l.bill_id join fee_subject s on s.id = l.fee_subject_id
      join party p on p.id = b.party_id
    where s.code = 'rent' and b.status = 'paid' and p.kind = 'renter' and b.due_date between ${addDays(today, -75)}
      and ${addDays(today, -10)} and l.period_start is not null
      and b.village_id = any(array(select unnest(village_ids) from operator where id = ${people.clerk}))
    group by b.party_id order by 1 limit ${FATES.length}`.execute(db);
  for (const [i, { fate, ago }] of FATES.entries()) {
    const line = lines[i];
    if (!line) return;
    const [id] = await acting(store, people.clerk, at(ago, "09:30"), async (act) => {
      const { preview } = await batchOf(act, [line.id]);
      return preview.count ? (await applyAll(act, [line.id], preview.hash)).ids : [];
    });
    if (id === undefined || fate === "applied") continue;
    const now = at(ago, "10:05");
    await acting(store, people.admin, now, async (act) =>
      issue(act, (await readInvoice(act, id, { lock: true }))!),
    );
    if (fate === "failed") await behave("refuse");
    // papers are fetched by the product itself, once it runs
    await tend(houseAt(store, now), id);
    if (fate === "failed") await behave("normal");
    if (fate !== "red") continue;
    const later = at(ago - 1, "15:20");
    const red = await acting(store, people.admin, later, async (act) => {
      const blue = (await readInvoice(act, id))!;
      const [first] = await linesOf(act, id);
      const part = [{ lineId: first!.id, amount: 50_000 }];
      const { hash: previewHash } = await redPreview(act, blue, part);
      const given = {
        version: blue.version,
        reason: "04",
        lines: part,
        remark: "房租减免",
        previewHash,
      } as const;
      return applyRed(act, id, { ...given, lines: part });
    });
    await tend(houseAt(store, later), red.id);
  }
}
