import { addMonths } from "../../../platform/kernel/day.ts";
import { birthdayOf } from "../../../platform/kernel/certificate.ts";
import type { Read } from "../../../platform/server/act.ts";
import { columnLetters } from "../../../platform/server/sheet-rows.ts";
import { readWorkbook } from "../../../platform/server/workbook-reader.ts";
import { renterInput, type RenterInput } from "../renter/renter-input.contract.ts";
import { COLUMNS, MOST_ERRORS, MOST_ROWS, SHEET, valueOf, type CellError } from "./columns.rules.ts";

export type Checked = {
  rows: { number: number; input: RenterInput }[];
  rowCount: number;
  errors: CellError[];
  errorCount: number;
};

/** Collects what is wrong, at most so much of it, and counts all. */
function collector(columnAt: (field: string) => { header: string; column: string }) {
  const errors: CellError[] = [];
  let count = 0;
  const add = (error: CellError) => {
    count++;
    if (errors.length < MOST_ERRORS) errors.push(error);
  };
  return {
    errors,
    count: () => count,
    add,
    on: (row: number, field: string, value: string, msg: string) =>
      add({ row, ...columnAt(field), value, msg }),
    whole: (msg: string, row = 1) => add({ row, column: "A", header: "", value: "", msg }),
  };
}

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkFile(read: Read, bytes: Buffer, villageId: number): Promise<Checked> {
  const columns = new Map<number, (typeof COLUMNS)[number]>();
  const placeOf = (field: string) => {
    const found = [...columns].find(([, c]) => c.field === field);
    const header = COLUMNS.find((c) => c.field === field)?.header ?? field;
    return { header, column: found ? columnLetters(found[0]) : "" };
  };
  const say = collector(placeOf);
  const answer = (rows: Checked["rows"] = [], rowCount = 0): Checked => ({
    rows,
    rowCount,
    errors: say.errors,
    errorCount: say.count(),
  });
  const sheets = await readWorkbook(bytes);
  const sheet = sheets?.find((s) => s.name === SHEET) ?? sheets?.[0];
  if (!sheet) {
    say.whole("请上传xlsx文件");
    return answer();
  }
  const rows: Checked["rows"] = [];
  const firstRow = new Map<string, number>();
  let rowCount = 0;
  for await (const { number, cells } of sheet.rows()) {
    if (!columns.size) {
      for (const [at, cell] of cells) {
        const column = COLUMNS.find((c) => c.header === cell.text.replace(/[*＊\s]/g, ""));
        if (column) columns.set(at, column);
      }
      const missing = COLUMNS.filter((c) => c.must && ![...columns.values()].includes(c));
      for (const { header } of missing) say.whole(`缺少列：${header}`, number);
      if (missing.length) return answer();
      continue;
    }
    if (![...columns.keys()].some((at) => cells.get(at)?.text.trim())) continue;
    if (++rowCount > MOST_ROWS) {
      say.whole(`一次最多导入${MOST_ROWS}行`, number);
      return answer([], rowCount);
    }
    const typed: Record<string, unknown> = { homeVillageId: villageId };
    // one sentence for each cell: the first
    const said = new Set<string>();
    for (const [at, column] of columns) {
      const cell = cells.get(at);
      const text = cell?.text ?? "";
      const got =
        cell?.kind === "formula"
          ? { msg: "不支持公式，请粘贴为数值" }
          : cell?.kind === "error"
            ? { msg: "单元格内容有错误" }
            : valueOf(column, text);
      if ("msg" in got) {
        say.on(number, column.field, text, got.msg);
        said.add(column.field);
      } else if (got.value !== undefined) typed[column.field] = got.value;
    }
    const textOf = (field: string) => String([typed[field]].flat().join("、"));
    const judged = renterInput.safeParse(typed);
    if (!judged.success) {
      for (const issue of judged.error.issues) {
        const field = String(issue.path[0] ?? "name");
        if (said.has(field)) continue;
        said.add(field);
        say.on(number, field, typed[field] === undefined ? "" : textOf(field), issue.message);
      }
      continue;
    }
    const input = judged.data;
    if (needsGuardian(read, input)) {
      say.on(number, "guardianName", input.guardianName, "未满18周岁，需填写监护人及电话");
      said.add("guardianName");
    }
    const certNo = input.certNo?.toUpperCase();
    if (certNo && firstRow.has(certNo)) {
      say.on(number, "certNo", certNo, `与第 ${firstRow.get(certNo)} 行重复`);
      said.add("certNo");
    } else if (certNo) firstRow.set(certNo, number);
    if (!said.size) rows.push({ number, input });
  }
  if (sheet.merged.length) say.whole(`不支持合并单元格：${sheet.merged.slice(0, 3).join("、")}`);
  if (!columns.size || (!rowCount && !say.count())) say.whole("文件中没有数据");
  const known = await registered(
    read,
    villageId,
    rows.flatMap((r) => r.input.certNo ?? []),
  );
  for (const { number, input } of rows)
    if (input.certNo && known.has(input.certNo.toUpperCase()))
      say.on(number, "certNo", input.certNo, "该证件号已登记");
  return answer(rows, rowCount);
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
