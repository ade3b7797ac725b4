import { parentPort, workerData } from "node:worker_threads";
import forge from "node-forge";
import type { P12Read, P12Task } from "./p12.ts";

const { bytes, password } = workerData as P12Task;

function read(): P12Read {
  let asn1: forge.asn1.Asn1;
  try {
    asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString("binary")));
  } catch {
    return { no: "unreadable" };
  }
  let p12: forge.pkcs12.Pkcs12Pfx;
  try {
    p12 = forge.pkcs12.pkcs12FromAsn1(asn1, false, password);
  } catch (error) {
    // the library says both in words: a wrong password where the check sum or a cipher does not fit
    return { no: /password|MAC|decrypt/i.test(String(error)) ? "password" : "unreadable" };
  }
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = forge.pki.oids as Record<string, string>;
  const bags = (type: string) => p12.getBags({ bagType: type })[type] ?? [];
  const keys = [...bags(pkcs8ShroudedKeyBag!), ...bags(keyBag!)];
  if (keys.length !== 1 || !keys[0]!.key) return { no: keys.length ? "key" : "unreadable" };
  const key = keys[0]!.key as forge.pki.rsa.PrivateKey;
  const certificates = bags(certBag!).flatMap((bag) => bag.cert ?? []);
  const isOwn = (certificate: forge.pki.Certificate) =>
    (certificate.publicKey as forge.pki.rsa.PublicKey).n?.equals(key.n);
  const own = certificates.find(isOwn);
  if (!own) return { no: "certificate" };
  // from the holder up to the authority
  const chain = [own];
  for (let next: forge.pki.Certificate | undefined = own; next;) {
    const issued: forge.pki.Certificate = next;
    next = certificates.find((c) => !chain.includes(c) && issued.isIssuer(c));
    if (next) chain.push(next);
  }
  return {
    pems: chain.map((certificate) => forge.pki.certificateToPem(certificate)),
    privateKey: forge.pki.privateKeyInfoToPem(forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key))),
  };
}

parentPort!.postMessage(read());
parentPort!.close();
