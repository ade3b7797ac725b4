import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";

export const APP = { appId: "7438990001", secret: "cfbcbb11112e1195655cd70caf3094b8" };

type Answer = { status?: number; code?: number; message?: string; data?: unknown; hang?: boolean };
export type Asked = { method: string; path: string; body: Record<string, unknown>; signedRight: boolean };
/** A signing there. */
type There = {
  id: string;
  fileId: string;
  sent: Record<string, unknown>;
  status: number;
  reason: string;
  /** All parties have signed, or so many of them, in their order. */
  partySigned: boolean | number;
};

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
const md5 = (bytes: Buffer) => createHash("md5").update(bytes).digest("base64");

/**
 * e签宝 on this machine: checks the signature of every request by itself, keeps what is brought, and tells of what happens as it
 * does. `answers` has it answer otherwise.
 */
export async function anEsign(now: () => Date) {
  const asked: Asked[] = [];
  const files = new Map<string, { md5: string; bytes: Buffer | undefined }>();
  const flows = new Map<string, There>();
  let special: (request: Asked) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  let count = 0;
  const next = (kind: string) => `${kind}${String(++count).padStart(8, "0")}`;
  let base = "";

  const signedRight = (request: IncomingMessage, body: Buffer): boolean => {
    const header = (name: string) => [request.headers[name]].flat()[0] ?? "";
    const md5Sent = body.length ? md5(body) : "";
    const message = [
      request.method,
      header("accept"),
      md5Sent,
      header("content-type"),
      header("date"),
      request.url,
    ].join("\n");
    const age = Math.abs(now().getTime() - Number(header("x-tsign-open-ca-timestamp")));
    return (
      header("x-tsign-open-app-id") === APP.appId &&
      header("x-tsign-open-auth-mode") === "Signature" &&
      header("content-md5") === md5Sent &&
      age <= 15 * 60_000 &&
      createHmac("sha256", APP.secret).update(message).digest("base64") ===
        header("x-tsign-open-ca-signature")
    );
  };

  const signersOf = (flow: There) =>
    (
      flow.sent["signers"] as {
        signConfig: { signOrder: number };
        psnSignerInfo?: object;
        signFields: object[];
      }[]
    ).map((signer, i) => {
      const ours = !("psnSignerInfo" in signer || "orgSignerInfo" in signer);
      const { partySigned: by } = flow;
      const signed = flow.status === 2 || (!ours && (typeof by === "number" ? i < by : by));
      return {
        signerType: ours ? 1 : 0,
        signOrder: signer.signConfig.signOrder,
        signStatus: signed ? 2 : flow.status === 7 && !ours ? 4 : 1,
        signerIp: signed && !ours ? "218.1.2.3" : null,
        signFields: signer.signFields.map(() => ({
          signFieldStatus: signed ? "4" : "1",
          statusUpdateTime: now().getTime(),
        })),
      };
    });

  function usual({ method, path, body }: Asked): Answer {
    const [, kind, id, what] = /^\/v3\/(files|sign-flow)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (kind === "files" && id === "file-upload-url" && method === "POST") {
      const fileId = next("file");
      files.set(fileId, { md5: body["contentMd5"] as string, bytes: undefined });
      return { data: { fileId, fileUploadUrl: `${base}/upload/${fileId}?signature=x` } };
    }
    if (kind === "files" && method === "GET")
      return { data: { fileId: id, fileStatus: files.get(id!)?.bytes ? 2 : 0 } };
    if (id === "create-by-file" && method === "POST") {
      const flowId = next("flow");
      const [doc] = body["docs"] as { fileId: string }[];
      const flow = { id: flowId, fileId: doc!.fileId, sent: body, status: 1, reason: "", partySigned: false };
      flows.set(flowId, flow);
      return { data: { signFlowId: flowId } };
    }
    const flow = flows.get(id ?? "");
    if (!flow) return { code: 1437102, message: "签署流程不存在" };
    if (what === "sign-url" && method === "POST")
      return {
        data: {
          shortUrl: `https://smlt.esign.cn/${flow.id}`,
          url: `https://h5.esign.cn/guide?flow=${flow.id}`,
        },
      };
    if (what === "detail" && method === "GET")
      return {
        data: {
          signFlowStatus: flow.status,
          signFlowDescription: flow.reason || (flow.status === 2 ? "完成" : "签署中"),
          signers: signersOf(flow),
        },
      };
    if (what === "revoke" && method === "POST") {
      if (flow.status !== 1) return { code: 1437203, message: "流程状态不允许撤销" };
      flow.status = 3;
      flow.reason = body["revokeReason"] as string;
      return { data: null };
    }
    if (what === "file-download-url" && method === "GET")
      return flow.status === 2
        ? {
            data: {
              files: [
                { fileId: flow.fileId, fileName: "合同.pdf", downloadUrl: `${base}/closed/${flow.id}` },
              ],
            },
          }
        : { code: 1437518, message: "流程未完成，不能下载" };
    return { status: 404, code: 404, message: "接口不存在" };
  }

  const server = createServer((request, reply) => {
    void (async () => {
      const bytes = await read(request);
      const file = files.get(/^\/upload\/(\w+)/.exec(request.url!)?.[1] ?? "");
      if (file && request.method === "PUT") {
        const right = request.headers["content-md5"] === file.md5 && md5(bytes) === file.md5;
        if (right) file.bytes = bytes;
        reply.writeHead(right ? 200 : 400).end(JSON.stringify({ errCode: right ? 0 : -1 }));
        return;
      }
      const closed = flows.get(/^\/closed\/(\w+)$/.exec(request.url!)?.[1] ?? "");
      if (closed) return void reply.end(closedFile(closed.id));
      const one: Asked = {
        method: request.method!,
        path: request.url!,
        body: bytes.length ? (JSON.parse(bytes.toString("utf8")) as Record<string, unknown>) : {},
        signedRight: signedRight(request, bytes),
      };
      asked.push(one);
      const given =
        (await special(one)) ??
        (one.signedRight ? usual(one) : { status: 401, code: 401, message: "INVALID_SIGNATURE" });
      if (given.hang) return void request.socket.destroy();
      const { status = 200, code = 0, message = "成功", data = null } = given;
      reply
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ code, message, data }));
    })();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

  const closedFile = (id: string): Buffer => {
    const { bytes } = files.get(flows.get(id)!.fileId)!;
    return Buffer.concat([bytes!, Buffer.from(`\n% closed by e签宝 ${id}\n`)]);
  };
  const newest = (): There => [...flows.values()].at(-1)!;
  return {
    endpoint: base,
    asked,
    files,
    flows,
    newest,
    closedFile,
    /** Answers otherwise from now on, where the answer is not undefined. */
    answers: (how: typeof special = () => undefined) => void (special = how),
    /** How often something was asked. */
    times: (path: RegExp) => asked.filter((one) => path.test(`${one.method} ${one.path}`)).length,
    /** What happens there on the signer's phone. */
    happens: (flow: There, what: Partial<Pick<There, "status" | "reason" | "partySigned">>) =>
      void Object.assign(flow, what),
    /** A notification, signed as it comes from there. */
    tells: (flow: Pick<There, "id" | "status" | "sent">, at = now()) => {
      const { notifyUrl } = flow.sent["signFlowConfig"] as { notifyUrl: string };
      const url = new URL(notifyUrl);
      const body = JSON.stringify({
        action: "SIGN_FLOW_COMPLETE",
        timestamp: at.getTime(),
        signFlowId: flow.id,
        signFlowTitle: "房屋租赁合同",
        signFlowStatus: String(flow.status),
        statusDescription: "完成",
      });
      const timestamp = String(at.getTime());
      const values = [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
      return {
        url: `${url.pathname}${url.search}`,
        body,
        headers: {
          "x-tsign-open-app-id": APP.appId,
          "x-tsign-open-signature-algorithm": "hmac-sha256",
          "x-tsign-open-timestamp": timestamp,
          "x-tsign-open-signature": createHmac("sha256", APP.secret)
            .update(timestamp + values.join("") + body)
            .digest("hex"),
        },
      };
    },
    close: () => new Promise<void>((done) => void server.close(() => done())),
  };
}
export type Esign = Awaited<ReturnType<typeof anEsign>>;

/** Sends a notification from outside, as the provider does. */
export const notified = (
  house: TestHouse,
  { url, body, headers }: ReturnType<Esign["tells"]>,
  change: Record<string, string> = {},
) =>
  house.app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers, ...change },
    payload: body,
  });
