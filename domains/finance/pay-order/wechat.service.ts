import { createHash, X509Certificate } from "node:crypto";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { fewAtOnce, Unavailable } from "../../../platform/server/outside/transient.ts";
import {
  isSealed,
  opened,
  sealOf,
  wechatAuthorization,
  type WechatMerchant,
  type WechatSecret,
} from "../../../platform/server/outside/wechatpay.ts";
import type { PayDriver, PaymentTold, RefundTold, Told } from "./pay-order.rules.ts";

/*
 * WeChat Pay API v3, native order (扫码支付) /v3/pay/transactions/native, order on a phone outside of WeChat (H5 支付)
 * /v3/pay/transactions/h5, query and close by out_trade_no, /v3/refund/domestic/refunds, notifications TRANSACTION.SUCCESS and REFUND.*, and the
 * trade bill of a day by /v3/bill/tradebill, whose file is fetched from the address that it answers.
 */
const WAIT_MS = 10_000;
/** Of the POOL_SIZE connections of a server, those that may wait for WeChat Pay at once. */
const outside = fewAtOnce(5);

export type WechatSetup = WechatMerchant & {
  endpoint: string;
  appId: string;
  apiV3Key: string;
  /** Where WeChat Pay tells of what happened. */
  notifyUrl: string;
  now: () => Date;
  /** The public key that a serial number or key id names, as it is known here. */
  publicKey: (serial: string) => Promise<string | undefined>;
  /** Keeps certificates that were fetched. */
  keep: (known: { serialNo: string; publicKey: string; expiresAt: string }[]) => Promise<void>;
};

const forged = () => new Refusal("forged", "通知签名验证失败", 401);
const failure = z.object({ code: z.string().default(""), message: z.string().default("") });
const secret = z.object({
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().default(""),
});
const transaction = z.object({
  out_trade_no: z.string(),
  transaction_id: z.string().default(""),
  trade_state: z.string(),
  success_time: z.string().default(""),
  amount: z.object({ total: z.number().int() }).optional(),
});
const refund = z.object({
  out_refund_no: z.string(),
  refund_id: z.string().default(""),
  status: z.string().optional(),
  refund_status: z.string().optional(),
  user_received_account: z.string().default(""),
});
const certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), expire_time: z.string(), encrypt_certificate: secret })),
});

const billTold = z.object({ hash_value: z.string(), download_url: z.url() });
/** A packed bill, and how long it may take to come. */
const MOST_BILL_BYTES = 30 * 1024 * 1024;
const BILL_WAIT_MS = 120_000;

const OVER = ["CLOSED", "REVOKED", "PAYERROR"];
const paymentOf = (t: z.output<typeof transaction>): PaymentTold => ({
  about: "payment",
  orderNo: t.out_trade_no,
  // what was refunded in part or whole was paid before
  state: ["SUCCESS", "REFUND"].includes(t.trade_state)
    ? "paid"
    : OVER.includes(t.trade_state)
      ? "closed"
      : "open",
  amount: t.amount?.total ?? 0,
  tradeNo: t.transaction_id,
  paidAt: t.success_time && new Date(t.success_time).toISOString(),
  payer: "",
});
const refundOf = (r: z.output<typeof refund>): RefundTold => {
  const status = r.status ?? r.refund_status ?? "";
  return {
    about: "refund",
    refundNo: r.out_refund_no,
    state: status === "SUCCESS" ? "done" : status === "PROCESSING" ? "open" : "failed",
    refundId: r.refund_id,
    message:
      status === "CLOSED"
        ? "微信支付已关闭该退款"
        : status === "ABNORMAL"
          ? "退款到账异常，请更换退款方式"
          : "",
  };
};

