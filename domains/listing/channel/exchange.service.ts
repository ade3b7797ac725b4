import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { Settings } from "../../../platform/server/process/settings.ts";

/** Addresses of this machine and of networks behind it: nobody outside is reached there. */
const inside = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  inside.addSubnet(net, bits);
for (const [net, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  inside.addSubnet(net, bits, "ipv6");

const isInside = (address: string) =>
  inside.check(
    address.replace(/^::ffff:(?=\d+\.)/i, ""),
    isIP(address) === 6 && !/^::ffff:\d+\./i.test(address) ? "ipv6" : "ipv4",
  );

const REFUSED = "不能连接内部网络的地址";

/** Looks the name up once and connects to exactly what was found: a name cannot point elsewhere in between. */
const outsideOnly: LookupFunction = (name, options, answer) =>
  dns.lookup(name, { ...options, all: true }, (error, found) => {
    if (error) return answer(error, "", 4);
    if (!found.length || found.some((one) => isInside(one.address))) return answer(new Error(REFUSED), "", 4);
    if (options.all) return (answer as unknown as (e: null, all: typeof found) => void)(null, found);
    return answer(null, found[0]!.address, found[0]!.family);
  });

export type Exchanged = { ok: boolean; status: number; text: string };
const MOST = 1_000_000;

/** One request to somebody outside. Never throws: what went wrong is the answer. Redirects are not followed. */
export function exchange(
  address: string,
  how: {
    method: "GET" | "POST";
    body: string;
    headers: Record<string, string>;
    timeoutMs: number;
    settings: Pick<Settings, "ALLOW_PRIVATE_TARGETS">;
  },
): Promise<Exchanged> {
  const url = new URL(address);
  const open = how.settings.ALLOW_PRIVATE_TARGETS;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!open && isIP(host) && isInside(host)) return Promise.resolve({ ok: false, status: 0, text: REFUSED });
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const failed = (error: Error & { code?: string }) =>
    resolve({ ok: false, status: 0, text: error.message || (error.code ?? "连接失败") });
  const request = (url.protocol === "https:" ? https : http).request(
    url,
    {
      method: how.method,
      agent: false,
      signal: AbortSignal.timeout(how.timeoutMs),
      headers: {
        ...how.headers,
        accept: "application/json",
        ...(how.body && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(how.body),
        }),
      },
      ...(!open && { lookup: outsideOnly }),
    },
    (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST) response.destroy(new Error("返回内容过大"));
        else chunks.push(chunk);
      });
      response.on("error", failed);
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        resolve({ ok: status >= 200 && status < 300, status, text: Buffer.concat(chunks).toString("utf8") });
      });
    },
  );
  request.on("error", (error) =>
    failed(
      error.name === "AbortError" || error.name === "TimeoutError" ? new Error("对方未在时限内答复") : error,
    ),
  );
  request.end(how.body || undefined);
  return promise;
}
