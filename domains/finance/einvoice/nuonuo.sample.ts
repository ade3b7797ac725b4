import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";

export const APP = { appKey: "SD58692", appSecret: "E9D2BC5A1F7D4F6B" };
const TOKEN = "5d484e65b8ccc95f51ee46e1pduixyz";

export type Asked = { method: string; body: Record<string, unknown>; signedRight: boolean; userTax: string };
type Answer = { status?: number; hang?: boolean; body?: unknown };
type There = { order: Record<string, unknown>; status: string; invoiceNo: string; failCause: string };
type Confirm = { sent: Record<string, unknown>; status: string };

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/**
 * 诺诺 on this machine, in the shapes of its documentation: it checks every signature by itself, takes an order number once and makes
 * the invoice when it is told to. `answers` has it answer otherwise.
 */
export async function aNuonuo() {
  const asked: Asked[] = [];
  const orders = new Map<string, There>();
  const confirms = new Map<string, Confirm>();
  let special: (request: Asked) => Answer | undefined = () => undefined;
  let tokens = 0;
  /** Each token ends the one before. */
  let good = "";
  let base = "";
  const ok = (more: object) => ({ body: { code: "E0000", describe: "成功", ...more } });
  const shown = (orderNo: string, of: There) => ({
    orderNo,
    serialNo: `24052218${orderNo.slice(-8)}`,
    status: of.status,
    statusMsg: of.status === "2" ? "开票完成（最终状态）" : "开票中",
    failCause: of.failCause,
    ...(of.status === "2" && {
      allElectronicInvoiceNumber: of.invoiceNo,
      invoiceTime: Date.parse("2026-03-15T02:10:00Z"),
      pdfUrl: `${base}/file.pdf`,
      ofdUrl: `${base}/file.ofd`,
      xmlUrl: "",
    }),
  });

  function usual({ method, body }: Asked): Answer {
    if (method === "requestBillingNew") {
      const order = body["order"] as Record<string, unknown>;
      const no = String(order["orderNo"]);
      if (orders.has(no)) return { body: { code: "E9106", describe: "订单编号不能重复" } };
      orders.set(no, { order, status: "20", invoiceNo: "", failCause: "" });
      return {
        body: {
          code: "E0000",
          describe: "开票提交成功",
          result: { invoiceSerialNum: "24052218155903719044" },
        },
      };
    }
    if (method === "queryInvoiceResult") {
      const [no] = body["orderNos"] as string[];
      const found = orders.get(no!);
      return found
        ? ok({ result: [shown(no!, found)] })
        : { body: { code: "E9500", describe: "没有查询到对应的发票信息" } };
    }
    if (method === "saveInvoiceRedConfirm") {
      const id = String(body["billId"]);
      confirms.set(id, { sent: body, status: "15" });
      return ok({ result: id });
    }
    if (method === "queryInvoiceRedConfirm") {
      const found = confirms.get(String(body["billId"]));
      const list = found
        ? [
            {
              billNo: "33010126030001",
              billId: body["billId"],
              billStatus: found.status,
              orderNo: body["billId"],
            },
          ]
        : [];
      return ok({ total: String(list.length), list });
    }
    return { body: { code: "070201", describe: "API不存在" } };
  }

  const server = createServer((request, reply) => {
    void (async () => {
      const url = new URL(request.url!, "http://x");
      const body = await read(request);
      const answer = (status: number, type: string, content: string | Buffer) =>
        reply.writeHead(status, { "content-type": type }).end(content);
      if (url.pathname === "/accessToken") {
        tokens++;
        const sent = new URLSearchParams(body);
        good = `${TOKEN}${tokens}`;
        const right = sent.get("client_id") === APP.appKey && sent.get("client_secret") === APP.appSecret;
        return answer(
          200,
          "application/json",
          JSON.stringify(
            right
              ? { access_token: good, expires_in: 86_400 }
              : { error: "070304", error_description: "Bad credentials" },
          ),
        );
      }
      if (url.pathname === "/file.pdf") return answer(200, "application/pdf", Buffer.from("%PDF-1.7 sample"));
      if (url.pathname === "/file.ofd") return answer(200, "application/ofd", Buffer.from("PK-ofd"));
      const q = (name: string) => url.searchParams.get(name) ?? "";
      const message = `a=services&l=v1&p=open&k=${q("appkey")}&i=${q("senid")}&n=${q("nonce")}&t=${q("timestamp")}&f=${body}`;
      const one: Asked = {
        method: String(request.headers["method"]).replace("nuonuo.OpeMplatform.", ""),
        body: JSON.parse(body) as Record<string, unknown>,
        userTax: String(request.headers["usertax"]),
        signedRight:
          /^\d{8}$/.test(q("nonce")) &&
          q("senid").length === 32 &&
          request.headers["accesstoken"] === good &&
          createHmac("sha1", APP.appSecret).update(message).digest("base64") ===
            request.headers["x-nuonuo-sign"],
      };
      asked.push(one);
      const known = request.headers["accesstoken"] === good;
      const said = known ? special(one) : { body: { code: "070302", describe: "accessToken已失效" } };
      // what times out was taken all the same
      const done = said?.hang || !said ? usual(one) : said;
      if (said?.hang) return void request.socket.destroy();
      return answer(done.status ?? 200, "application/json", JSON.stringify(done.body ?? {}));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    endpoint: `${base}/open/v1/services`,
    asked,
    orders,
    confirms,
    tokens: () => tokens,
    /** The token that was given is none any more, before its time. */
    forgets: () => void (good = "gone"),
    answers: (how: typeof special = () => undefined) => void (special = how),
    /** The tax authority has made it. */
    makes: (orderNo: string, invoiceNo: string) => {
      const order = orders.get(orderNo) ?? { order: {}, failCause: "" };
      orders.set(orderNo, { ...order, status: "2", invoiceNo });
    },
    refuses: (orderNo: string, failCause: string) =>
      void orders.set(orderNo, { ...orders.get(orderNo)!, status: "22", failCause }),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