export function wechatDriver(setup: WechatSetup): PayDriver {
  const { apiV3Key } = setup;

  /** One signed request; the answer's own signature is verified before it is believed. */
  async function asked(
    method: "GET" | "POST",
    path: string,
    sent?: object,
    trusted = true,
  ): Promise<unknown> {
    const body = sent ? JSON.stringify(sent) : "";
    const { answer, text } = await outside(async () => {
      const reply = await fetch(`${setup.endpoint}${path}`, {
        method,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "user-agent": "sams",
          authorization: wechatAuthorization(setup, { method, path, body, at: setup.now() }),
        },
        ...(sent && { body }),
        signal: AbortSignal.timeout(WAIT_MS),
      });
      return { answer: reply, text: await reply.text() };
    });
    if (answer.status >= 500 || answer.status === 429)
      throw new Unavailable(`微信支付 HTTP ${answer.status}`);
    const said: unknown = text ? JSON.parse(text) : {};
    if (!answer.ok) {
      const { code, message } = failure.parse(said);
      throw new Refusal(code || "channel", `微信支付：${message || `HTTP ${answer.status}`}`, 409);
    }
    if (trusted) await believe((name) => answer.headers.get(name) ?? undefined, text);
    return said;
  }

  /** Fetches the certificates that sign now; each is readable only with the merchant's APIv3 key. */
  async function fetchCertificates(): Promise<void> {
    const { data } = certificates.parse(await asked("GET", "/v3/certificates", undefined, false));
    await setup.keep(
      data.map(({ serial_no, expire_time, encrypt_certificate }) => {
        const certificate = new X509Certificate(opened(apiV3Key, encrypt_certificate as WechatSecret));
        const publicKey = certificate.publicKey.export({ type: "spki", format: "pem" }).toString();
        return { serialNo: serial_no, publicKey, expiresAt: new Date(expire_time).toISOString() };
      }),
    );
  }

  async function believe(header: (name: string) => string | undefined, body: string): Promise<void> {
    const seal = sealOf(header);
    if (!seal.serial) throw forged();
    let key = await setup.publicKey(seal.serial);
    // a key id names the public key that was entered; only a certificate can be fetched
    if (!key && !seal.serial.startsWith("PUB_KEY_ID_")) {
      await fetchCertificates();
      key = await setup.publicKey(seal.serial);
    }
    if (!key || !isSealed(key, seal, body, setup.now())) throw forged();
  }

  /** The file of a bill. It is not signed: what was signed is the hash of what lies in it. */
  async function billFile({ hash_value, download_url }: z.output<typeof billTold>): Promise<Buffer> {
    const { origin, pathname, search } = new URL(download_url);
    // a signed request goes to WeChat Pay alone
    if (origin !== new URL(setup.endpoint).origin) throw forged();
    const path = `${pathname}${search}`;
    const file = await outside(async () => {
      const reply = await fetch(`${setup.endpoint}${path}`, {
        headers: {
          "user-agent": "sams",
          authorization: wechatAuthorization(setup, { method: "GET", path, body: "", at: setup.now() }),
        },
        signal: AbortSignal.timeout(BILL_WAIT_MS),
      });
      if (!reply.ok) throw new Unavailable(`微信支付 HTTP ${reply.status}`);
      if (Number(reply.headers.get("content-length") ?? 0) > MOST_BILL_BYTES)
        throw new Refusal("channel", "微信账单超过30M，请分日下载后手工导入", 409);
      return Buffer.from(await reply.arrayBuffer());
    });
    const hash = createHash("sha1");
    try {
      for await (const chunk of Readable.from([file]).pipe(createGunzip()) as AsyncIterable<Buffer>)
        hash.update(chunk);
    } catch {
      // cut off, or no file at all
      throw new Unavailable("微信账单下载不完整");
    }
    if (hash.digest("hex") !== hash_value.toLowerCase()) throw new Unavailable("微信账单下载不完整");
    return file;
  }

  const order = (orderNo: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`;
  const missing = (error: unknown) =>
    error instanceof Refusal &&
    ["ORDER_NOT_EXIST", "ORDERNOTEXIST", "RESOURCE_NOT_EXISTS"].includes(error.code);
  const orNothing = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (missing(error)) return undefined;
      throw error;
    }
  };

  return {
    embedded: false,
    create: async ({ orderNo, title, amount, expiresAt, by, ip }) => {
      const made = await asked("POST", `/v3/pay/transactions/${by === "page" ? "h5" : "native"}`, {
        appid: setup.appId,
        mchid: setup.mchId,
        description: title,
        out_trade_no: orderNo,
        time_expire: expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00"),
        notify_url: setup.notifyUrl,
        amount: { total: amount, currency: "CNY" },
        ...(by === "page" && { scene_info: { payer_client_ip: ip, h5_info: { type: "Wap" } } }),
      });
      return by === "page"
        ? z.object({ h5_url: z.url({ protocol: /^https$/ }) }).parse(made).h5_url
        : z.object({ code_url: z.string() }).parse(made).code_url;
    },
    query: (orderNo) =>
      orNothing(async () =>
        paymentOf(transaction.parse(await asked("GET", `${order(orderNo)}?mchid=${setup.mchId}`))),
      ),
    close: async (orderNo) => {
      await asked("POST", `${order(orderNo)}/close`, { mchid: setup.mchId });
    },
    refund: async ({ refundNo, orderNo, amount, total, reason }) => {
      try {
        const answer = await asked("POST", "/v3/refund/domestic/refunds", {
          out_trade_no: orderNo,
          out_refund_no: refundNo,
          reason: reason.slice(0, 26),
          notify_url: setup.notifyUrl,
          amount: { refund: amount, total, currency: "CNY" },
        });
        return refundOf(refund.parse(answer));
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === "forged") throw error;
        return { about: "refund", refundNo, state: "failed", refundId: "", message: error.message };
      }
    },
    queryRefund: (refundNo) =>
      orNothing(async () =>
        refundOf(
          refund.parse(await asked("GET", `/v3/refund/domestic/refunds/${encodeURIComponent(refundNo)}`)),
        ),
      ),
    bill: async (day) => {
      try {
        const path = `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`;
        return await billFile(billTold.parse(await asked("GET", path)));
      } catch (error) {
        if (error instanceof Refusal && error.code === "NO_STATEMENT_EXIST") return "none";
        throw error;
      }
    },
    verify: async ({ body, header }): Promise<Told> => {
      await believe(header, body);
      const said = z.object({ event_type: z.string(), resource: secret }).safeParse(JSON.parse(body));
      if (!said.success) throw new Refusal("invalid", "通知内容无法识别", 400);
      const inside: unknown = JSON.parse(opened(apiV3Key, said.data.resource as WechatSecret));
      return said.data.event_type.startsWith("REFUND.")
        ? refundOf(refund.parse(inside))
        : paymentOf(transaction.parse(inside));
    },
  };
}
