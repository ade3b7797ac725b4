import exceljs from "exceljs";
import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs.ts";
import { testHouse, type Person } from "../../../platform/server/house.sample.ts";
import { getFile } from "../file/file.contract.ts";
import {
  createDownload,
  downloadFile,
  downloadTypes,
  listDownloadRecords,
  listDownloads,
  QUEUED,
  removeDownloads,
  retryDownload,
} from "./download.contract.ts";
import jobs from "./download.job.ts";
import { someOperations } from "./download.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const permits = ["68.query", "68.get", "68.export"];
const clerk = await house.person({ permits, name: "=周敏" });
const [maker, expiry] = jobs as [(typeof jobs)[0], (typeof jobs)[0]];
const make = () => perform(house, maker, {}, "make");

const take = (as: Person, more: object = {}) =>
  house.ask(createDownload, { as }, { body: { type: "operationLog", ...more } });
const fetched = (as: Person, id: number) => house.ask(downloadFile, { as }, { params: { id } });
async function rowsOf(bytes: Buffer): Promise<unknown[][]> {
  const book = new exceljs.Workbook();
  await book.xlsx.load(bytes as never);
  const rows: unknown[][] = [];
  book.worksheets[0]!.eachRow((row) => void rows.push((row.values as unknown[]).slice(1)));
  return rows;
}
/** More than fit into an answer: the file comes through a task. */
async function queued(as: Person): Promise<number> {
  const { body } = await take(as, { query: { keyword: "大批" } });
  return (body as unknown as { data: { id: number } }).data.id;
}
await someOperations(house, 40);
await someOperations(house, 5_001, "大批");

describe("a short list", () => {
  test("comes at once: filter, chosen columns in their order, states in words, numbers as numbers", async () => {
    const { status, headers, raw } = await take(clerk, {
      query: { keyword: "周敏", outcome: "ok", sort: "durationMs", order: "asc", pageSize: 20 },
      columns: ["durationMs", "outcome", "operatorName", "functionName"],
    });
    expect(status).toBe(200);
    expect(decodeURIComponent(String(headers["content-disposition"]))).toMatch(
      /^attachment; filename\*=UTF-8''操作日志_\d{8}_\d{6}\.xlsx$/,
    );
    const [note, head, first, ...rest] = await rowsOf(raw);
    expect(note![0]).toMatch(
      /^筛选：关键词 周敏；结果 成功　　导出时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d　　导出人：=周敏$/,
    );
    expect(head).toEqual(["耗时（毫秒）", "结果", "操作人", "功能"]);
    expect(first).toEqual([1, "成功", "周敏", "账单管理 · 编辑"]);
    expect(rest).toHaveLength(39);
  });

  test("is kept, listed and recorded", async () => {
    const own = await house.did(listDownloads, { as: clerk }, { query: {} });
    expect(own.list[0]).toMatchObject({
      type: "操作日志",
      rows: 40,
      state: "ready",
      progress: 1,
      downloads: 1,
    });
    const { raw } = await fetched(clerk, own.list[0]!.id);
    expect(await rowsOf(raw)).toHaveLength(42);
    const auditor = await house.person({ permits: ["257.query"] });
    const records = await house.did(listDownloadRecords, { as: auditor }, { query: {} });
    expect(records).toMatchObject({ total: 2, list: [{ operatorName: "=周敏", rows: 40 }, {}] });
    expect((await house.ask(listDownloadRecords, { as: clerk }, { query: {} })).status).toBe(403);
  });

  test("is refused without its permit, with a wrong filter, an unknown column or an unknown name", async () => {
    const reader = await house.person({ permits: ["68.query"] });
    expect((await take(reader)).status).toBe(403);
    expect(await house.did(downloadTypes, { as: reader })).toEqual([]);
    expect((await take(clerk, { type: "nothing" })).status).toBe(404);
    expect((await take(clerk, { columns: ["input"] })).body.fields).toEqual([
      { field: "columns", msg: "导出列不正确" },
    ]);
    const range = { from: "2026-01-01", to: "2026-11-20" };
    expect((await take(clerk, { query: range })).body).toMatchObject({
      message: "时间范围最多92天",
      fields: [{ field: "query.to" }],
    });
  });

  test("holds only rows in scope", async () => {
    const { rows } = await pool.query<{ id: number }>(
      "insert into enterprise (name) values ('别家公寓') returning id",
    );
    await pool.query(
      `insert into operation_log (enterprise_id, summary, method, path, outcome, http_status, duration_ms, request_id)
       values ($1, '别家的事', 'PUT', '/x', 'ok', 200, 1, 'x')`,
      [rows[0]!.id],
    );
    const { raw } = await take(clerk, { query: { keyword: "别家" } });
    expect(await rowsOf(raw)).toHaveLength(2);
  });
});

