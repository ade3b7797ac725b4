import { yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const CERT_TYPES = {
  idCard: ["身份证", "grey"],
  passport: ["护照", "grey"],
  hkMacau: ["港澳通行证", "grey"],
  taiwan: ["台湾通行证", "grey"],
  hmtResidence: ["港澳台居住证", "grey"],
  foreignPR: ["外国人永居证", "grey"],
  officer: ["军官证", "grey"],
  other: ["其他", "grey"],
} as const satisfies Words;
export const GENDERS = { male: ["男", "grey"], female: ["女", "grey"] } as const satisfies Words;
/** Of birthdays. */
export const MONTHS: Words = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [String(i + 1), [`${i + 1} 月`, "grey"] as const]),
);
export const STAGES = {
  prospect: ["意向", "gold"],
  living: ["在住", "green"],
  former: ["历史", "grey"],
} as const satisfies Words;
export const VERIFY = {
  unverified: ["未核验", "grey"],
  verified: ["已核验", "green"],
  failed: ["未通过", "red"],
} as const satisfies Words;
export const YES_NO_ARREARS = { yes: ["有欠费", "red"], no: ["无欠费", "grey"] } as const satisfies Words;

type Standing = { stage: keyof typeof STAGES; arrears: number; prepaid: number; deposit: number };

/** What the row already tells against deleting; drafts, bills and links are counted by the server. */
export const deletionRefusal = ({ stage }: Standing): string | undefined =>
  stage === "prospect" ? undefined : "该租客有合同，不能删除";

/** What the row already tells against erasing a person; how long ago the last contract ended, the server knows. */
export function anonymisingRefusal({ stage, arrears, prepaid, deposit }: Standing): string | undefined {
  if (stage === "living") return "该租客仍有未结束的合同，不能匿名化";
  if (stage === "prospect") return "仅历史租客可以匿名化";
  if (arrears) return `该租客尚有未收款项 ${yuan(arrears)} 元，不能匿名化`;
  if (prepaid) return `该租客尚有预存款 ${yuan(prepaid)} 元，不能匿名化`;
  if (deposit) return `该租客尚有押金 ${yuan(deposit)} 元，不能匿名化`;
  return undefined;
}
