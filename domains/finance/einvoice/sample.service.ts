import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  timingSafeEqual,
} from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { type Fen, halfUp, ratio } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { Unavailable } from "../../../platform/server/outside/transient.ts";
import type { Cipher } from "../../../platform/server/secrets/cipher.ts";
import { printed } from "../../system/paper/print.service.ts";
import type { Conf } from "./conf.queries.ts";
import type {
  ConfirmState,
  InvoiceDriver,
  InvoiceKind,
  Notification,
  Order,
  Told,
} from "./einvoice.rules.ts";
import { type Issued, samplePaper, sampleXml } from "./sample-paper.rules.ts";

export type Place = {
  /** A connection of its own: what it issued stays where the caller rolls back. */
  db: Kysely<DB>;
  cipher: Cipher;
  now: Date;
  /** Hears its call-backs, as the public address does. */
  hears?: ((notification: Notification) => Promise<void>) | undefined;
};

type Row = {
  serialNo: string;
  request: Order;
  state: "accepted" | "issued" | "refused";
  invoiceNo: string | null;
  issuedAt: string | null;
  reason: string;
  confirmNo: string;
  confirmState: ConfirmState | null;
  dueAt: string;
};

const MINUTE = 60_000;
/** How long a buyer has to agree to a red letter. */
const CONFIRM_MS = 72 * 60 * MINUTE;
const REFUSED = "模拟平台拒绝开具：购方信息校验未通过";

const forged = () => new Refusal("forged", "通知签名验证失败", 401);
const sealOf = (cipher: Cipher, confId: number, body: string): string =>
  createHmac("sha256", cipher.hash(`einvoice ${confId}`))
    .update(body)
    .digest("hex");

/** A call-back of the sample platform, signed as one from outside would be. */
export function sampleNotification(cipher: Cipher, confId: number, serialNo: string): Notification {
  const body = JSON.stringify({ serialNo });
  const headers: Record<string, string> = { "einvoice-signature": sealOf(cipher, confId, body) };
  return { body, header: (name) => headers[name.toLowerCase()], query: {} };
}

const toldOf = (row: Row): Told => ({
  serialNo: row.serialNo,
  state: row.state === "accepted" ? "open" : row.state,
  invoiceNo: row.invoiceNo ?? "",
  issuedAt: row.issuedAt ? new Date(row.issuedAt).toISOString() : "",
  reason: row.reason,
  outsideNo: "",
  ...(row.confirmState && { confirm: { no: row.confirmNo, state: row.confirmState } }),
});

/** What it makes of an order at once. A red letter of a special invoice waits for its buyer. */
function begun(
  conf: Conf,
  order: Order,
): { state: Row["state"]; wait: number; confirm: ConfirmState | null } {
  const asks = order.red !== null && order.kind === "special";
  const { behaviour } = conf;
  const confirm = order.red && (asks ? "02" : "01");
  if (asks) return { state: "accepted", confirm, wait: behaviour === "timeout" ? CONFIRM_MS : MINUTE };
  if (behaviour === "refuse") return { state: "refused", confirm, wait: 0 };
  if (behaviour === "delay") return { state: "accepted", confirm, wait: 2 * MINUTE };
  return { state: "issued", confirm, wait: 0 };
}

/** Year, region 00, then its own count: 20 digits as a fully digital invoice has them. */
const numberSql = (now: Date) =>
  sql<string>`${`${dayInZone(now).slice(2, 4)}009`} || lpad(nextval('einvoice_sample_no')::text, 15, '0')`;

