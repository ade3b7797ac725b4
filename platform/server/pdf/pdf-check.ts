import { createHash, createVerify, X509Certificate } from "node:crypto";
import forge from "node-forge";

const { asn1, pki } = forge;
type Node = forge.asn1.Asn1;
const childrenOf = (node: Node) => node.value as Node[];
const bytesOf = (node: Node) => Buffer.from(asn1.toDer(node).getBytes(), "binary");
const oidOf = (node: Node) => asn1.derToOid(node.value as string);
const STAMP = "1.2.840.113549.1.9.16.2.14";

/** What the signature that closes a PDF says about its bytes. */
export type PdfCheck = {
  /** Whether there is one at all. */
  signed: boolean;
  /** It is about every byte of the file but itself. */
  whole: boolean;
  /** The bytes are those that were signed, by the key of the certificate. */
  valid: boolean;
  /** Common name in the certificate; empty where it cannot be read. */
  signer: string;
  fingerprint: string;
  at: Date | undefined;
  stamped: boolean;
};

const UNSIGNED: PdfCheck = {
  signed: false,
  whole: false,
  valid: false,
  signer: "",
  fingerprint: "",
  at: undefined,
  stamped: false,
};

/** Checks the last signature of a PDF by its own certificate. Whom the certificate is trusted by is the reader's business. */
export function checkedPdf(pdf: Buffer): PdfCheck {
  const text = pdf.toString("latin1");
  const range = [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].at(-1);
  if (!range) return UNSIGNED;
  const [start, length, second, rest] = range.slice(1).map(Number) as [number, number, number, number];
  const hex = /^<([0-9a-fA-F]+)>$/.exec(text.slice(start + length, second))?.[1];
  const whole = start === 0 && second + rest === pdf.length && hex !== undefined;
  const found = { ...UNSIGNED, signed: true, whole };
  if (hex === undefined) return found;
  try {
    const content = Buffer.concat([pdf.subarray(start, start + length), pdf.subarray(second, second + rest)]);
    return { ...found, ...checkedMessage(Buffer.from(hex, "hex"), content) };
  } catch {
    // what was changed may be no message any more
    return found;
  }
}

function checkedMessage(message: Buffer, content: Buffer): Partial<PdfCheck> {
  // zeros behind the message fill the place that was kept for it
  const parsed = asn1.fromDer(message.toString("binary"), { parseAllBytes: false } as never);
  const signedData = childrenOf(childrenOf(childrenOf(parsed)[1]!)[0]!);
  const certificates = signedData.find((n) => n.tagClass === asn1.Class.CONTEXT_SPECIFIC && n.type === 0)!;
  const [info] = childrenOf(signedData.at(-1)!);
  const parts = childrenOf(info!);
  const attributes = parts.find((n) => n.tagClass === asn1.Class.CONTEXT_SPECIFIC && n.type === 0)!;
  const signature = parts.find((n) => n.tagClass === asn1.Class.UNIVERSAL && n.type === 4)!;
  const unsigned = parts.find((n) => n.tagClass === asn1.Class.CONTEXT_SPECIFIC && n.type === 1);
  const valueOf = (oid: string) => {
    const found = childrenOf(attributes).find((a) => oidOf(childrenOf(a)[0]!) === oid);
    return found && childrenOf(childrenOf(found)[1]!)[0]!;
  };
  const digest = Buffer.from(valueOf(pki.oids["messageDigest"]!)!.value as string, "binary");
  // the attributes are signed as a SET, in which they do not stand in the message
  const signedBytes = bytesOf(attributes);
  signedBytes[0] = 0x31;
  // issuer and serial number name the certificate
  const wanted = childrenOf(parts[1]!).map(bytesOf) as [Buffer, Buffer];
  const found = childrenOf(certificates).find((node) => {
    const fields = childrenOf(childrenOf(node)[0]!);
    const at = fields[0]!.tagClass === asn1.Class.CONTEXT_SPECIFIC ? 1 : 0;
    return bytesOf(fields[at]!).equals(wanted[1]) && bytesOf(fields[at + 2]!).equals(wanted[0]);
  });
  if (!found) return {};
  const certificate = new X509Certificate(bytesOf(found));
  const right = createVerify("RSA-SHA256")
    .update(signedBytes)
    .verify(certificate.publicKey, Buffer.from(signature.value as string, "binary"));
  const at = valueOf(pki.oids["signingTime"]!);
  return {
    valid: right && createHash("sha256").update(content).digest().equals(digest),
    signer: /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? "",
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    at:
      at &&
      (at.type === asn1.Type.UTCTIME
        ? asn1.utcTimeToDate(at.value as string)
        : asn1.generalizedTimeToDate(at.value as string)),
    stamped: unsigned !== undefined && childrenOf(unsigned).some((a) => oidOf(childrenOf(a)[0]!) === STAMP),
  };
}
