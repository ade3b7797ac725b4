import { describe, expect, test } from "vitest";
import { twoVillages } from "../../access/operator/operator.sample.ts";
import { nobody, type LogEntry } from "../../../platform/server/pipeline/act.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { login } from "../../access/session/session.contract.ts";
import { putPreference } from "../preference/preference.contract.ts";
import { deleteVersion } from "../version/version.contract.ts";
import { rowsOf } from "../download/download.sample.ts";
import {
  businessExport,
  getOperation,
  getOperationV5,
  listBusiness,
  listOperations,
  listOperationsV5,
  operationHours,
  recordHistory,
} from "./log.contract.ts";

const house = await testHouse();
const { pool, db } = house.database;
const auditor = await house.person({ permits: ["68.query", "68.get"], name: "审计员" });
const clerk = await house.person({ name: "店员甲" });
const [here, there] = await twoVillages(house);

const save = (key: string) =>
  house.ask(
    putPreference,
    { as: clerk },
    { params: { key }, body: { value: { password: "hunter2", n: 1 } } },
  );
const noted = (entry: LogEntry, who: object = {}) =>
  db.transaction().execute((tx) => {
    const by = {
      ...nobody,
      enterpriseId: house.enterpriseId,
      operatorId: clerk.operatorId,
      name: "店员甲",
      ...who,
    };
    return actOf(house, tx, by, { requestId: "the-request", ip: "", userAgent: "" }).note(entry);
  });
const find = (query: object = {}) => house.did(listOperations, { as: auditor }, { query });

