import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Act, Read, Upload } from "../../../platform/server/act.ts";
import { anyOf, inScope } from "../../../platform/server/scope.ts";
import { readSheet } from "../../../platform/server/sheet-reading.ts";
import { sheetTemplate } from "../../../platform/server/sheet-template.ts";
import { bytesOfFile, storeFile } from "../../system/file/file.service.ts";
import { agentInput, type AgentInput } from "./agent.contract.ts";
import { createAgent } from "./agent.service.ts";

export const SHEET = "经纪人";
const MOST_ROWS = 5000;
const COLUMNS = [
  { title: "姓名", key: "name", must: true, note: "2到30个字" },
  { title: "电话", key: "phone", must: true, note: "11位手机号，不能重复" },
  { title: "机构", key: "agency", note: "已登记的中介机构名称；独立经纪人不填" },
  { title: "佣金规则", key: "rule", note: "独立经纪人必填；不填则随机构" },
  { title: "身份证号", key: "certNo" },
  { title: "户名", key: "bankHolder", note: "填写银行账号时必填" },
  { title: "开户银行", key: "bankName", note: "填写银行账号时必填" },
  { title: "开户支行", key: "bankBranch" },
  { title: "银行账号", key: "bankNo" },
] as const;
type Key = (typeof COLUMNS)[number]["key"];
type Column = { title: string; key: Key; must?: boolean };

export const templateFile = () =>
  sheetTemplate({
    sheet: SHEET,
    columns: COLUMNS.map(({ title, ...more }) => ({
      title,
      must: "must" in more,
      note: "note" in more ? more.note : undefined,
      choices: undefined,
    })),
    rows: MOST_ROWS,
    megabytes: 10,
    example: "周启明 13812345678 …",
  });

/** Names that cells may use, of the village's enterprise and within scope. */
async function known(read: Read, villageId: number) {
  const village = await read.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow();
  const { enterpriseId } = village;
  const [agencies, rules] = await Promise.all([
    read.tx
      .selectFrom("agency")
      .select(["id", "name", "villageIds"])
      .where("enterpriseId", "=", enterpriseId)
      .execute(),
    read.tx
      .selectFrom("commissionRule")
      .select(["seriesId", "name"])
      .where("enterpriseId", "=", enterpriseId)
      .execute(),
  ]);
  const seen = agencies.filter((a) => a.villageIds.some((v) => read.who.villages.includes(v)));
  return {
    enterpriseId,
    agencies: new Map(seen.map((a) => [a.name, a.id])),
    rules: new Map(rules.map((r) => [r.name, r.seriesId])),
  };
}

/** Judges a whole file: every wrong cell by row and column, against the file itself and against who is registered. */
export async function checkFile(read: Read, bytes: Buffer, villageId: number) {
  const names = await known(read, villageId);
  const shape = {
    columns: COLUMNS as readonly Column[],
    must: (c: Column) => c.must === true,
    most: MOST_ROWS,
  };
  const reading = await readSheet<Key, Column>(bytes, SHEET, shape);
  const errors: WrongCell[] = [...reading.errors];
  const inputs: AgentInput[] = [];
  const firstRow = new Map<string, number>();
  const taken = await phonesTaken(
    read,
    names.enterpriseId,
    reading.rows.flatMap((row) => row.typed.phone ?? []),
  );
  for (const row of reading.rows) {
    const { agency, rule, ...typed } = row.typed;
    const wrong = new Map<Key, string>(row.wrong.map(({ key, msg }) => [key, msg]));
    const say = (key: Key, msg: string) => void (wrong.has(key) || wrong.set(key, msg));
    if (agency && !names.agencies.has(agency)) say("agency", `没有登记机构“${agency}”`);
    if (rule && !names.rules.has(rule)) say("rule", `没有佣金规则“${rule}”`);
    const judged = agentInput.safeParse({
      ...typed,
      villageIds: [villageId],
      agencyId: (agency && names.agencies.get(agency)) || undefined,
      ruleId: (rule && names.rules.get(rule)) || undefined,
    });
    for (const issue of judged.error?.issues ?? []) {
      const key = String(issue.path[0]);
      say(key === "ruleId" ? "rule" : key === "agencyId" ? "agency" : (key as Key), issue.message);
    }
    const { phone } = typed;
    const before = phone ? firstRow.get(phone) : undefined;
    if (before) say("phone", `与第 ${before} 行重复`);
    else if (phone) firstRow.set(phone, row.number);
    if (phone && taken.has(phone)) say("phone", "该手机号已登记经纪人");
    for (const [key, msg] of wrong) errors.push(reading.errorAt(row, { key, msg }));
    if (judged.data && !wrong.size) inputs.push(judged.data);
  }
  return { rows: reading.rows.length, inputs, errors: errors.slice(0, MOST_WRONG) };
}

async function phonesTaken(
  read: Read,
  enterpriseId: number,
  phones: readonly string[],
): Promise<Set<string>> {
  if (!phones.length) return new Set();
  const rows = await read.tx
    .selectFrom("agent")
    .select("phone")
    .where("enterpriseId", "=", enterpriseId)
    .where("phone", "in", [...phones])
    .execute();
  return new Set(rows.map((row) => row.phone));
}

export async function checkUpload(act: Act, upload: Upload, villageId: number) {
  inScope(act.who, villageId);
  const file = await storeFile(act, upload, {
    purpose: "sheet10M",
    targetKind: "agentImport",
    villageId,
    needs: "115.import",
  });
  const { rows, errors } = await checkFile(act, upload.bytes, villageId);
  return { id: file.id, rows, errors };
}

/** A file that was checked here, by whoever acts. */
export async function checkedFile(read: Read, id: number) {
  const file = await read.tx
    .selectFrom("storedFile")
    .select(["id", "name", "villageId"])
    .where("id", "=", id)
    .where("targetKind", "=", "agentImport")
    .where("createdBy", "=", read.who.operatorId)
    .where("villageId", "=", anyOf(read.who.villages))
    .executeTakeFirst();
  if (!file) throw notFound();
  return { ...file, villageId: file.villageId!, bytes: await bytesOfFile(read, id) };
}

/** Everybody in the file is registered, or nobody. */
export async function commitFile(act: Act, id: number): Promise<number> {
  const file = await checkedFile(act, id);
  const { inputs, errors } = await checkFile(act, file.bytes, file.villageId);
  const [first] = errors;
  if (first) throw new Refusal("changed", `第 ${first.row} 行：${first.msg}，未导入任何记录`, 409);
  for (const input of inputs) await createAgent(act, input);
  return inputs.length;
}
