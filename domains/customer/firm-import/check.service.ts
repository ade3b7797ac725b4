import { canonicalNumber } from "../../../platform/kernel/certificate.ts";
import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/act.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheet-reading.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { companyInput, type CompanyInput } from "../company/company.contract.ts";
import type { FirmKind } from "../firm/words.rules.ts";
import { MOST_ROWS, valueOf, type ImportColumn } from "../import/columns.rules.ts";
import { ownersOf } from "../lead/owner.queries.ts";
import { merchantInput, type MerchantInput } from "../merchant/merchant.contract.ts";
import { columnOf, FIRM_COLUMNS, FIRM_SHEET } from "./columns.rules.ts";

export type FirmRow = { kind: "company"; input: CompanyInput } | { kind: "merchant"; input: MerchantInput };
export type CheckedFirms = {
  rows: FirmRow[];
  rowCount: number;
  errors: WrongCell[];
  errorCount: number;
};
type Judged = { row: FirmRow | undefined; wrong: Map<string, string> };

/** The number a firm is known by. */
const numberOf = ({ kind, input }: FirmRow): string =>
  canonicalNumber(kind === "company" || input.subject === "company" ? input.creditCode : input.certNo!);
const numberColumn = ({ kind, input }: FirmRow): string =>
  kind === "company" || input.subject === "company" ? "creditCode" : "certNo";

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkFirms(
  read: Read,
  kind: FirmKind,
  bytes: Buffer,
  villageId: number,
): Promise<CheckedFirms> {
  const columns = FIRM_COLUMNS[kind];
  const shape = { columns, must: (c: ImportColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<string, ImportColumn>(bytes, FIRM_SHEET[kind], shape);
  const judge = await judging(read, kind, villageId);
  const errors: WrongCell[] = [...reading.errors];
  const rows: { text: TextRow<string>; row: FirmRow }[] = [];
  const firstRow = new Map<string, number>();
  for (const text of reading.rows) {
    const { row, wrong } = judge(text);
    const number = row && numberOf(row);
    const before = number && firstRow.get(number);
    if (before) wrong.set(numberColumn(row), `与第 ${before} 行重复`);
    else if (number) firstRow.set(number, text.number);
    for (const [key, msg] of wrong) errors.push(reading.errorAt(text, { key, msg }));
    if (row && !wrong.size) rows.push({ text, row });
  }
  const known = await registered(
    read,
    kind,
    villageId,
    rows.map(({ row }) => numberOf(row)),
  );
  for (const { text, row } of rows)
    if (known.has(numberOf(row))) {
      const key = numberColumn(row);
      const msg = key === "creditCode" ? "统一社会信用代码已登记" : "该证件号已登记";
      errors.push(reading.errorAt(text, { key, msg }));
    }
  return {
    rows: rows.map(({ row }) => row),
    rowCount: reading.rows.length,
    errors: errors.slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

/** Reads a row as the form would send it, and says what is wrong in it: one sentence for each cell, the first. */
async function judging(read: Read, kind: FirmKind, homeVillageId: number) {
  const names = async (group: "industry" | "scale" | "business") =>
    new Set((await offered(read, "customer", group)).map((word) => word.name));
  const [industries, scales, categories, owners] = await Promise.all([
    names("industry"),
    names("scale"),
    names("business"),
    kind === "company" ? ownersOf(read, "113.edit") : [],
  ]);
  return (text: TextRow<string>): Judged => {
    const wrong = new Map(text.wrong.map(({ key, msg }) => [key, msg]));
    const typed: Record<string, unknown> = { homeVillageId };
    for (const column of FIRM_COLUMNS[kind]) {
      const cell = text.typed[column.key];
      if (cell === undefined) continue;
      const got = valueOf(column, cell);
      if ("msg" in got) wrong.set(column.key, got.msg);
      else typed[column.key] = got.value;
    }
    const { contactName, contactPhone, contactPosition, contactEmail, ownerName, ...rest } = typed;
    const say = (key: string, msg: string) => void (wrong.has(key) || wrong.set(key, msg));
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
    const whole = { ...rest, contacts: [contact] };
    const named = owners.filter((o) => o.name === ownerName);
    if (kind === "company" && ownerName !== undefined && named.length !== 1)
      say("ownerName", named.length ? "有多名同名员工，请在页面上登记" : "该员工不能负责企业客户");
    const judged =
      kind === "company"
        ? companyInput.safeParse({ ...whole, ownerId: named[0]?.id })
        : merchantInput.safeParse(whole);
    for (const issue of judged.error?.issues ?? []) say(columnOf(issue.path), issue.message);
    return { row: judged.data && ({ kind, input: judged.data } as FirmRow), wrong };
  };
}

/** Which of these numbers the village's enterprise has on record. */
async function registered(
  read: Read,
  kind: FirmKind,
  villageId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  const hashes = new Map(numbers.map((no) => [read.cipher.hash(no).toString("hex"), no]));
  const found = new Set<string>();
  const all = [...hashes.keys()];
  for (let i = 0; i < all.length; i += 1000) {
    const some = all.slice(i, i + 1000).map((hex) => Buffer.from(hex, "hex"));
    const rows = await read.tx
      .selectFrom("firm")
      .innerJoin("village", "village.enterpriseId", "firm.enterpriseId")
      .select("firm.numberHash")
      .where("village.id", "=", villageId)
      .where("firm.kind", "=", kind)
      .where("firm.mergedIntoId", "is", null)
      .where("firm.numberHash", "in", some)
      .execute();
    for (const row of rows) found.add(hashes.get(Buffer.from(row.numberHash).toString("hex"))!);
  }
  return found;
}
