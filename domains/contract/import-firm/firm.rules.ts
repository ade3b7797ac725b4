import { canonicalNumber, certificateOf, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { companyName, nameOf } from "../../../platform/kernel/texts/names.ts";
import type { FirmKind } from "../../customer/firm/words.rules.ts";
import { askedOf, certTypeOf, type Reading } from "../import/row.rules.ts";
import { FIRM_SHEETS } from "./columns.rules.ts";

const NAMED = { company: companyName, merchant: nameOf("商户名称") } as const;

/** The firm of a row, as far as the row alone says; who it is, and what is missing to register it, comes later. */
export const firmReading = (kind: FirmKind): Reading => ({
  asked: askedOf(FIRM_SHEETS[kind]),
  tenant: (typed, _today, add) => {
    const { name, contactPhone, certNo } = typed;
    if (name === undefined) return undefined;
    const wrong: string[] = [];
    const refuse = (key: "name" | "creditCode" | "certNo", msg: string | undefined) => {
      if (!msg) return;
      wrong.push(msg);
      add(key, msg);
    };
    refuse("name", NAMED[kind](name));
    if (typed.creditCode !== undefined) refuse("creditCode", creditCode(typed.creditCode));
    const certType = certTypeOf(typed, add);
    if (certNo !== undefined && typed.creditCode !== undefined)
      refuse("certNo", "填写了统一社会信用代码的商户不填证件号");
    else if (certNo !== undefined && certType) refuse("certNo", certificateOf(certType)(certNo));
    if (wrong.length || certType === null) return undefined;
    return {
      name,
      phone: contactPhone ?? "",
      ...(typed.creditCode !== undefined && { creditCode: canonicalNumber(typed.creditCode) }),
      ...(certNo !== undefined && certType && { certType, certNo: canonicalNumber(certNo) }),
    };
  },
});