describe("the operation log", () => {
  test("has one line for each change, with who, what, outcome and duration, and no secret", async () => {
    await save("one");
    const { list } = await find({ keyword: "保存个人设置" });
    expect(list).toMatchObject([
      {
        operatorName: "店员甲",
        summary: "保存个人设置",
        outcome: "ok",
        target: "preference",
        functionName: "—",
      },
    ]);
    const line = await house.did(getOperation, { as: auditor }, { params: { id: list[0]!.id } });
    expect(line).toMatchObject({
      method: "PUT",
      path: "/system/api/v3/preference/one",
      httpStatus: 200,
      permit: "login",
    });
    expect(JSON.stringify(line)).not.toContain("hunter2");
    expect(line.input).toMatchObject({ body: { value: { password: "***", n: 1 } } });
  });

  test("has refused calls, found by outcome, function, person and request", async () => {
    const refused = await house.ask(listOperations, { as: clerk }, { query: {} });
    expect(refused.status).toBe(403);
    const requestId = refused.body.requestId!;
    const by = async (query: object) =>
      (await find({ outcome: "refused", ...query })).list.map((l) => l.summary);
    expect(await by({ keyword: requestId })).toEqual(["操作日志"]);
    expect(await by({ permissionId: 68, operatorId: clerk.operatorId })).toEqual(["操作日志"]);
    expect(await by({ permissionId: 6 }), "6 is not 68").toEqual([]);
    expect(await by({ method: "PUT,POST" })).toEqual([]);
    expect((await find({ keyword: requestId })).list[0]).toMatchObject({ functionName: "操作日志 · 查询" });
  });

  test("has a refused delete, and of a log-in neither the password nor what it becomes", async () => {
    const refused = await house.ask(deleteVersion, { as: clerk }, { params: { id: 77 } });
    expect(refused.status).toBe(403);
    const requestId = refused.body.requestId!;
    const { list } = await find({ method: "DELETE", outcome: "refused", keyword: requestId });
    expect(list).toMatchObject([
      { operatorName: "店员甲", summary: "删除版本说明", target: "版本说明 77", targetId: 77 },
    ]);
    const secret = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
    await house.ask(login, {}, { body: { account: "nobody01", password: secret } });
    const { rows } = await pool.query<{ n: number }>(
      "select count(*) n from operation_log l where l::text like $1",
      [`%${secret}%`],
    );
    expect(rows[0]!.n).toBe(0);
    expect((await pool.query("select 1 from operation_log where summary = '登录'")).rowCount).toBe(1);
  });

  test("shows beside a line what its request did and what the person did around it", async () => {
    await save("two");
    const { list } = await find({ keyword: "preference/two" });
    await noted({ kind: "bill", recordId: 3, number: "ZD1", action: "作废", summary: "作废账单 ZD1" });
    const { rows } = await pool.query<{ id: number }>(
      `insert into operation_log (enterprise_id, operator_id, operator_name, summary, method, path, outcome, http_status, duration_ms, request_id)
       values ($1, $2, '店员甲', '作废账单', 'POST', '/x', 'ok', 200, 5, 'the-request') returning id`,
      [house.enterpriseId, clerk.operatorId],
    );
    const line = await house.did(getOperation, { as: auditor }, { params: { id: rows[0]!.id } });
    expect(line.business).toMatchObject([{ kind: "账单", number: "ZD1", summary: "作废账单 ZD1" }]);
    expect(line.nearby.map((l) => l.id)).toContain(list[0]!.id);
    expect(line.nearby.map((l) => l.id)).not.toContain(line.id);
  });

  test("is the same under the paths of version 5", async () => {
    const five = await house.did(listOperationsV5, { as: auditor }, { query: { keyword: "preference/one" } });
    expect(five).toEqual(await find({ keyword: "preference/one" }));
    const { id } = five.list[0]!;
    const shown = [getOperation, getOperationV5].map((c) =>
      house.did(c, { as: auditor }, { params: { id } }),
    );
    const [three, same] = await Promise.all(shown);
    expect(same).toEqual(three);
  });

  test("of another enterprise is seen by the platform alone", async () => {
    const { rows } = await pool.query<{ id: number }>(
      `with e as (insert into enterprise (name) values ('别家公寓') returning id)
       insert into operation_log (enterprise_id, summary, method, path, outcome, http_status, duration_ms, request_id)
       select id, '别家的事', 'PUT', '/x', 'ok', 200, 1, 'x' from e returning id`,
    );
    const params = { id: rows[0]!.id };
    expect((await find({ keyword: "别家的事" })).total).toBe(0);
    expect((await house.ask(getOperation, { as: auditor }, { params })).status).toBe(404);
    const root = await house.person({ superType: "0" });
    expect((await house.ask(getOperation, { as: root }, { params })).status).toBe(200);
  });

  test("reaches over seven days by itself, over 92 when asked, no further", async () => {
    await pool.query(
      `insert into operation_log (at, enterprise_id, summary, method, path, outcome, http_status, duration_ms, request_id)
       select now() - d * interval '1 day', $1, '从前的事', 'PUT', '/x', 'ok', 200, 1, 'x' from unnest(array[1, 8, 80]) d`,
      [house.enterpriseId],
    );
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const total = async (query: object) => (await find({ keyword: "从前的事", ...query })).total;
    expect(await total({})).toBe(1);
    expect(await total({ from: day(90), to: day(0) })).toBe(3);
    const wide = await house.ask(listOperations, { as: auditor }, { query: { from: day(93), to: day(0) } });
    expect(wide.body).toMatchObject({ code: 400, message: "时间范围最多 92 天" });
    const turned = await house.ask(listOperations, { as: auditor }, { query: { from: day(1), to: day(3) } });
    expect(turned.body.message).toBe("结束日期不能早于开始日期");
  });

  test("is counted by the hour", async () => {
    const hours = await house.did(operationHours, { as: auditor }, { query: {} });
    expect(hours.at(-1)!.hour).toMatch(/^\d{4}-\d\d-\d\d \d\d:00$/);
    const all = await find();
    expect(hours.reduce((sum, h) => sum + h.ok + h.refused + h.failed, 0)).toBeGreaterThanOrEqual(
      all.total! - 1,
    );
    expect(hours.some((h) => h.refused > 0)).toBe(true);
  });

  test("cannot be changed or removed, whoever tries", async () => {
    for (const text of ["update operation_log set summary = ''", "delete from operation_log"])
      await expect(house.database.owner.query(text)).rejects.toThrow("append-only");
    for (const text of ["update business_log set summary = ''", "delete from business_log"])
      await expect(house.database.owner.query(text)).rejects.toThrow("append-only");
  });
});

