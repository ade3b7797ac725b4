import { createCipheriv, createSign, createVerify, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { isSealed, opened, sealOf, signed, wechatAuthorization } from "./wechatpay.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const NOW = new Date("2026-11-20T09:00:00+08:00");
const TIMESTAMP = String(NOW.getTime() / 1000);

test("a request is signed over method, address, time, nonce and body, a line each", () => {
  const body = '{"amount":{"total":100000}}';
  const header = wechatAuthorization(
    { mchId: "1600000001", serialNo: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1", privateKey },
    {
      method: "POST",
      path: "/v3/pay/transactions/native",
      body,
      at: NOW,
      nonce: "593BEC0C930BF1AFEB40B4A08C8FB242",
    },
  );
  const [scheme, rest] = header.split(" ");
  expect(scheme).toBe("WECHATPAY2-SHA256-RSA2048");
  const said = Object.fromEntries(
    [...rest!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  expect(said).toMatchObject({
    mchid: "1600000001",
    nonce_str: "593BEC0C930BF1AFEB40B4A08C8FB242",
    timestamp: TIMESTAMP,
    serial_no: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
  });
  const message = `POST\n/v3/pay/transactions/native\n${TIMESTAMP}\n593BEC0C930BF1AFEB40B4A08C8FB242\n${body}\n`;
  expect(createVerify("RSA-SHA256").update(message).verify(publicKey, said["signature"]!, "base64")).toBe(
    true,
  );
});

test("a request without a body is signed over an empty line", () => {
  expect(signed(privateKey, "GET\n/v3/certificates\n1\nn\n\n")).toBe(
    createSign("RSA-SHA256").update("GET\n/v3/certificates\n1\nn\n\n").sign(privateKey, "base64"),
  );
});

const sealed = (body: string, timestamp = TIMESTAMP) =>
  sealOf(
    (name) =>
      ({
        "wechatpay-timestamp": timestamp,
        "wechatpay-nonce": "EcIJd",
        "wechatpay-serial": "70C2",
        "wechatpay-signature": signed(privateKey, `${timestamp}\nEcIJd\n${body}\n`),
      })[name],
  );

test("a notification counts only with the right signature, whole and fresh", () => {
  const body = '{"id":"EV-1"}';
  expect(isSealed(publicKey, sealed(body), body, NOW)).toBe(true);
  expect(isSealed(publicKey, sealed(body), '{"id":"EV-2"}', NOW)).toBe(false);
  expect(isSealed(publicKey, { ...sealed(body), signature: "" }, body, NOW)).toBe(false);
  expect(isSealed(publicKey, { ...sealed(body), signature: "bm8=" }, body, NOW)).toBe(false);
  expect(isSealed(publicKey, { ...sealed(body), nonce: "other" }, body, NOW)).toBe(false);
  const old = String(Number(TIMESTAMP) - 301);
  expect(isSealed(publicKey, sealed(body, old), body, NOW)).toBe(false);
  expect(isSealed(publicKey, { ...sealed(body), timestamp: "soon" }, body, NOW)).toBe(false);
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  const wrong = other.export({ type: "spki", format: "pem" }).toString();
  expect(isSealed(wrong, sealed(body), body, NOW)).toBe(false);
});

test("what it carries is opened with the APIv3 key, and nothing that was touched", () => {
  const key = "0123456789abcdefghijABCDEFGHIJ01";
  const cipher = createCipheriv("aes-256-gcm", key, "fdasflkja484");
  cipher.setAAD(Buffer.from("transaction"));
  const bytes = Buffer.concat([
    cipher.update('{"trade_state":"SUCCESS"}'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const secret = {
    ciphertext: bytes.toString("base64"),
    nonce: "fdasflkja484",
    associated_data: "transaction",
  };
  expect(opened(key, secret)).toBe('{"trade_state":"SUCCESS"}');
  expect(() => opened(key, { ...secret, associated_data: "refund" })).toThrow();
  expect(() => opened("0123456789abcdefghijABCDEFGHIJ02", secret)).toThrow();
  expect(() => opened(key, { ...secret, ciphertext: "AAAA" })).toThrow("too short");
});
// "Test Case 14" of the GCM specification (McGrew and Viega): 256-bit key of zeros, one block of zeros
test("the published vector of AES-256-GCM", () => {
  const key = "\0".repeat(32);
  const secret = {
    ciphertext: Buffer.from(
      "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919",
      "hex",
    ).toString("base64"),
    nonce: "\0".repeat(12),
  };
  expect(opened(key, secret)).toBe("\0".repeat(16));
});
