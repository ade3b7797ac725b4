import { canonicalNumber } from "../../../platform/kernel/certificate.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { offered } from "../../system/dic/dic.service.ts";
import type { Place } from "../../system/import/importer.service.ts";
import { eachRow, type Judged, type Row, type Unique } from "../../system/import/rows.service.ts";
import { companyInput, type CompanyInput } from "../company/company.contract.ts";
import type { FirmKind } from "../firm/words.rules.ts";
import { ownersOf } from "../lead/lead.queries.ts";
import { merchantInput, type MerchantInput } from "../merchant/merchant.contract.ts";
import { hashedAs } from "../record/hashed.service.ts";
import { columnOf } from "./columns.rules.ts";

export type FirmRow = { kind: "company"; input: CompanyInput } | { kind: "merchant"; input: MerchantInput };

/** The number that a firm is known by, and the column it stands in. */
function numberOf({ kind, input }: FirmRow): Unique {
  return kind === "company" || input.subject === "company"
    ? { key: "creditCode", value: canonicalNumber(input.creditCode) }
    : { key: "certNo", value: canonicalNumber(input.certNo!) };
}
const REGISTERED: Record<string, string> = {
  creditCode: "统一社会信用代码已登记",
  certNo: "该证件号已登记",
};

/** One firm to a row, known by its number. */
export const checkFirms = (kind: FirmKind) =>
  eachRow<FirmRow, Place>({
    judge: (read, { villageId }) => judging(read, kind, villageId),
    taken: async (read, { enterpriseId }, numbers) => {
      const { hashes, named } = hashedAs(read, numbers);
      const rows = await read.tx
        .selectFrom("firm")
        .select("numberHash")
        .where("enterpriseId", "=", enterpriseId)
        .where("kind", "=", kind)
        .where("mergedIntoId", "is", null)
        .where("numberHash", "=", hashes)
        .execute();
      const known = rows.map((row) => named(row.numberHash));
      return new Map(known.map(({ key, value }) => [value, REGISTERED[key]!]));
    },
  });

/** Reads a row as the form would send it. */
async function judging(read: Read, kind: FirmKind, homeVillageId: number) {
  const names = async (group: "industry" | "scale" | "business") =>
    new Set((await offered(read, "customer", group)).map((word) => word.name));
  const [industries, scales, categories, owners] = await Promise.all([
    names("industry"),
    names("scale"),
    names("business"),
    kind === "company" ? ownersOf(read, "113.edit") : [],
  ]);
  return ({ typed, say, as }: Row): Judged<FirmRow> => {
    const { contactName, contactPhone, contactPosition, contactEmail, ownerName, ...rest } = typed;
    const offers = (key: string, words: ReadonlySet<string>, title: string) => {
      const word = rest[key];
      if (typeof word === "string" && !words.has(word)) say(key, `${title}中没有“${word.slice(0, 20)}”`);
    };
    offers("industry", industries, "行业");
    offers("scale", scales, "规模");
    offers("category", categories, "业态");
    const contact = {
      name: contactName,
      phone: contactPhone,
      ...(contactPosition !== undefined && { position: contactPosition }),
      ...(contactEmail !== undefined && { email: contactEmail }),
      main: true,
      getsBills: true,
    };
    const named = owners.filter((o) => o.name === ownerName);
    if (kind === "company" && ownerName !== undefined && named.length !== 1)
      say("ownerName", named.length ? "有多名同名员工，请在页面上登记" : "该员工不能负责企业客户");
    const whole = { ...rest, homeVillageId, contacts: [contact] };
    const input =
      kind === "company"
        ? as(companyInput, { ...whole, ownerId: named[0]?.id }, columnOf)
        : as(merchantInput, whole, columnOf);
    const row = input && ({ kind, input } as FirmRow);
    return { row, unique: row && numberOf(row) };
  };
}
