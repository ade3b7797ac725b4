import { randomBytes } from "node:crypto";
import forge from "node-forge";

const { asn1, util } = forge;
const { Class, Type, create } = asn1;
const SHA256 = "2.16.840.1.101.3.4.2.1";
/** A service that does not answer must not hold up a signing. */
const PATIENCE_MS = 8_000;
const binary = (bytes: Buffer) => bytes.toString("binary");

/** The request of RFC 3161 for a SHA-256 digest. */
export function stampRequest(digest: Buffer, nonce: Buffer): Buffer {
  const request = create(Class.UNIVERSAL, Type.SEQUENCE, true, [
    create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(1).getBytes()),
    create(Class.UNIVERSAL, Type.SEQUENCE, true, [
      create(Class.UNIVERSAL, Type.SEQUENCE, true, [
        create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(SHA256).getBytes()),
        create(Class.UNIVERSAL, Type.NULL, false, ""),
      ]),
      create(Class.UNIVERSAL, Type.OCTETSTRING, false, binary(digest)),
    ]),
    create(Class.UNIVERSAL, Type.INTEGER, false, binary(nonce)),
    create(Class.UNIVERSAL, Type.BOOLEAN, false, String.fromCharCode(0xff)),
  ]);
  return Buffer.from(asn1.toDer(request).getBytes(), "binary");
}

/** The token of a granted answer that is about this digest and this request. */
export function stampToken(answer: Buffer, digest: Buffer, nonce: Buffer): Buffer {
  const response = asn1.fromDer(util.createBuffer(binary(answer)));
  const [status, token] = response.value as forge.asn1.Asn1[];
  const [granted] = (status?.value ?? []) as forge.asn1.Asn1[];
  const code = granted && Buffer.from(granted.value as string, "binary").readUIntBE(0, 1);
  if ((code !== 0 && code !== 1) || !token) throw new Error(`The time stamp service refused (${code}).`);
  const bytes = Buffer.from(asn1.toDer(token).getBytes(), "binary");
  if (!bytes.includes(digest) || !bytes.includes(nonce))
    throw new Error("The time stamp service answered for something else.");
  return bytes;
}

/** Asks a service to stamp a digest (RFC 3161 over HTTP); throws when it does not. */
export async function timeStamp(url: string, digest: Buffer): Promise<Buffer> {
  const nonce = randomBytes(8);
  // positive and as short as DER wants it
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    body: new Uint8Array(stampRequest(digest, nonce)),
    signal: AbortSignal.timeout(PATIENCE_MS),
    redirect: "error",
  });
  if (!response.ok) throw new Error(`The time stamp service answered ${response.status}.`);
  return stampToken(Buffer.from(await response.arrayBuffer()), digest, nonce);
}
