import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/act.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheet-reading.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { leadInput, type LeadInput } from "../lead/input.contract.ts";
import { LIVE, LIVE_PER_PERSON } from "../lead/lead.rules.ts";
import { ownersOf } from "../lead/owner.queries.ts";
import { cellOf, COLUMNS, MOST_ROWS, SHEET, type LeadColumn } from "./columns.rules.ts";

export type ImportedLead = { input: LeadInput; ownerId: number | null };
export type Checked = { rows: ImportedLead[]; rowCount: number; errors: WrongCell[]; errorCount: number };
type Words = { sources: Map<string, string>; owners: Map<string, { id: number; free: number }[]> };

/** Judges a whole file: every wrong cell by row and column, against the file itself and against the leads there are. */
export async function checkFile(
  read: Read,
  bytes: Buffer,
  of: { villageId: number; enterpriseId: number },
): Promise<Checked> {
  const shape = { columns: COLUMNS, must: (c: LeadColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<string, LeadColumn>(bytes, SHEET, shape);
  const words = await wordsOf(read, of.villageId);
  const errors: WrongCell[] = [...reading.errors];
  const rows: (ImportedLead & { text: TextRow<string> })[] = [];
  const firstRow = new Map<string, number>();
  for (const text of reading.rows) {
    const { lead, wrong } = leadOf(read, text, of.villageId, words);
    const phone = lead?.input.phone;
    const before = phone ? firstRow.get(phone) : undefined;
    if (before) wrong.set("phone", `与第 ${before} 行重复`);
    else if (phone) firstRow.set(phone, text.number);
    for (const [key, msg] of wrong) errors.push(reading.errorAt(text, { key, msg }));
    if (lead && !wrong.size) rows.push({ ...lead, text });
  }
  const live = await liveAmong(
    read,
    of.enterpriseId,
    rows.map((r) => r.input.phone),
  );
  for (const { text, input } of rows) {
    const number = live.get(input.phone);
    if (number) errors.push(reading.errorAt(text, { key: "phone", msg: `已有在跟进的客源 ${number}` }));
  }
  return {
    rows: rows.map(({ input, ownerId }) => ({ input, ownerId })),
    rowCount: reading.rows.length,
    errors: errors.slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

/** Sources by their names, and who may look after leads here, with how many more each can take. */
async function wordsOf(read: Read, villageId: number): Promise<Words> {
  const sources = new Map((await offered(read, "customer", "source")).map((s) => [s.name, s.code]));
  const people = (await ownersOf(read)).filter((o) => o.villages.includes(villageId));
  const busy = await read.tx
    .selectFrom("lead")
    .select(["ownerId", (eb) => eb.fn.countAll<number>().as("n")])
    .where("ownerId", "in", [...people.map((p) => p.id), 0])
    .where("state", "in", [...LIVE])
    .groupBy("ownerId")
    .execute();
  const taken = new Map(busy.map((b) => [b.ownerId, b.n]));
  const free = people.map((p) => ({
    id: p.id,
    name: p.name,
    free: LIVE_PER_PERSON - (taken.get(p.id) ?? 0),
  }));
  return { sources, owners: Map.groupBy(free, (p) => p.name) };
}

/** What a row says as the form would send it, and what is wrong in it: one sentence for each cell, the first. */
function leadOf(read: Read, text: TextRow<string>, villageId: number, words: Words) {
  const wrong = new Map(text.wrong.map(({ key, msg }) => [key, msg]));
  const typed: Record<string, unknown> = { villageIds: [villageId] };
  for (const column of COLUMNS) {
    const cell = text.typed[column.key];
    if (cell === undefined) continue;
    const got = cellOf(column, cell);
    if ("msg" in got) wrong.set(column.key, got.msg);
    else typed[column.key] = got.value;
  }
  const source = words.sources.get(String(typed.source));
  if (typed.source !== undefined && !source)
    wrong.set("source", `来源应为：${[...words.sources.keys()].join("、")}`);
  typed.source = source;
  const ownerId = ownerIn(words, typed.owner, wrong);
  const judged = leadInput.safeParse(typed);
  for (const issue of judged.error?.issues ?? []) {
    const key = String(issue.path[0] ?? "name");
    if (!wrong.has(key)) wrong.set(key, issue.message);
  }
  const input = judged.data;
  if (input?.moveInDay && input.moveInDay < read.today) wrong.set("moveInDay", "入住日不能早于今天");
  return { lead: input && { input, ownerId }, wrong };
}

function ownerIn({ owners }: Words, name: unknown, wrong: Map<string, string>): number | null {
  if (name === undefined) return null;
  const [owner, ...same] = owners.get(String(name)) ?? [];
  if (!owner) wrong.set("owner", "没有这位可以负责客源的员工");
  else if (same.length) wrong.set("owner", "有重名的员工，请导入后再分配");
  else if (--owner.free < 0) wrong.set("owner", `该员工在跟进的客源最多${LIVE_PER_PERSON}条`);
  return owner?.id ?? null;
}

/** Which of these phones somebody is looked after under already, with the number of the lead. */
async function liveAmong(
  read: Read,
  enterpriseId: number,
  phones: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let i = 0; i < phones.length; i += 1000) {
    const rows = await read.tx
      .selectFrom("lead")
      .select(["phone", "number"])
      .where("enterpriseId", "=", enterpriseId)
      .where("state", "in", [...LIVE])
      .where("phone", "in", phones.slice(i, i + 1000))
      .execute();
    for (const row of rows) found.set(row.phone, row.number);
  }
  return found;
}
