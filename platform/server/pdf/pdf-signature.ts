import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { SignPdf } from "@signpdf/signpdf";
import { Signer } from "@signpdf/utils";
import { timeStamp } from "./time-stamp.ts";

/** What a file is closed with: RSA key and certificate, after which those that issued it may stand. */
export type SigningKey = { keyPem: string; certificatePem: string };

export type SignHow = {
  at: Date;
  /** RFC 3161 service that stamps the time; none where it is empty. */
  timestampUrl?: string;
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** Octets of the time stamp, of RFC 3161: id-aa-timeStampToken. */
const STAMP_OID = "1.2.840.113549.1.9.16.2.14";
const binary = (bytes: Buffer) => bytes.toString("binary");

/** CMS (PKCS#7) detached over bytes: SHA-256, with content type, signing time and digest as signed attributes. */
export async function detached(bytes: Buffer, key: SigningKey, how: SignHow): Promise<Buffer> {
  const [own, ...issuers] = key.certificatePem.match(CERTIFICATE) ?? [];
  if (!own) throw new Error("There is no certificate to sign with.");
  if (!new X509Certificate(own).checkPrivateKey(createPrivateKey(key.keyPem)))
    throw new Error("The private key does not belong to the certificate.");
  const { pki, pkcs7, asn1, util } = forge;
  const certificate = pki.certificateFromPem(own);
  // it reads names as bytes and would encode them a second time, so that nobody found the certificate by its issuer
  for (const name of certificate.issuer.attributes)
    if ((name.valueTagClass as number | undefined) === asn1.Type.UTF8)
      name.value = util.decodeUtf8(name.value as string);
  const signed = pkcs7.createSignedData();
  signed.content = util.createBuffer(binary(bytes));
  for (const pem of [own, ...issuers]) signed.addCertificate(pem);
  signed.addSigner({
    key: key.keyPem,
    certificate,
    digestAlgorithm: pki.oids["sha256"]!,
    authenticatedAttributes: [
      { type: pki.oids["contentType"]!, value: pki.oids["data"]! },
      { type: pki.oids["signingTime"]!, value: how.at as never },
      { type: pki.oids["messageDigest"]! },
    ],
  });
  signed.sign({ detached: true });
  if (how.timestampUrl) {
    const [info] = (signed as unknown as { signerInfos: forge.asn1.Asn1[] }).signerInfos;
    const fields = info!.value as forge.asn1.Asn1[];
    const signature = Buffer.from(fields.at(-1)!.value as string, "binary");
    const token = await timeStamp(how.timestampUrl, createHash("sha256").update(signature).digest());
    const { create, Class, Type } = asn1;
    const attribute = create(Class.UNIVERSAL, Type.SEQUENCE, true, [
      create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(STAMP_OID).getBytes()),
      create(Class.UNIVERSAL, Type.SET, true, [asn1.fromDer(binary(token))]),
    ]);
    fields.push(create(Class.CONTEXT_SPECIFIC, 1, true, [attribute]));
  }
  return Buffer.from(asn1.toDer(signed.toAsn1()).getBytes(), "binary");
}

class Closing extends Signer {
  readonly #key: SigningKey;
  readonly #how: SignHow;
  constructor(key: SigningKey, how: SignHow) {
    super();
    this.#key = key;
    this.#how = how;
  }
  override sign(bytes: Buffer): Promise<Buffer> {
    return detached(bytes, this.#key, this.#how);
  }
}

/** Fills the place that was laid for a signature; everything else in the file is under it. */
export const signedPdf = (pdf: Buffer, key: SigningKey, how: SignHow): Promise<Buffer> =>
  new SignPdf().sign(pdf, new Closing(key, how));
