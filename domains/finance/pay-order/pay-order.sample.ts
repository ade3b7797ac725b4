import { createCipheriv, createPublicKey, createVerify, generateKeyPairSync, randomBytes } from "node:crypto";
import { type IncomingMessage, createServer } from "node:http";
import { counter } from "../../../platform/server/database/counter.sample.ts";
import { type WechatSecret, signed } from "../../../platform/server/outside/wechatpay.ts";
import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, linkAccount } from "../account/account.service.ts";
import { NOTIFY_PATH } from "./driver.service.ts";
import { payAtTill, tillNotification } from "./till.service.ts";

const next = counter();
/** An account at the embedded till, through which a store takes money by a code. */
export async function aTill(house: TestHouse, villageId: number): Promise<number> {
  const { enterpriseId, database } = house;
  const act = { tx: database.db };
  const id = await addAccount(act, { enterpriseId, name: `内置收银${next()}`, kind: "till" });
  await linkAccount(act, { villageId, payType: "till", merchantAccountId: id, terminal: "h5" });
  return id;
}

/** Sends a notification from outside, as a channel does. */
export const notify = (
  house: TestHouse,
  accountId: number,
  body: string,
  headers: Record<string, string | undefined> = {},
) =>
  house.app.inject({
    method: "POST",
    url: `${NOTIFY_PATH}/${accountId}`,
    headers: { "content-type": "application/json", ...headers },
    payload: body,
  });

/** The payer pays at the till, and nobody is told yet: answers what will be told, signed. `amount`: what was paid, where that is another. */
export const paidUntold = (house: TestHouse, accountId: number, orderNo: string, amount?: number) =>
  acting(house, async (act) => {
    const paid = await payAtTill(act, orderNo);
    if (amount !== undefined)
      await act.tx.updateTable("tillOrder").set({ amount }).where("orderNo", "=", orderNo).execute();
    const told = { ...paid, amount: amount ?? paid.amount };
    const { body, header } = tillNotification(act, accountId, told);
    return { body, headers: { "till-signature": header("till-signature") } };
  });

const rsa = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
};

export const KEY_ID = "PUB_KEY_ID_0116000000012026112000";
export const API_KEY = "0123456789abcdefghijABCDEFGHIJ01";
export const MCH_ID = "1600000001";
export const SERIAL = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";

/** Encrypts as WeChat Pay does what a notification carries. */
export function enclosed(content: object, about = "transaction"): WechatSecret {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", API_KEY, nonce);
  cipher.setAAD(Buffer.from(about));
  const bytes = Buffer.concat([
    cipher.update(JSON.stringify(content), "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { ciphertext: bytes.toString("base64"), nonce, associated_data: about };
}

export type Asked = { method: string; path: string; body: Record<string, unknown>; signedRight: boolean };
type Answer = { status?: number; body?: object; bytes?: Buffer; unsigned?: boolean; hang?: boolean };

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
};

/** WeChat Pay on this machine: verifies who asks, and signs what it answers and tells. */
export async function aWechat(now: () => Date) {
  const merchant = rsa();
  const platform = rsa();
  const asked: Asked[] = [];
  let answer: (request: Asked) => Answer | Promise<Answer> = () => ({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
  const sealing = (body: string, at = now()): Record<string, string> => {
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const nonce = randomBytes(8).toString("hex");
    return {
      "wechatpay-timestamp": timestamp,
      "wechatpay-nonce": nonce,
      "wechatpay-serial": KEY_ID,
      "wechatpay-signature": signed(platform.privateKey, `${timestamp}\n${nonce}\n${body}\n`),
    };
  };
  const server = createServer((request, reply) => {
    void (async () => {
      const body = await read(request);
      const header = request.headers.authorization ?? "";
      const said = Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v]));
      const message = `${request.method}\n${request.url}\n${said["timestamp"]}\n${said["nonce_str"]}\n${body}\n`;
      const one: Asked = {
        method: request.method!,
        path: request.url!,
        body: body ? (JSON.parse(body) as Record<string, unknown>) : {},
        signedRight:
          said["mchid"] === MCH_ID &&
          said["serial_no"] === SERIAL &&
          createVerify("RSA-SHA256")
            .update(message)
            .verify(createPublicKey(merchant.publicKey), said["signature"] ?? "", "base64"),
      };
      asked.push(one);
      const given = await answer(one);
      if (given.hang) return void request.socket.destroy();
      if (given.bytes) return void reply.writeHead(200).end(given.bytes);
      const text = given.body ? JSON.stringify(given.body) : "";
      reply.writeHead(given.status ?? 200, given.unsigned ? {} : sealing(text));
      reply.end(text);
    })();
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    merchant,
    platform,
    asked,
    /** What it says from now on. */
    answers: (how: typeof answer) => void (answer = how),
    /** A notification, signed. */
    tells: (event: string, content: object, at?: Date) => {
      const about = event.startsWith("REFUND") ? "refund" : "transaction";
      const body = JSON.stringify({
        id: randomBytes(8).toString("hex"),
        event_type: event,
        resource_type: "encrypt-resource",
        resource: { algorithm: "AEAD_AES_256_GCM", original_type: about, ...enclosed(content, about) },
      });
      return { body, headers: sealing(body, at) };
    },
    close: () => new Promise<void>((done) => void server.close(() => done())),
  };
}

/** A merchant account of that WeChat Pay at 0.60%, with its keys, through which a store takes money by a code. */
export async function aWechatAccount(
  house: TestHouse,
  villageId: number,
  { merchant, platform }: Awaited<ReturnType<typeof aWechat>>,
): Promise<number> {
  const { enterpriseId, cipher } = house;
  const { db } = house.database;
  const act = { tx: db };
  const id = await addAccount(act, {
    enterpriseId,
    name: `微信收款${next()}`,
    kind: "wechat",
    mchId: MCH_ID,
    feeRate: "0.006",
  });
  await linkAccount(act, { villageId, payType: "wechat", merchantAccountId: id, terminal: "h5" });
  await db
    .updateTable("merchantAccount")
    .set({ appIds: JSON.stringify([{ terminal: "h5", appId: "wx0123456789abcdef" }]) })
    .where("id", "=", id)
    .execute();
  const keys = {
    apiV3Key: API_KEY,
    certSerialNo: SERIAL,
    privateKey: merchant.privateKey,
    wechatKeyId: KEY_ID,
    wechatPublicKey: platform.publicKey,
  };
  await db
    .insertInto("merchantKey")
    .values(
      Object.entries(keys).map(([name, text]) => ({
        merchantAccountId: id,
        name,
        sealed: cipher.seal(text),
      })),
    )
    .execute();
  return id;
}
