import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { nuonuoRequest } from "../../../platform/server/outside/nuonuo.ts";
import { fewAtOnce, Unavailable } from "../../../platform/server/outside/transient.ts";
import type {
  ConfirmState,
  FileBytes,
  InvoiceDriver,
  Order,
  OrderItem,
  RedReason,
  Told,
} from "./einvoice.rules.ts";

/*
 * 诺税通 of the Nuonuo open platform: accessToken (client credentials), nuonuo.OpeMplatform.requestBillingNew, queryInvoiceResult,
 * saveInvoiceRedConfirm and queryInvoiceRedConfirm, and the call-back of an order (form field `orderno`).
 */
const WAIT_MS = 20_000;
const FILE_WAIT_MS = 60_000;
const MOST_BYTES = 10_000_000;
const outside = fewAtOnce(5);

const DONE = "E0000";
/** The order is unknown there. */
const UNKNOWN = "E9500";
/** An order of this number was taken before. */
const TAKEN = "E9106";
/** About the token, which may have ended before its time. */
const TOKEN_REFUSED = new Set(["070301", "070302", "070303", "070305", "070306", "070307"]);
/** About the application or its token, not about the order. */
const CREDENTIALS = new Set(["070101", "070304", ...TOKEN_REFUSED]);
const ISSUED = new Set(["2", "21", "24"]);
const FAILED = "22";
const AGREED = new Set(["01", "04"]);
const OVER = new Set(["05", "06", "07", "08", "09", "16"]);

export type NuonuoSetup = {
  endpoint: string;
  appKey: string;
  appSecret: string;
  taxNo: string;
  sellerName: string;
  /** Address of its call-backs; undefined where the server has no public address. */
  notifyUrl: string | undefined;
  /** Key of the seal in our call-back addresses. */
  notifyKey: Buffer;
  now: () => Date;
  /** The token that is still good. */
  token: () => Promise<string | undefined>;
  keep: (token: string, seconds: number) => Promise<void>;
};

const answer = z.object({
  code: z.coerce.string(),
  describe: z.string().nullish(),
  result: z.unknown().optional(),
  list: z.unknown().optional(),
});
type Answer = z.output<typeof answer>;
const text = z.coerce
  .string()
  .nullish()
  .transform((value) => value ?? "");
const found = z.object({
  orderNo: text,
  serialNo: text,
  status: text,
  allElectronicInvoiceNumber: text,
  invoiceNo: text,
  invoiceTime: z.coerce.number().nullish(),
  failCause: text,
  pdfUrl: text,
  ofdUrl: text,
  xmlUrl: text,
});
type Found = z.output<typeof found>;
const confirm = z.object({ billNo: text, billId: text, billStatus: text, billMessage: text, orderNo: text });
const given = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() });

const amount = (fen: Fen) => yuan(fen, false);
/** 1 销货退回 2 开票有误 3 服务中止 4 销售折让. */
const REASONS: Record<RedReason, string> = { "01": "2", "02": "1", "03": "3", "04": "4" };
/** 平方米: rooms are let by nothing else. */
const SQUARE_METRES = "2";

function rowOf(item: OrderItem, withTax: "0" | "1") {
  return {
    goodsName: item.name,
    goodsCode: item.code,
    withTaxFlag: withTax,
    invoiceLineProperty: "0",
    taxRate: item.taxMode === "exempt" ? "0" : item.taxMode === "reduced15" ? "0.015" : item.taxRate,
    tax: amount(item.tax),
    taxIncludedAmount: amount(item.amount),
    taxExcludedAmount: amount(item.amount - item.tax),
    ...(item.taxMode === "reduced15" && { favouredPolicyFlag: "10" }),
    ...(item.taxMode === "exempt" && { favouredPolicyFlag: "03", zeroRateFlag: "1" }),
  };
}

