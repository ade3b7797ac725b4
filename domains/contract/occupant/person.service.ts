import { canonicalNumber, certificateOf, genderOf } from "../../../platform/kernel/certificate.ts";
import { maskCertificate } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Newcomer } from "./change.service.ts";

export type Typed = {
  name: string;
  phone: string;
  certType: string;
  certNo: string;
  gender?: "male" | "female" | null | undefined;
  relation: string;
  lockAccess: boolean;
};

/** Somebody as they are kept: the number sealed and masked, the gender from an identity card. A wrong number is told instead. */
export function newcomerOf(read: Read, person: Typed): Newcomer | { msg: string } {
  const { certNo, certType, name, phone, relation, lockAccess } = person;
  const wrong = certificateOf(certType)(certNo);
  if (wrong) return { msg: wrong };
  const number = canonicalNumber(certNo);
  return {
    name,
    phone,
    certType,
    certNoCipher: read.cipher.seal(number),
    certNoMasked: maskCertificate(number),
    certHash: read.cipher.hash(number),
    gender: (certType === "idCard" && genderOf(number)) || (person.gender ?? null),
    relation,
    lockAccess,
  };
}
