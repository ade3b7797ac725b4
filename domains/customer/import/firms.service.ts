import { sql } from "kysely";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { type Importer, type Place } from "../../system/import/importer.service.ts";
import { type Judged, type Row, type Unique, eachRow } from "../../system/import/rows.service.ts";
import { companyInput } from "../company/company.contract.ts";
import { makeCompany } from "../company/company.service.ts";
import type { FirmKind } from "../firm/words.rules.ts";
import { ownersOf } from "../record/owners.queries.ts";
import { merchantInput } from "../merchant/merchant.contract.ts";
import { makeMerchant } from "../merchant/merchant.service.ts";
import { hashedAs } from "../record/hashed.service.ts";
import { FIRM_COLUMNS, firmColumnOf, type FirmRow } from "./columns.rules.ts";
import { takingBack } from "./taken-back.service.ts";

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

/** Reads a row as the form would send it; `ownerId` looks after a company where the row names nobody. */
export async function judging(read: Read, kind: FirmKind, homeVillageId: number, ownerId?: number) {
  const names = async (group: "industry" | "scale" | "business") =>
    new Set((await offered(read, "customer", group)).map((word) => word.name));
  const [industries, scales, categories, owners] = await Promise.all([
    names("industry"),
    names("scale"),
    names("business"),
    kind === "company" ? ownersOf(read, "113.edit") : [],
  ]);
  return ({ typed, say, as }: Pick<Row, "typed" | "say" | "as">): Judged<FirmRow> => {
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
    const owner = ownerName === undefined ? owners.find((o) => o.id === ownerId) : named[0];
    const input =
      kind === "company"
        ? as(companyInput, { ...whole, ownerId: owner?.id }, firmColumnOf)
        : as(merchantInput, whole, firmColumnOf);
    const row = input && ({ kind, input } as FirmRow);
    return { row, unique: row && numberOf(row) };
  };
}

/** Firms of an import of their own or of contracts: every one of them has been checked. Answers their ids. */
export async function createFirms(act: Act, rows: readonly FirmRow[]): Promise<number[]> {
  const ids: number[] = [];
  for (const row of rows)
    ids.push(await (row.kind === "company" ? makeCompany(act, row.input) : makeMerchant(act, row.input)));
  return ids;
}

const firms = (
  kind: FirmKind,
  more: Pick<Importer<FirmRow[]>, "things" | "needs" | "template">,
): Importer<FirmRow[]> => ({
  ...more,
  table: "firmImport",
  own: { kind },
  whose: "village",
  columns: async () => FIRM_COLUMNS[kind],
  check: checkFirms(kind),
  letters: "DQ",
  counter: "家",
  make: async (act, rows, batch) => {
    const ids = await createFirms(act, rows);
    await act.tx.updateTable("firm").set({ importId: batch.id }).where("id", "=", anyOf(ids)).execute();
    return ids.length;
  },
  remove: takingBack("firm", "家", {
    leads: sql`p.id in (company_id, merchant_id)`,
    last: sql`when exists (select 1 from examine e where e.target_kind = x.kind and e.target_id = p.id and e.state = 'approving') then '在审批中'`,
  }),
});

export const COMPANIES = firms("company", {
  things: "企业客户",
  needs: "113.import",
  template: { example: "云栖软件有限公司 91330108… 陈嘉禾 … 主联系人：孙晓梅" },
});
export const MERCHANTS = firms("merchant", {
  things: "商户",
  needs: "106.import",
  template: { example: "晨光早餐店 公司 91330108… 餐饮 … 主联系人：孙晓梅" },
});