export function nuonuoDriver(setup: NuonuoSetup): InvoiceDriver {
  const stamp = (serialNo: string) =>
    createHmac("sha256", setup.notifyKey).update(serialNo).digest("base64url");
  const callBack = (serialNo: string) =>
    setup.notifyUrl && `${setup.notifyUrl}?serial=${serialNo}&seal=${stamp(serialNo)}`;

  async function freshToken(): Promise<string> {
    const reply = await outside(() =>
      fetch(
        new URL(
          "/accessToken",
          setup.endpoint.includes("sdk.nuonuo.com") ? "https://open.nuonuo.com" : setup.endpoint,
        ),
        {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
          body: new URLSearchParams({
            client_id: setup.appKey,
            client_secret: setup.appSecret,
            grant_type: "client_credentials",
          }),
          signal: AbortSignal.timeout(WAIT_MS),
        },
      ),
    );
    if (reply.status >= 500) throw new Unavailable(`诺诺 HTTP ${reply.status}`);
    const said: unknown = await reply.json().catch(() => undefined);
    const fresh = given.safeParse(said);
    if (!fresh.success) throw new Refusal("credentials", "诺诺未接受应用密钥，请检查 App Key 和 App Secret");
    await setup.keep(fresh.data.access_token, fresh.data.expires_in);
    return fresh.data.access_token;
  }

  /**
   * A token that is refused before its time is fetched anew, once, and the request goes out again: what was refused so was not taken,
   * and an order number is taken once.
   */
  async function asked(method: string, content: object): Promise<Answer> {
    const known = await setup.token();
    let said = await askedWith(known ?? (await freshToken()), method, content);
    if (known && TOKEN_REFUSED.has(said.code)) said = await askedWith(await freshToken(), method, content);
    if (CREDENTIALS.has(said.code))
      throw new Refusal("credentials", `诺诺未接受应用密钥：${said.describe ?? said.code}`);
    return said;
  }

  async function askedWith(accessToken: string, method: string, content: object): Promise<Answer> {
    const body = JSON.stringify(content);
    const { url, sign } = nuonuoRequest(setup, { endpoint: setup.endpoint, body, at: setup.now() });
    const reply = await outside(() =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-nuonuo-sign": sign,
          accesstoken: accessToken,
          usertax: setup.taxNo,
          method: `nuonuo.OpeMplatform.${method}`,
        },
        body,
        signal: AbortSignal.timeout(WAIT_MS),
      }),
    );
    if (reply.status >= 500 || reply.status === 429) throw new Unavailable(`诺诺 HTTP ${reply.status}`);
    const said = answer.safeParse(await reply.json().catch(() => undefined));
    if (!said.success) throw new Unavailable(`诺诺的答复无法识别（HTTP ${reply.status}）`);
    return said.data;
  }
  const wordsOf = ({ code, describe }: Answer) => `诺诺：${describe?.slice(0, 180) || code}`;

  const nothing = (serialNo: string, state: Told["state"], more: Partial<Told> = {}): Told => ({
    ...{ serialNo, state, invoiceNo: "", issuedAt: "", reason: "", outsideNo: "" },
    ...more,
  });

  async function resultOf(serialNo: string): Promise<Found | undefined> {
    const said = await asked("queryInvoiceResult", { orderNos: [serialNo], isOfferInvoiceDetail: "0" });
    if (said.code === UNKNOWN) return undefined;
    if (said.code !== DONE) throw new Unavailable(wordsOf(said));
    return z.array(found).parse(said.result ?? [])[0];
  }
  const toldOf = (serialNo: string, row: Found): Told => {
    const invoiceNo = row.allElectronicInvoiceNumber || row.invoiceNo;
    const issued = ISSUED.has(row.status) && invoiceNo !== "";
    const state = issued ? "issued" : row.status === FAILED ? "refused" : "open";
    return nothing(serialNo, state, {
      outsideNo: row.serialNo,
      reason: row.failCause.slice(0, 200),
      ...(issued && {
        invoiceNo,
        issuedAt: new Date(row.invoiceTime ?? setup.now().getTime()).toISOString(),
      }),
    });
  };

  async function red(order: Order): Promise<Told> {
    const of = order.red!;
    const said = await asked("saveInvoiceRedConfirm", {
      billId: order.serialNo,
      orderNo: order.serialNo,
      blueInvoiceLine: order.kind === "special" ? "bs" : "pc",
      applySource: "0",
      blueElecInvoiceNumber: of.invoiceNo,
      sellerTaxNo: setup.taxNo,
      sellerName: setup.sellerName,
      buyerTaxNo: order.buyer.taxNo,
      buyerName: order.buyer.name,
      redReason: REASONS[of.reason],
      autoInvoice: "1",
      ...(callBack(order.serialNo) && { callbackUrl: callBack(order.serialNo) }),
      ...(!of.whole && {
        detail: order.items.map((item) => ({
          blueDetailIndex: String(item.blueRow ?? 1),
          goodsName: item.name,
          goodsCode: item.code,
          taxRate: rowOf(item, "0").taxRate,
          taxExcludedAmount: amount(item.tax - item.amount),
          taxAmount: amount(-item.tax),
          ...(item.taxMode === "reduced15" && { favouredPolicyFlag: "10" }),
        })),
      }),
    });
    if (said.code === DONE || said.code === TAKEN) return nothing(order.serialNo, "open");
    return nothing(order.serialNo, "refused", { reason: wordsOf(said) });
  }

  async function redState(serialNo: string): Promise<Told | undefined> {
    const said = await asked("queryInvoiceRedConfirm", { identity: "0", billId: serialNo });
    const rows = z.array(confirm).parse(said.list ?? said.result ?? []);
    const row = rows.find((one) => one.billId === serialNo) ?? rows[0];
    if (!row)
      return said.code === DONE || said.code === "0000" || said.code === UNKNOWN
        ? undefined
        : nothing(serialNo, "open");
    const more = /^0[1-9]$/.test(row.billStatus)
      ? { confirm: { no: row.billNo, state: row.billStatus as ConfirmState } }
      : {};
    if (OVER.has(row.billStatus))
      return nothing(serialNo, "refused", { ...more, reason: row.billMessage || "红字确认单已作废" });
    const made = AGREED.has(row.billStatus) ? await resultOf(row.orderNo || serialNo) : undefined;
    return { ...(made ? toldOf(serialNo, made) : nothing(serialNo, "open")), ...more };
  }

  async function fetched(url: string, kind: FileBytes["kind"], type: string): Promise<FileBytes | undefined> {
    if (!url) return undefined;
    const reply = await outside(() => fetch(url, { signal: AbortSignal.timeout(FILE_WAIT_MS) }));
    if (!reply.ok) throw new Unavailable(`诺诺 文件下载 HTTP ${reply.status}`);
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (bytes.length > MOST_BYTES || (kind === "pdf" && !bytes.subarray(0, 5).equals(Buffer.from("%PDF-"))))
      throw new Unavailable("诺诺给出的发票文件无法识别");
    return { kind, type, bytes };
  }

  return {
    // an order that cannot exist: “unknown order” proves application, token and tax number
    test: async () => {
      const said = await asked("queryInvoiceResult", {
        orderNos: ["CONNECTIONTEST"],
        isOfferInvoiceDetail: "0",
      });
      if (said.code !== DONE && said.code !== UNKNOWN) throw new Refusal("provider", wordsOf(said));
      return { name: setup.sellerName, taxNo: setup.taxNo, creditLeft: null, certExpiresOn: null };
    },

    issue: async (order) => {
      if (order.red) return red(order);
      const { seller, buyer, lease } = order;
      const said = await asked("requestBillingNew", {
        order: {
          orderNo: order.serialNo,
          invoiceType: "1",
          invoiceLine: order.kind === "special" ? "bs" : "pc",
          invoiceDate: timeInZone(order.at),
          salerTaxNum: seller.taxNo,
          salerTel: seller.phone,
          salerAddress: seller.address,
          salerAccount: `${seller.bank} ${seller.account}`.trim(),
          buyerName: buyer.name,
          buyerTaxNum: buyer.taxNo,
          buyerAddress: buyer.addressPhone,
          buyerAccount: buyer.bankAccount,
          clerk: seller.drawer,
          payee: seller.payee,
          checker: seller.reviewer,
          remark: order.remark,
          // delivered by us
          pushMode: "-1",
          ...(callBack(order.serialNo) && { callBackUrl: callBack(order.serialNo) }),
          invoiceDetail: order.items.map((item) => rowOf(item, "1")),
          ...(lease && {
            specificFactor: "6",
            realPropertyRentInfo: {
              realPropertyAddress: lease.address,
              detailAddress: "",
              rentStartDate: lease.start,
              rentEndDate: lease.end,
              crossCityFlag: lease.crossCity ? "1" : "0",
              realPropertyCertificate: lease.certificateNo,
              unit: SQUARE_METRES,
            },
          }),
        },
      });
      if (said.code === TAKEN) {
        const row = await resultOf(order.serialNo);
        return row ? toldOf(order.serialNo, row) : nothing(order.serialNo, "open");
      }
      if (said.code !== DONE) return nothing(order.serialNo, "refused", { reason: wordsOf(said) });
      const { invoiceSerialNum } = z.object({ invoiceSerialNum: text }).parse(said.result ?? {});
      return nothing(order.serialNo, "open", { outsideNo: invoiceSerialNum });
    },

    query: async (serialNo, of) => {
      if (of.red) return redState(serialNo);
      const row = await resultOf(serialNo);
      return row && toldOf(serialNo, row);
    },

    files: async ({ serialNo }) => {
      const row = await resultOf(serialNo);
      if (!row?.pdfUrl) throw new Unavailable("诺诺尚未给出发票文件");
      const files = await Promise.all([
        fetched(row.pdfUrl, "pdf", "application/pdf"),
        fetched(row.ofdUrl, "ofd", "application/ofd"),
        fetched(row.xmlUrl, "xml", "application/xml"),
      ]);
      return files.filter((file) => file !== undefined);
    },

    // its form is not signed: the seal in the address authenticates it
    hear: ({ query: { serial = "", seal = "" } }) => {
      const sealed = Buffer.from(seal);
      const right = Buffer.from(stamp(serial));
      if (sealed.length !== right.length || !timingSafeEqual(sealed, right))
        throw new Refusal("forged", "通知签名验证失败", 401);
      return serial;
    },
  };
}
