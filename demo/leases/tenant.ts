import { pinyin } from "pinyin-pro";
import { genderOf } from "../../platform/kernel/texts/certificate.ts";
import type { Day } from "../../platform/kernel/day.ts";
import { maskCertificate, maskPhone } from "../../platform/kernel/texts/mask.ts";
import type { Company } from "../company.ts";
import { birthdayOf, fullName, idCard, mobile } from "../names.ts";

export type Tenant = { id: number; name: string; maskedPhone: string; maskedCert: string };

const SOURCES = ["walkIn", "web", "channel", "channel", "referral"] as const;
const known = new Map<string, string>();
/** Initials of a name; the same few thousand names come again and again. */
function initials(name: string): string {
  let text = known.get(name);
  if (!text) {
    text = pinyin(name, { pattern: "first", toneType: "none", separator: "" }).toLowerCase();
    known.set(name, text);
  }
  return text;
}

/** A person with certificate, sealed as the product seals it, linked to the store. */
export async function makeTenant(
  co: Company,
  villageId: number,
  since: Day,
): Promise<Tenant & { phone: string }> {
  const { chance } = co;
  const id = co.ids("party");
  const name = fullName(chance);
  const phone = mobile(id);
  const birthday = birthdayOf(id);
  const certNo = idCard(chance, id, chance.yes(0.55));
  await co.sink.add("party", {
    id,
    enterpriseId: co.enterpriseId,
    kind: "renter",
    name,
    phone,
    pinyin: initials(name),
    createdAt: co.by(since, 9),
    createdBy: co.clerkOf(villageId),
  });
  await co.sink.add("renter", {
    id,
    enterpriseId: co.enterpriseId,
    certType: "idCard",
    certNoCipher: co.cipher.seal(certNo),
    certNoHash: co.cipher.hash(certNo),
    certNoMasked: maskCertificate(certNo),
    gender: genderOf(certNo)!,
    birthday,
    source: chance.pick(SOURCES),
    homeVillageId: villageId,
    verify: chance.yes(0.8) ? "verified" : "unverified",
  });
  await co.sink.add("party_village", { villageId, partyId: id, because: "home", firstDay: since });
  return { id, name, phone, maskedPhone: maskPhone(phone), maskedCert: maskCertificate(certNo) };
}