describe("the business log", () => {
  test("shows lines of one's villages, and those of none by one's own enterprise", async () => {
    await noted({
      kind: "bill",
      recordId: 7,
      number: "ZD7",
      villageId: here,
      action: "作废",
      summary: "此店",
      before: { state: "unpaid" },
      after: { state: "void" },
    });
    await noted({ kind: "bill", recordId: 8, villageId: there, action: "作废", summary: "彼店" });
    await noted({ kind: "role", recordId: 9, action: "新增", summary: "不属门店" });
    const reader = await house.person({ permits: ["130.query", "130.export"], villages: [here] });
    const list = async (query: object = {}) =>
      (await house.did(listBusiness, { as: reader }, { query })).list;
    expect((await list()).map((l) => l.summary)).toEqual(expect.arrayContaining(["此店", "不属门店"]));
    expect((await list()).map((l) => l.summary)).not.toContain("彼店");
    expect(await list({ villageIds: String(here) })).toMatchObject([
      {
        kindTitle: "账单",
        number: "ZD7",
        operatorName: "店员甲",
        before: { state: "unpaid" },
        after: { state: "void" },
      },
    ]);
    expect(
      (await house.ask(listBusiness, { as: reader }, { query: { villageIds: String(there) } })).status,
    ).toBe(404);
    const { raw } = await house.ask(businessExport as never, { as: reader }, {
      query: { kind: "bill", columns: "summary" },
    } as never);
    expect((await rowsOf(raw)).flat()).not.toContain("彼店");
    const head = await house.ask(businessExport as never, { as: reader }, {
      query: { kind: "bill", operatorId: String(clerk.operatorId), columns: "summary" },
    } as never);
    expect((await rowsOf(head.raw))[0]![0]).toMatch(/^筛选：类型 账单；操作人 店员甲　　/);
  });

  test("of one record is for who may open such records, in scope, and for readers of the log", async () => {
    const params = { kind: "bill", recordId: 7 };
    const ask = (as: typeof clerk, more = params) =>
      house.ask(recordHistory, { as }, { params: more, query: {} });
    const teller = await house.person({ permits: ["26.get"], villages: [here] });
    expect((await ask(teller)).body.data.list).toMatchObject([{ summary: "此店", action: "作废" }]);
    expect((await ask(teller, { kind: "bill", recordId: 8 })).body.data).toMatchObject({
      list: [],
      total: 0,
    });
    expect((await ask(teller, { kind: "contract", recordId: 7 })).status).toBe(403);
    expect((await ask(clerk)).status).toBe(403);
  });

  test("of prices tells the lowest only to who may see it", async () => {
    const prices = { listPrice: 300_000, lowestPrice: 280_000 };
    await house.database.db
      .insertInto("businessLog")
      .values({
        kind: "room",
        recordId: 9,
        number: "101",
        villageId: here,
        operatorName: "店员甲",
        action: "调价",
        summary: "",
        before: JSON.stringify(prices),
        after: JSON.stringify({ ...prices, villages: [prices] }),
        requestId: "r9",
      } as never)
      .execute();
    const seen = async (permits: string[]) => {
      const as = await house.person({ permits, villages: [here] });
      const params = { kind: "room", recordId: 9 };
      const { list } = await house.did(recordHistory, { as }, { params, query: {} as never });
      return [list[0]!.before, list[0]!.after];
    };
    const open = { listPrice: 300_000 };
    expect(await seen(["3.get"])).toEqual([open, { ...open, villages: [open] }]);
    expect(await seen(["3.get", "#601"])).toEqual([prices, { ...prices, villages: [prices] }]);
  });
});
