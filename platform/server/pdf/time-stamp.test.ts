import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import forge from "node-forge";
import { printed } from "../../../domains/system/paper/print.service.ts";
import { appended, placesIn } from "./pdf-append.ts";
import { checkedPdf } from "./pdf-check.ts";
import { signedPdf, type SigningKey } from "./pdf-signature.ts";
import { timeStamp } from "./time-stamp.ts";

const { asn1, pki } = forge;
const { Class, Type, create } = asn1;
const at = new Date("2026-03-12T02:00:00Z");

function aKey(): SigningKey {
  const keys = pki.rsa.generateKeyPair(2048);
  const certificate = pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.serialNumber = "0102";
  certificate.validity.notBefore = new Date("2026-01-01");
  certificate.validity.notAfter = new Date("2036-01-01");
  const name = [
    { shortName: "CN", value: "出租方", valueTagClass: Type.UTF8 as unknown as forge.asn1.Class },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return { keyPem: pki.privateKeyToPem(keys.privateKey), certificatePem: pki.certificateToPem(certificate) };
}
const key = aKey();

async function laid(): Promise<Buffer> {
  const paper = (text: string) => ({
    blocks: [
      { kind: "text" as const, text },
      {
        kind: "signatures" as const,
        sides: [
          { role: "甲方", name: "出租方" },
          { role: "乙方", name: "承租方" },
        ],
        date: "",
      },
    ],
    foot: ["", ""] as const,
    mark: "",
  });
  const pdf = await printed(paper("正文"), "合同");
  expect([...(await placesIn(pdf)).keys()]).toEqual(["signature-0", "signature-1"]);
  return appended(pdf, {
    pages: await printed(paper("证明"), "证明"),
    pictures: [],
    signature: { name: "出租方", reason: "合同", at },
  });
}

/** A service that grants every request with a token that only repeats it, or answers what it is told. */
let answer: "granted" | "refused" | "other" | "broken" = "granted";
let server: Server;
let url = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (answer === "broken") return response.writeHead(500).end();
      const query = asn1.fromDer(Buffer.concat(parts).toString("binary"));
      const status = (code: number) =>
        create(Class.UNIVERSAL, Type.SEQUENCE, true, [
          create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(code).getBytes()),
        ]);
      const other = create(Class.UNIVERSAL, Type.SEQUENCE, true, []);
      const body = create(
        Class.UNIVERSAL,
        Type.SEQUENCE,
        true,
        answer === "refused" ? [status(2)] : [status(0), answer === "other" ? other : query],
      );
      response.writeHead(200, { "content-type": "application/timestamp-reply" });
      response.end(Buffer.from(asn1.toDer(body).getBytes(), "binary"));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test("a file is closed by a signature over every byte, and any change shows", async () => {
  const pdf = await signedPdf(await laid(), key, { at });
  expect(checkedPdf(pdf)).toMatchObject({
    signed: true,
    whole: true,
    valid: true,
    signer: "出租方",
    at,
    stamped: false,
  });
  for (const place of [20, pdf.length - 20]) {
    const changed = Buffer.from(pdf);
    changed[place]! ^= 1;
    expect(checkedPdf(changed).valid, String(place)).toBe(false);
  }
  expect(checkedPdf(Buffer.concat([pdf, Buffer.from("\n% more")]))).toMatchObject({
    whole: false,
    valid: true,
  });
  expect(checkedPdf(Buffer.from("%PDF-1.7\n%%EOF"))).toMatchObject({ signed: false });
});

test("with a service the time is stamped into it; without its answer nothing is closed", async () => {
  answer = "granted";
  const stamped = await signedPdf(await laid(), key, { at, timestampUrl: url });
  expect(checkedPdf(stamped)).toMatchObject({ whole: true, valid: true, stamped: true });
  for (const [how, said] of [
    ["refused", "refused (2)"],
    ["other", "something else"],
    ["broken", "answered 500"],
  ] as const) {
    answer = how;
    await expect(timeStamp(url, Buffer.alloc(32, 7)), how).rejects.toThrow(said);
  }
});

test("a key that is not the certificate's closes nothing", async () => {
  const other = { ...key, keyPem: aKey().keyPem };
  await expect(signedPdf(await laid(), other, { at })).rejects.toThrow("does not belong");
});