/** The embedded sample platform: it numbers, signs and answers as a real one does, late, twice or not at all where that is wanted. */
export function sampleDriver({ db, cipher, now, hears }: Place, conf: Conf): InvoiceDriver {
  const rowOf = async (serialNo: string): Promise<Row | undefined> => {
    const { rows } = await sql<Row>`
      select serial_no "serialNo", request, state, invoice_no "invoiceNo", issued_at "issuedAt", reason,
        confirm_no "confirmNo", confirm_state "confirmState", due_at "dueAt"
      from einvoice_sample where serial_no = ${serialNo} and config_id = ${conf.id}`.execute(db);
    return rows[0];
  };

  /** Due steps are done lazily, when an order is queried. */
  async function current(serialNo: string): Promise<Row | undefined> {
    const row = await rowOf(serialNo);
    if (row?.state !== "accepted" || new Date(row.dueAt) > now) return row;
    const asked = row.confirmState === "02";
    const no =
      asked && conf.behaviour === "refuse" ? "05" : asked && conf.behaviour === "timeout" ? "07" : undefined;
    await (
      no
        ? sql`update einvoice_sample set state = 'refused', confirm_state = ${no},
          reason = ${no === "05" ? "购方已否认红字确认单" : "红字确认单超过72小时未确认，已作废"}
          where serial_no = ${serialNo} and state = 'accepted'`
        : sql`update einvoice_sample set state = 'issued', invoice_no = ${numberSql(now)}, issued_at = ${now.toISOString()},
          confirm_state = case when confirm_state = '02' then '04' else confirm_state end
          where serial_no = ${serialNo} and state = 'accepted'`
    ).execute(db);
    return rowOf(serialNo);
  }

  async function keyOf() {
    const read = () =>
      db
        .selectFrom("einvoiceKey")
        .select("sealed")
        .where("configId", "=", conf.id)
        .where("name", "=", "sampleKey")
        .executeTakeFirst();
    const known = await read();
    if (!known) {
      const { privateKey } = generateKeyPairSync("ed25519");
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      await db
        .insertInto("einvoiceKey")
        .values({ configId: conf.id, name: "sampleKey", sealed: cipher.seal(pem) })
        .onConflict((oc) => oc.doNothing())
        .execute();
    }
    return createPrivateKey(cipher.open((known ?? (await read()))!.sealed));
  }

  return {
    test: async () => {
      const { creditCode } = await db
        .selectFrom("enterprise")
        .select("creditCode")
        .where("id", "=", conf.enterpriseId)
        .executeTakeFirstOrThrow();
      return { name: conf.name, taxNo: creditCode ?? conf.taxNo, creditLeft: null, certExpiresOn: null };
    },
    issue: async (order) => {
      const known = await current(order.serialNo);
      if (known) return toldOf(known);
      const { state, wait, confirm } = begun(conf, order);
      const issued = state === "issued";
      await sql`
        insert into einvoice_sample (serial_no, config_id, request, state, invoice_no, issued_at, reason, confirm_no,
          confirm_state, due_at, created_at)
        values (${order.serialNo}, ${conf.id}, ${JSON.stringify(order)}::jsonb, ${state},
          ${issued ? numberSql(now) : sql`null`}, ${issued ? now.toISOString() : null},
          ${state === "refused" ? REFUSED : ""}, ${order.red ? `QR${order.serialNo}` : ""}, ${confirm},
          ${new Date(now.getTime() + wait).toISOString()}, ${now.toISOString()})
        on conflict (serial_no) do nothing`.execute(db);
      if (conf.behaviour === "timeout" && !order.red) throw new Unavailable("模拟平台超时未应答");
      if (conf.behaviour === "twice" && hears)
        for (let times = 0; times < 2; times++)
          await hears(sampleNotification(cipher, conf.id, order.serialNo));
      return toldOf((await rowOf(order.serialNo))!);
    },
    query: async (serialNo) => {
      const row = await current(serialNo);
      return row && toldOf(row);
    },
    files: async ({ serialNo, invoiceNo, issuedAt }) => {
      const row = (await rowOf(serialNo))!;
      return sampleFiles(
        { order: row.request, invoiceNo, issuedAt, confirmState: row.confirmState },
        await keyOf(),
      );
    },
    hear: ({ body, header }) => {
      const given = Buffer.from(header("einvoice-signature") ?? "", "hex");
      const right = Buffer.from(sealOf(cipher, conf.id, body), "hex");
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw forged();
      return String((JSON.parse(body) as { serialNo: unknown }).serialNo);
    },
  };
}

/** Paper and data of a sample, the data signed. */
export async function sampleFiles(issued: Issued, key: ReturnType<typeof createPrivateKey>) {
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
  const xml = sampleXml(issued, (body) => ({
    value: sign(null, createHash("sha256").update(body).digest(), key).toString("base64"),
    key: publicKey,
  }));
  const pdf = await printed(samplePaper(issued), `发票_${issued.invoiceNo}`);
  return [
    { kind: "pdf" as const, type: "application/pdf", bytes: pdf },
    { kind: "xml" as const, type: "application/xml", bytes: Buffer.from(xml) },
  ];
}

/** What a sample would look like, of no record and in no book. */
export function trialOf(
  conf: Conf,
  { amount, kind }: { amount: Fen; kind: InvoiceKind },
  at: Date,
): Promise<Buffer> {
  const taxed = { taxMode: "reduced15", taxRate: "0.015" } as const;
  // ÷ 1.05 × 1.5 %
  const tax = halfUp(ratio(amount, 70));
  const order: Order = {
    serialNo: "",
    kind,
    seller: conf,
    buyer: { company: true, name: "试开客户", taxNo: conf.taxNo, addressPhone: "", bankAccount: "" },
    amount,
    tax,
    items: [{ ...taxed, code: "0".repeat(19), name: "租金", policy: "", amount, tax }],
    lease: null,
    remark: "试开",
    at: at.toISOString(),
    red: null,
  };
  const issued = { order, invoiceNo: "0".repeat(20), issuedAt: at.toISOString() };
  return printed(samplePaper(issued), "试开");
}
