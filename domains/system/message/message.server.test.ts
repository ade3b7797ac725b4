import { describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { twoVillages } from "../../access/operator/operator.sample.ts";
import {
  deleteMessages,
  getMessage,
  getMessageSetting,
  listMessages,
  messageNumbers,
  putMessageSetting,
  readAllMessages,
  readMessages,
  topMessages,
} from "./message.contract.ts";
import jobs from "./message.job.ts";
import { toldOf } from "./message.sample.ts";

const house = await testHouse();
const [here, there] = await twoVillages(house);
const tell = toldOf(house);
const numbers = (as: Person) => house.did(messageNumbers, { as });
const list = (as: Person, query: object = {}) => house.did(listMessages, { as }, { query });
const idsOf = async (as: Person) => (await list(as)).list.map((m) => m.id);
const read = (as: Person, ids: readonly number[]) =>
  house.did(readMessages, { as }, { query: { ids: ids.join(",") } });

describe("one's own messages", () => {
  test("are counted by type; of 5 unread 2 are marked and 3 remain, twice is harmless", async () => {
    const lisi = await house.person({ name: "李四" });
    for (let i = 0; i < 4; i++) await tell({ to: [lisi.operatorId], type: 1, title: `审批 ${i}` });
    await tell({ to: [lisi.operatorId], type: 6, title: "网关离线" });
    const before = await numbers(lisi);
    expect(before.totalNum).toBe(5);
    expect(before.numList).toContainEqual({ type: 1, typeName: "审批", status: 0, num: 4 });
    expect(before.numList).toContainEqual({ type: 7, typeName: "系统与公告", status: 0, num: 0 });
    const two = (await idsOf(lisi)).slice(0, 2);
    expect(await read(lisi, two)).toEqual({ changed: 2 });
    expect(await read(lisi, two)).toEqual({ changed: 0 });
    expect((await numbers(lisi)).totalNum).toBe(3);
  });

  test("of one type are all marked read, another type stays unread", async () => {
    const lisi = await house.person();
    for (let i = 0; i < 3; i++) await tell({ to: [lisi.operatorId], type: 1, title: `审批 ${i}` });
    await tell({ to: [lisi.operatorId], type: 6, title: "网关离线" });
    const done = await house.did(readAllMessages, { as: lisi }, { query: { type: "1" } });
    expect(done).toEqual({ changed: 3 });
    const { totalNum, numList } = await numbers(lisi);
    expect(totalNum).toBe(1);
    expect(numList.find((n) => n.type === 6)!.num).toBe(1);
    expect((await list(lisi, { status: "1" })).total).toBe(3);
  });

  test("are nobody else's: by id 404 and nothing marked; ids of others change nothing and count as none", async () => {
    const [lisi, other] = [await house.person(), await house.person()];
    await tell({ to: [lisi.operatorId], type: 1, title: "给李四的" });
    const [id] = await idsOf(lisi);
    const asked = await house.ask(getMessage, { as: other }, { query: { id: String(id) } });
    expect(asked).toMatchObject({ status: 404, body: { message: "记录不存在" } });
    expect(await read(other, [id!, 999_999])).toEqual({ changed: 0 });
    const gone = await house.did(deleteMessages, { as: other }, { query: { ids: String(id) } });
    expect(gone).toEqual({ changed: 0 });
    expect((await numbers(lisi)).totalNum).toBe(1);
    expect((await list(other)).total).toBe(0);
  });

  test("deleted are gone for their reader alone", async () => {
    const [lisi, other] = [await house.person(), await house.person()];
    await tell({ to: [lisi.operatorId, other.operatorId], type: 3, title: "合同到期" });
    const [id] = await idsOf(lisi);
    await house.did(deleteMessages, { as: lisi }, { query: { ids: String(id) } });
    expect(await idsOf(lisi)).toEqual([]);
    expect((await house.ask(getMessage, { as: lisi }, { query: { id: String(id) } })).status).toBe(404);
    expect(await idsOf(other)).toEqual([id]);
  });

  test("an empty or endless list of ids is refused in words", async () => {
    const lisi = await house.person();
    const ids = Array.from({ length: 201 }, (_, i) => i + 1).join(",");
    const many = await house.ask(readMessages, { as: lisi }, { query: { ids } });
    expect(many.body).toMatchObject({ code: 400, message: "一次最多处理200条消息" });
    const none = await house.ask(deleteMessages, { as: lisi }, { query: {} });
    expect(none.body).toMatchObject({ code: 400, message: "请选择消息" });
  });

  test("are found by type, village, day and words; the bell gets the five newest unread", async () => {
    const lisi = await house.person({ villages: [here] });
    const to = [lisi.operatorId];
    for (let i = 1; i <= 6; i++)
      await tell({ to, type: 2, title: `滨江店有 ${i} 笔账单逾期`, content: "合计 100%", villageId: here });
    await tell({ to, type: 8, title: "账单已导出" });
    expect((await list(lisi, { type: 2 })).total).toBe(6);
    expect((await list(lisi, { villageIds: String(here) })).total).toBe(6);
    expect((await list(lisi, { keyword: "100%" })).total).toBe(6);
    expect((await list(lisi, { keyword: "已导出" })).list).toMatchObject([{ title: "账单已导出", type: 8 }]);
    expect((await list(lisi, { from: "2099-01-01" })).total).toBe(0);
    const foreign = await house.ask(listMessages, { as: lisi }, { query: { villageIds: String(there) } });
    expect(foreign.status).toBe(404);
    const top = await house.did(topMessages, { as: lisi });
    expect(top.map((m) => m.title).slice(0, 2)).toEqual(["账单已导出", "滨江店有 6 笔账单逾期"]);
    expect(top).toHaveLength(5);
  });

  test("keep their text when the record is gone or out of scope, but lead there no more", async () => {
    const lisi = await house.person({ villages: [here] });
    const open = async (villageId: number, bizType: string, bizId: number) => {
      await tell({
        to: [lisi.operatorId],
        type: 2,
        title: "逾期",
        content: "全文",
        villageId,
        bizType,
        bizId,
      });
      const [id] = await idsOf(lisi);
      return house.did(getMessage, { as: lisi }, { query: { id: String(id) } });
    };
    expect(await open(here, "overdueBills", here)).toMatchObject({ open: true, content: "全文" });
    expect(await open(there, "overdueBills", there)).toMatchObject({ open: false, content: "全文" });
    expect(await open(here, "bill", 999_999)).toMatchObject({ open: false });
  });
});

describe("what arrives", () => {
  test("is told once for one key, and above 50 readers by a job", async () => {
    const many = await Promise.all(Array.from({ length: 51 }, () => house.person()));
    const to = many.map((p) => p.operatorId);
    await tell({ to, type: 7, title: "停水通知", once: "water" });
    expect((await numbers(many[50]!)).totalNum).toBe(0);
    await house.deliver();
    await tell({ to, type: 7, title: "停水通知", once: "water" });
    await house.deliver();
    for (const person of [many[0]!, many[50]!]) expect((await numbers(person)).totalNum).toBe(1);
  });

  test("is what the operator chose; approvals and announcements always are", async () => {
    const lisi = await house.person({ villages: [here] });
    const as = lisi;
    expect((await house.did(getMessageSetting, { as })).types).toHaveLength(8);
    const body = { types: ["6" as const], quietFrom: null, quietTo: null, alarmLevel: "3" as const };
    await house.did(putMessageSetting, { as }, { body });
    expect(await house.did(getMessageSetting, { as })).toMatchObject({
      types: ["1", "6", "7"],
      alarmLevel: "3",
    });
    const to = [lisi.operatorId];
    for (const type of [1, 2, 3, 7, 8] as const) await tell({ to, type, title: `类型 ${type}` });
    await tell({ to, type: 6, title: "低电量", level: 2, villageId: here });
    await tell({ to, type: 6, title: "撬锁", level: 3, villageId: here });
    await tell({ to, type: 6, title: "别店撬锁", level: 3, villageId: there });
    expect((await list(as)).list.map((m) => m.title)).toEqual(["撬锁", "类型 7", "类型 1"]);
  });

  test("is not counted on the bell in quiet hours, which need both ends", async () => {
    const as = await house.person();
    await tell({ to: [as.operatorId], type: 1, title: "审批" });
    const put = (quietFrom: string | null, quietTo: string | null) =>
      house.ask(putMessageSetting, { as }, {
        body: { types: [], quietFrom, quietTo, alarmLevel: "1" },
      } as never);
    expect((await put("22:00", null)).body).toMatchObject({
      code: 400,
      fields: [{ field: "quietTo", msg: "请同时选择开始和结束时间" }],
    });
    expect((await put("22:00", "08:00")).status).toBe(200);
    house.setClock("2026-11-20T23:00:00+08:00");
    expect(await numbers(as)).toMatchObject({ quiet: true, totalNum: 1 });
    house.setClock("2026-11-20T09:00:00+08:00");
    expect((await numbers(as)).quiet).toBe(false);
    house.setClock(undefined);
  });

  test("goes out by e-mail and text message to whoever wants that, once, and after the quiet hours", async () => {
    const { pool } = house.database;
    const as = await house.person();
    await pool.query("update operator set email = 'lisi@example.com', phone = '13900001234' where id = $1", [
      as.operatorId,
    ]);
    const body = {
      types: ["1" as const, "2" as const],
      mailed: ["1" as const, "2" as const],
      texted: ["1" as const],
      quietFrom: "22:00",
      quietTo: "08:00",
      alarmLevel: "1" as const,
    };
    await house.did(putMessageSetting, { as }, { body });
    expect(await house.did(getMessageSetting, { as })).toMatchObject({ mailed: ["1", "2"], texted: ["1"] });
    const sent = async () =>
      (
        await pool.query<{ channel: string; recipient: string; body: string; due: string | null }>(
          `select channel, recipient, body, to_char(due_at at time zone 'Asia/Shanghai', 'MM-DD HH24:MI') due
           from outbox where source = 'notice' order by id`,
        )
      ).rows;
    house.setClock("2026-11-20T15:00:00+08:00");
    const to = [as.operatorId];
    await tell({ to, type: 1, title: "退房申请待审批", content: "请审批", once: "notice-once" });
    await tell({ to, type: 1, title: "退房申请待审批", content: "请审批", once: "notice-once" });
    await tell({ to, type: 3, title: "合同到期" });
    expect(await sent()).toEqual([
      { channel: "email", recipient: "lisi@example.com", body: "请审批", due: null },
      { channel: "sms", recipient: "13900001234", body: "退房申请待审批", due: null },
    ]);
    house.setClock("2026-11-20T23:10:00+08:00");
    await tell({ to, type: 2, title: "收到一笔流水" });
    expect((await sent())[2]).toMatchObject({ channel: "email", due: "11-21 08:00" });
    house.setClock(undefined);
  });

  test("goes 180 days after it was read, and not before", async () => {
    const as = await house.person();
    await tell({ to: [as.operatorId], type: 2, title: "读过的" });
    await read(as, await idsOf(as));
    await tell({ to: [as.operatorId], type: 2, title: "没读的" });
    const sweep = jobs.find((j) => j.name === "message.sweep")!;
    const nightAfter = async (days: number) => {
      house.setClock(new Date(Date.now() + days * 86_400_000).toISOString());
      await perform(house, sweep, {}, "night");
      house.setClock(undefined);
      return (await list(as)).list.map((m) => m.title);
    };
    expect(await nightAfter(179)).toEqual(["没读的", "读过的"]);
    expect(await nightAfter(181)).toEqual(["没读的"]);
  });
});