describe("a long list", () => {
  test("becomes a task that is made once, in one moment, and fetched by its owner alone", async () => {
    const { body, status } = await take(clerk, {
      query: { keyword: "大批" },
      columns: ["summary", "durationMs"],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 200, message: QUEUED, data: { state: "queued", rows: 5_001 } });
    const { id } = (body as unknown as { data: { id: number } }).data;
    expect((await fetched(clerk, id)).body.message).toBe("文件尚未生成");
    await Promise.all([make(), make()]);
    const { list } = await house.did(listDownloads, { as: clerk }, { query: { state: "ready" } });
    expect(list.find((t) => t.id === id)).toMatchObject({ rows: 5_001, progress: 1, words: "关键词 大批" });
    const rows = await rowsOf((await fetched(clerk, id)).raw);
    expect(rows).toHaveLength(5_003);
    expect(new Set(rows.slice(2).map((r) => r[1])).size, "each row once").toBe(5_001);

    const other = await house.person({ permits });
    expect((await fetched(other, id)).status).toBe(404);
    const { rows: files } = await pool.query<{ id: number }>(
      "select id from stored_file where target_id = $1",
      [id],
    );
    expect(files).toHaveLength(1);
    const direct = await house.ask(getFile, { as: clerk }, { params: { id: files[0]!.id } });
    expect(direct.status, "no way past the task").toBe(404);
  });

  test("is refused once the permit is withdrawn: at the making and at the fetching", async () => {
    const person = await house.person({ permits });
    const made = await queued(person);
    await make();
    const waiting = await queued(person);
    await pool.query(
      `with gone as (delete from operator_assignment where operator_id = $1 returning 1) select 1`,
      [person.operatorId],
    );
    await make();
    expect((await fetched(person, made)).status).toBe(403);
    const { list } = await house.did(listDownloads, { as: person }, { query: {} });
    expect(list.find((t) => t.id === waiting)).toMatchObject({
      state: "failed",
      error: "没有权限执行此操作",
    });
  });

  test("is refused once a village that it could show is withdrawn", async () => {
    const { twoVillages } = await import("../file/file.sample.ts");
    const villages = await twoVillages(house);
    const person = await house.person({ permits, villages });
    const id = await queued(person);
    await make();
    expect((await fetched(person, id)).status).toBe(200);
    await pool.query("update operator set village_ids = $2 where id = $1", [
      person.operatorId,
      [villages[0]],
    ]);
    expect((await fetched(person, id)).status).toBe(403);
  });

  test("that a stopped server left half made is made anew", async () => {
    const id = await queued(clerk);
    await pool.query(
      "update download_task set state = 'running', attempts = 1, progress = 40, touched_at = now() - interval '5 minutes' where id = $1",
      [id],
    );
    await make();
    expect((await fetched(clerk, id)).status).toBe(200);
    const alive = await queued(clerk);
    await pool.query("update download_task set state = 'running', touched_at = now() where id = $1", [alive]);
    await make();
    expect((await fetched(clerk, alive)).body.message).toBe("文件尚未生成");
    await house.did(removeDownloads, { as: clerk }, { query: { ids: String(alive) } });
  });

  test("that fails is tried three times, then says so and can be tried again", async () => {
    const id = await queued(clerk);
    const { put } = house.files;
    let tries = 0;
    house.files.put = async () => {
      tries++;
      throw new Error("the disk is full");
    };
    await expect(make()).rejects.toThrow("the disk is full");
    house.files.put = put;
    expect(tries).toBe(3);
    const { list } = await house.did(listDownloads, { as: clerk }, { query: { state: "failed" } });
    expect(list[0]).toMatchObject({ id, error: "导出失败，请稍后重试" });
    await house.did(retryDownload, { as: clerk }, { params: { id } });
    await make();
    expect((await fetched(clerk, id)).status).toBe(200);
  });

  test("can be cancelled, also while it is made, and removed by its owner alone", async () => {
    const id = await queued(clerk);
    const other = await house.person({ permits });
    const remove = (as: Person) => house.did(removeDownloads, { as }, { query: { ids: String(id) } });
    expect(await remove(other)).toEqual({ changed: 0 });
    expect(await remove(clerk)).toEqual({ changed: 1 });
    await make();
    expect((await fetched(clerk, id)).status).toBe(409);
    expect(await remove(clerk)).toEqual({ changed: 1 });
    expect((await fetched(clerk, id)).status).toBe(404);
  });

  test("is gone after seven days", async () => {
    const id = await queued(clerk);
    await make();
    house.setClock(new Date(Date.now() + 7.1 * 86_400_000).toISOString());
    expect((await fetched(clerk, id)).body.message).toBe("文件已过期，请重新导出");
    await perform(house, expiry, {}, "expire");
    house.setClock(undefined);
    expect((await fetched(clerk, id)).body.message).toBe("文件已过期，请重新导出");
    const { rows } = await pool.query(
      "select 1 from stored_file where target_kind = 'download' and target_id = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });

  test("waits its turn: no more than two of one person at a time, twenty in all", async () => {
    const eager = await house.person({ permits });
    for (let i = 0; i < 20; i++) await queued(eager);
    expect((await take(eager, { query: { keyword: "大批" } })).status).toBe(429);
    await pool.query(
      `update download_task set state = 'running', touched_at = now() where id in
         (select id from download_task where requested_by = $1 and state = 'queued' limit 2)`,
      [eager.operatorId],
    );
    await make();
    const { rows } = await pool.query<{ n: number }>(
      "select count(*) n from download_task where requested_by = $1 and state = 'queued'",
      [eager.operatorId],
    );
    expect(rows[0]!.n).toBe(18);
  });
});
