import { createHash, generateKeyPair, randomBytes, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";

/** Of the certificates that the product makes for itself. */
const YEARS = 10;
const MINUTES_BEFORE = 5;

export type Certified = {
  subject: string;
  issuer: string;
  serial: string;
  /** SHA-256 over the certificate. */
  fingerprint: string;
  /** The certificate, and after it those that issued it. */
  pem: string;
  privateKey: string;
  validFrom: Date;
  validTo: Date;
};

/** `CN=甲, O=乙`, the most telling first. */
const nameOf = (lines: string) => lines.split("\n").toReversed().join(", ");

/** What a certificate says of itself. `pems`: it and those that issued it. */
export function certified(pems: readonly string[], privateKey: string): Certified {
  const certificate = new X509Certificate(pems[0]!);
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    serial: certificate.serialNumber.toLowerCase(),
    fingerprint: createHash("sha256").update(certificate.raw).digest("hex"),
    pem: pems.join(""),
    privateKey,
    validFrom: certificate.validFromDate,
    validTo: certificate.validToDate,
  };
}

/** Makes a key and signs it itself: what it closes cannot be changed unnoticed, but no authority vouches for the name. */
export async function selfSigned(commonName: string, organisation: string, now: Date): Promise<Certified> {
  const keys = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
  // positive, as RFC 5280 asks
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  certificate.validity.notBefore = new Date(now.getTime() - MINUTES_BEFORE * 60_000);
  certificate.validity.notAfter = new Date(now);
  certificate.validity.notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const text = { valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class };
  const name = [
    { shortName: "O", value: organisation, ...text },
    { shortName: "CN", value: commonName, ...text },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, nonRepudiation: true, critical: true },
    // signing of documents, RFC 9336
    { name: "extKeyUsage", "1.3.6.1.5.5.7.3.36": true, emailProtection: true },
    { name: "subjectKeyIdentifier" },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(keys.privateKey), forge.md.sha256.create());
  return certified([forge.pki.certificateToPem(certificate)], keys.privateKey);
}
