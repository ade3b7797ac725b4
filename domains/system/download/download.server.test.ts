import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { twoVillages } from "../../access/operator/operator.sample.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { operationExport } from "../log/log.contract.ts";
import { getFile } from "../file/file.contract.ts";
import {
  downloadFile,
  downloadTypes,
  listDownloadRecords,
  listDownloads,
  QUEUED,
  removeDownloads,
} from "./download.contract.ts";
import jobs from "./download.job.ts";
import { queuedTask, rowsOf, someOperations, takeList } from "./download.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const permits = ["68.query", "68.get", "68.export"];
const clerk = await house.person({ permits, name: "=周敏" });
const make = () => perform(house, jobs[0]!, {}, "make");

const take = (as: Person, more: object = {}) => takeList(house, as, more);
const fetched = (as: Person, id: number) => house.ask(downloadFile, { as }, { params: { id } });
const queued = (as: Person) => queuedTask(house, as);
await someOperations(house, 40);
await someOperations(house, 5_001, "大批");

describe("a short list", () => {
  test("comes at once: filter, chosen columns in their order, states in words, numbers as numbers", async () => {
    const { status, headers, raw } = await house.app
      .inject({
        method: "GET",
        url: operationExport.path,
        headers: { authorization: clerk.token },
        query: {
          keyword: "周敏",
          outcome: "ok",
          sort: "durationMs",
          order: "asc",
          columns: "durationMs,outcome,operatorName,functionName",
        },
      })
      .then((a) => ({ status: a.statusCode, headers: a.headers, raw: a.rawPayload }));
    expect(status).toBe(200);
    expect(decodeURIComponent(String(headers["content-disposition"]))).toMatch(
      /^attachment; filename\*=UTF-8''操作日志_\d{8}_\d{6}\.xlsx$/,
    );
    const [note, head, first, ...rest] = await rowsOf(raw);
    expect(note![0]).toMatch(
      /^筛选：结果 成功；关键字 周敏　　导出时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d　　导出人：=周敏$/,
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

  test("is refused without its permit, with a wrong filter or an unknown name", async () => {
    const reader = await house.person({ permits: ["68.query"] });
    expect((await take(reader)).status).toBe(403);
    expect(await house.did(downloadTypes, { as: reader })).toEqual([]);
    expect((await take(clerk, { type: "nothing" })).status).toBe(404);
    const [, head] = await rowsOf(
      (await take(clerk, { columns: ["input", "ip"], query: { ip: "::1" } })).raw,
    );
    expect(head, "what the list does not show is not given out").toEqual(["地址"]);
    const range = { from: "2026-01-01", to: "2026-11-20" };
    expect((await take(clerk, { query: range })).body).toMatchObject({
      message: "时间范围最多 92 天",
      fields: [{ field: "to" }],
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
    expect(list.find((t) => t.id === id)).toMatchObject({ rows: 5_001, progress: 1, words: "关键字 大批" });
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
});
