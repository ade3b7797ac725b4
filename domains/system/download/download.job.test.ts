import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { listMessages } from "../message/message.contract.ts";
import { downloadFile, listDownloads, removeDownloads, retryDownload } from "./download.contract.ts";
import jobs from "./download.job.ts";
import { queuedTask, someOperations, takeList } from "./download.sample.ts";

const house = await testHouse();
const { pool } = house.database;
const permits = ["68.query", "68.get", "68.export"];
const clerk = await house.person({ permits });
const [maker, expiry] = jobs as [(typeof jobs)[0], (typeof jobs)[0]];
const make = () => perform(house, maker, {}, "make");
const take = (as: Person, more: object = {}) => takeList(house, as, more);
const fetched = (as: Person, id: number) => house.ask(downloadFile, { as }, { params: { id } });
const queued = (as: Person) => queuedTask(house, as);
await someOperations(house, 5_001, "大批");

test("a task that a stopped server left half made is made anew", async () => {
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

test("a task that fails is tried three times, then says so and can be tried again", async () => {
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
  const said = await house.did(listMessages, { as: clerk }, { query: { type: 8 } });
  expect(
    said.list.filter((m) => m.bizId === id).map((m) => m.title),
    "its requester hears of both ends in the bell",
  ).toEqual(["操作日志已导出，可以下载", "操作日志导出失败"]);
});

test("a task that is cancelled while it is made leaves no file", async () => {
  const id = await queued(clerk);
  const { put, remove } = house.files;
  const bytes: string[] = [];
  house.files.put = async (content) => {
    const kept = await put(content);
    bytes.push(kept.key);
    await house.did(removeDownloads, { as: clerk }, { query: { ids: String(id) } });
    return kept;
  };
  house.files.remove = async (key) => {
    bytes.splice(bytes.indexOf(key), 1);
    await remove(key);
  };
  await make();
  Object.assign(house.files, { put, remove });
  expect(bytes).toEqual([]);
  const { list } = await house.did(listDownloads, { as: clerk }, { query: { state: "cancelled" } });
  expect(list.map((t) => t.id)).toContain(id);
  expect((await fetched(clerk, id)).status).toBe(409);
});

test("a file is gone after seven days", async () => {
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

test("a task waits its turn: no more than two of one person at a time, twenty in all", async () => {
  const eager = await house.person({ permits });
  await queued(eager);
  await pool.query(
    `insert into download_task (type, name, filter, requested_by)
     select type, name, filter, requested_by from download_task, generate_series(1, 19) where requested_by = $1`,
    [eager.operatorId],
  );
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

test("the wish itself starts the making", async () => {
  const id = await queued(clerk);
  await house.deliver();
  expect((await fetched(clerk, id)).status).toBe(200);
});
