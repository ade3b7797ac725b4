import { addMonths } from "../../../platform/kernel/day.ts";
import { birthdayOf } from "../../../platform/kernel/certificate.ts";
import type { Read } from "../../../platform/server/act.ts";
import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheet-reading.ts";
import { renterInput, type RenterInput } from "../renter/renter-input.contract.ts";
import { columnsOf, MOST_ROWS, SHEET, valueOf, type ImportColumn } from "./columns.rules.ts";
import { sourcesOf } from "./template.service.ts";

export type Checked = {
  rows: { number: number; input: RenterInput }[];
  rowCount: number;
  errors: WrongCell[];
  errorCount: number;
};

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkFile(read: Read, bytes: Buffer, villageId: number): Promise<Checked> {
  const columns = columnsOf(await sourcesOf(read));
  const shape = { columns, must: (c: ImportColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<string, ImportColumn>(bytes, SHEET, shape);
  const errors: WrongCell[] = [...reading.errors];
  const rows: { text: TextRow<string>; input: RenterInput }[] = [];
  const firstRow = new Map<string, number>();
  for (const text of reading.rows) {
    const { input, wrong } = inputOf(read, columns, text, villageId);
    const certNo = input?.certNo?.toUpperCase();
    const before = certNo ? firstRow.get(certNo) : undefined;
    if (before) wrong.set("certNo", `与第 ${before} 行重复`);
    else if (certNo) firstRow.set(certNo, text.number);
    for (const [key, msg] of wrong) errors.push(reading.errorAt(text, { key, msg }));
    if (input && !wrong.size) rows.push({ text, input });
  }
  const known = await registered(
    read,
    villageId,
    rows.flatMap((r) => r.input.certNo ?? []),
  );
  for (const { text, input } of rows)
    if (input.certNo && known.has(input.certNo.toUpperCase()))
      errors.push(reading.errorAt(text, { key: "certNo", msg: "该证件号已登记" }));
  return {
    rows: rows.map(({ text, input }) => ({ number: text.number, input })),
    rowCount: reading.rows.length,
    errors: errors.slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

/** What a row says as the form would send it, and what is wrong in it: one sentence for each cell, the first. */
function inputOf(read: Read, columns: readonly ImportColumn[], text: TextRow<string>, homeVillageId: number) {
  const wrong = new Map(text.wrong.map(({ key, msg }) => [key, msg]));
  const typed: Record<string, unknown> = { homeVillageId };
  for (const column of columns) {
    const cell = text.typed[column.key];
    if (cell === undefined) continue;
    const got = valueOf(column, cell);
    if ("msg" in got) wrong.set(column.key, got.msg);
    else typed[column.key] = got.value;
  }
  const judged = renterInput.safeParse(typed);
  for (const issue of judged.error?.issues ?? []) {
    const key = String(issue.path[0] ?? "name");
    if (!wrong.has(key)) wrong.set(key, issue.message);
  }
  const input = judged.data;
  if (input && needsGuardian(read, input)) wrong.set("guardianName", "未满18周岁，需填写监护人及电话");
  return { input, wrong };
}

function needsGuardian(read: Read, input: RenterInput): boolean {
  const birthday =
    (input.certType === "idCard" && input.certNo ? birthdayOf(input.certNo) : undefined) ?? input.birthday;
  return (
    !!birthday && addMonths(birthday, 18 * 12) > read.today && !(input.guardianName && input.guardianPhone)
  );
}

/** Which of these certificates the village's enterprise has on record. */
async function registered(read: Read, villageId: number, numbers: readonly string[]): Promise<Set<string>> {
  const hashes = new Map(numbers.map((no) => [read.cipher.hash(no).toString("hex"), no.toUpperCase()]));
  const found = new Set<string>();
  const all = [...hashes.keys()];
  for (let i = 0; i < all.length; i += 1000) {
    const rows = await read.tx
      .selectFrom("renter")
      .innerJoin("village", "village.enterpriseId", "renter.enterpriseId")
      .select("renter.certNoHash")
      .where("village.id", "=", villageId)
      .where("renter.mergedIntoId", "is", null)
      .where(
        "renter.certNoHash",
        "in",
        all.slice(i, i + 1000).map((hex) => Buffer.from(hex, "hex")),
      )
      .execute();
    for (const row of rows) found.add(hashes.get(Buffer.from(row.certNoHash!).toString("hex"))!);
  }
  return found;
}
