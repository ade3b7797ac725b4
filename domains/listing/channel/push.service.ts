import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Settings } from "../../../platform/server/process/settings.ts";
import type { Channel } from "./channel.queries.ts";
import type { ListingDocument } from "./listing.rules.ts";
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

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

/** What a channel answered. `answer` is kept in the log, at most 2,000 characters of it. */
export type Outcome = {
  ok: boolean;
  answer: string;
  outsideId?: string | undefined;
  outsideUrl?: string | undefined;
  views?: number | undefined;
};
export type Shown = { id: number; outsideId: string | null; document: ListingDocument };
export type Enquiry = { outsideId: string; roomId: number; name: string; phone: string; message: string };
export type Around = { settings: Settings; now: Date; pictureUrl: (fileId: number) => string };

/** How one kind of channel is spoken to. A new kind is one more of these and its settings in adapter.rules.ts. */
export type Adapter = {
  /** Nobody outside has to be asked: what is published stands at once. */
  direct: boolean;
  check: (channel: Channel, around: Around) => Promise<Outcome>;
  publish: (channel: Channel, shown: Shown, around: Around) => Promise<Outcome>;
  update: (channel: Channel, shown: Shown, around: Around) => Promise<Outcome>;
  withdraw: (channel: Channel, shown: Omit<Shown, "document">, around: Around) => Promise<Outcome>;
  /** Enquiries since a moment; an adapter that cannot answers none. */
  fetchLeads: (channel: Channel, since: string | null, around: Around) => Promise<Enquiry[]>;
};

/** What a receiver may answer; anything else counts by its status alone. */
const told = z.object({
  id: z.union([z.string().max(100), z.number().transform(String)]).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
  views: z.number().int().min(0).optional(),
});
const enquiries = z.object({
  list: z
    .array(
      z.object({
        id: z.union([z.string().min(1).max(64), z.number().transform(String)]),
        roomId: z.coerce.number().int().positive(),
        name: z.string().trim().min(1).max(30),
        phone: z.string().regex(/^1[3-9]\d{9}$/),
        message: z.string().max(500).default(""),
      }),
    )
    .max(500),
});

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Sends signed: x-signature is the HMAC-SHA256, in hex, of "{x-timestamp}.{body}" under the channel's key, so that the
 * receiver knows who speaks and that nothing is sent a second time by somebody else.
 */
async function signed(channel: Channel, address: string, body: object | undefined, around: Around) {
  const text = body ? JSON.stringify(body) : "";
  const timestamp = String(Math.floor(around.now.getTime() / 1000));
  const signature = createHmac("sha256", channel.secret).update(`${timestamp}.${text}`).digest("hex");
  return exchange(address, {
    method: body ? "POST" : "GET",
    body: text,
    headers: { "x-timestamp": timestamp, "x-signature": signature },
    timeoutMs: Number(channel.config["timeoutSeconds"] ?? 10) * 1000,
    settings: around.settings,
  });
}

async function tell(channel: Channel, body: object, around: Around): Promise<Outcome> {
  const { ok, status, text } = await signed(channel, String(channel.config["url"]), body, around);
  const answer = `${status ? `HTTP ${status} ` : ""}${text}`.slice(0, 2000);
  if (!ok) return { ok, answer };
  const { id, url, views } = told.safeParse(json(text)).data ?? {};
  return { ok, answer, outsideId: id, outsideUrl: url, views };
}

const shownBy =
  (act: "publish" | "update") =>
  (channel: Channel, { id, outsideId, document }: Parameters<Adapter["publish"]>[1], around: Around) => {
    const pictures = document.pictures.map(around.pictureUrl);
    return tell(channel, { act, listingId: id, outsideId, listing: { ...document, pictures } }, around);
  };

/** Posts the document of a listing to an address of the channel. */
export const push: Adapter = {
  direct: false,
  check: (channel, around) => tell(channel, { act: "check" }, around),
  publish: shownBy("publish"),
  update: shownBy("update"),
  withdraw: (channel, { id, outsideId }, around) =>
    tell(channel, { act: "withdraw", listingId: id, outsideId }, around),
  fetchLeads: async (channel, since, around) => {
    const { leadsUrl } = channel.config;
    if (!leadsUrl) return [];
    const url = new URL(String(leadsUrl));
    if (since) url.searchParams.set("since", since);
    const { ok, status, text } = await signed(channel, url.href, undefined, around);
    if (!ok) throw new Error(`拉取咨询失败：${status ? `HTTP ${status} ` : ""}${text}`.slice(0, 500));
    const parsed = enquiries.safeParse(json(text));
    if (!parsed.success) throw new Error("拉取咨询失败：返回内容格式不正确");
    return parsed.data.list.map(({ id, ...one }) => ({ ...one, outsideId: id }));
  },
};
