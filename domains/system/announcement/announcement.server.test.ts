import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { aScopeOf } from "../../access/operator/operator.sample.ts";
import { rowsOf } from "../download/download.sample.ts";
import { getMessage, listMessages } from "../message/message.contract.ts";
import {
  addAnnouncement,
  audienceDepartments,
  confirmAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  getAnnouncement,
  listAnnouncements,
  listReaders,
  readAnnouncement,
  readersExport,
  withdrawAnnouncement,
} from "./announcement.contract.ts";
import jobs from "./announcement.job.ts";

const house = await testHouse();
const { here, there, departmentId } = await aScopeOf(house);
const boss = await house.person({ superType: "1", name: "总部" });
const inA = await Promise.all(
  ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛"].map((name) =>
    house.person({ name: `员工${name}`, villages: [here] }),
  ),
);
const inB = await house.person({ name: "员工远", villages: [there] });
const basic = {
  title: "停水通知",
  content: "周六上午停水",
  audience: "villages" as const,
  villageIds: [here],
};
const add = (more: object = {}, as = boss) =>
  house.did(addAnnouncement, { as }, { body: { ...basic, ...more } });
const mine = async (as: Person) =>
  (await house.did(listAnnouncements, { as }, { query: { mine: "1" } })).list;
const row = async (id: number) =>
  (await house.did(listAnnouncements, { as: boss }, { query: {} })).list.find((a) => a.id === id)!;
const get = (as: Person, id: number) => house.ask(getAnnouncement, { as }, { params: { id } });

describe("an announcement", () => {
  test("to one store is neither in the list of another's people nor there by id", async () => {
    const { id } = await add();
    expect((await mine(inA[0]!)).map((a) => a.id)).toContain(id);
    expect((await mine(inB)).map((a) => a.id)).not.toContain(id);
    expect((await get(inB, id)).status).toBe(404);
    expect((await house.ask(confirmAnnouncement, { as: inB }, { params: { id } })).status).toBe(404);
    expect((await get(inA[0]!, id)).body.data).toMatchObject({ content: "周六上午停水", read: false });
  });

  test("of 8 addressed 5 confirm: 5 of 8, and the names of the three who have not", async () => {
    const { id } = await add({ title: "消防演练", mustConfirm: true });
    const params = { id };
    await house.did(readAnnouncement, { as: inA[5]! }, { params });
    for (const as of inA.slice(0, 5)) await house.did(confirmAnnouncement, { as }, { params });
    await house.did(confirmAnnouncement, { as: inA[0]! }, { params });
    expect(await row(id)).toMatchObject({ addressed: 8, reads: 6, confirms: 5, confirmRate: 0.625 });
    const open = await house.did(listReaders, { as: boss }, { params, query: { readState: "unread,read" } });
    expect(open.total).toBe(3);
    expect(open.list.map((r) => r.name).toSorted()).toEqual(["员工己", "员工庚", "员工辛"].toSorted());
    const { raw } = await house.ask(readersExport as never, { as: boss }, { params, query: {} } as never);
    expect((await rowsOf(raw)).flat()).toContain("员工庚");
    expect((await house.ask(listReaders, { as: inA[0]! }, { params, query: {} })).status).toBe(403);
    const asked = await house.did(listAnnouncements, { as: inA[6]! }, { query: { unconfirmed: "1" } });
    expect(asked.list.map((a) => a.id)).toEqual([id]);
    expect((await house.did(listAnnouncements, { as: inA[0]! }, { query: { unconfirmed: "1" } })).total).toBe(
      0,
    );
  });

  test("loses every script when it is saved, and keeps its words", async () => {
    const content =
      '<p>请<b>全体</b>注意</p><script>alert(1)</script><img src="https://x.cn/a.png"><scr<script></script>ipt>';
    const { id } = await add({ content });
    const { content: kept } = (await get(inA[0]!, id)).body.data;
    expect(kept).toBe("请**全体**注意");
    const none = await house.ask(
      addAnnouncement,
      { as: boss },
      { body: { ...basic, content: "<script>1</script>" } },
    );
    expect(none.body).toMatchObject({ code: 400, fields: [{ field: "content", msg: "请输入公告内容" }] });
  });

  test("is told to its people as a message once its time has come, and anew when it is to be read anew", async () => {
    const reader = await house.person({ villages: [here] });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await add({ title: "门禁升级", publishAt: tomorrow });
    await house.deliver();
    const told = async () =>
      (await house.did(listMessages, { as: reader }, { query: { type: 7, keyword: "门禁升级" } })).list;
    expect(await told()).toEqual([]);
    expect(await row(id)).toMatchObject({ state: "waiting" });
    expect((await get(reader, id)).status).toBe(404);

    house.setClock(new Date(Date.now() + 2 * 86_400_000).toISOString());
    for (let minute = 0; minute < 2; minute++) await perform(house, jobs[0]!, {}, "minute");
    expect(await told()).toMatchObject([{ title: "公告：门禁升级", bizType: "announcement", bizId: id }]);
    await house.did(readAnnouncement, { as: reader }, { params: { id } });
    const body = { ...basic, title: "门禁升级改期", version: 1, resetRead: true };
    await house.did(editAnnouncement, { as: boss }, { params: { id }, body });
    await house.deliver();
    expect((await get(reader, id)).body.data.read).toBe(false);
    const [again] = await told();
    expect(await told()).toHaveLength(2);
    const stale = await house.ask(editAnnouncement, { as: boss }, { params: { id }, body });
    expect(stale.status).toBe(409);

    await house.did(withdrawAnnouncement, { as: boss }, { params: { id } });
    expect((await get(reader, id)).status).toBe(404);
    const message = await house.did(getMessage, { as: reader }, { query: { id: String(again!.id) } });
    expect(message.open, "the message stays, the way to it is closed").toBe(false);
    const late = await house.ask(
      editAnnouncement,
      { as: boss },
      { params: { id }, body: { ...body, version: 3 } },
    );
    expect(late.body).toMatchObject({ code: 409, message: "当前状态为“已撤回”，不能编辑" });
    house.setClock(undefined);
  });

  test("to a department reaches those below it; a draft reaches nobody until it is published", async () => {
    const { pool } = house.database;
    const { rows } = await pool.query<{ id: number }>(
      "insert into department (enterprise_id, parent_id, name) values ($1, $2, '下级部门') returning id",
      [house.enterpriseId, departmentId],
    );
    const below = await house.person({ permits: ["26.query"] });
    await pool.query("update operator_assignment set department_id = $2 where operator_id = $1", [
      below.operatorId,
      rows[0]!.id,
    ]);
    const { id } = await add({
      title: "部门例会",
      audience: "departments",
      departmentIds: [departmentId],
      state: "draft",
    });
    expect(await mine(below)).toEqual([]);
    expect(await row(id)).toMatchObject({ state: "draft", addressed: 1 });
    const body = { ...basic, audience: "departments" as const, departmentIds: [departmentId], version: 1 };
    await house.did(editAnnouncement, { as: boss }, { params: { id }, body });
    expect((await mine(below)).map((a) => a.id)).toEqual([id]);
    expect((await mine(inA[0]!)).map((a) => a.id)).not.toContain(id);
    await house.did(deleteAnnouncement, { as: boss }, { params: { id } });
    expect(await mine(below)).toEqual([]);
  });

  test("is written by the super types alone, and each field has its sentence", async () => {
    const own = { ...basic, villageIds: [there] };
    expect((await house.ask(addAnnouncement, { as: inB }, { body: own })).status).toBe(403);
    expect((await house.ask(audienceDepartments, { as: inB })).status).toBe(403);
    const { body } = await house.ask(addAnnouncement, { as: boss }, {
      body: { title: "", content: "", audience: "villages" },
    } as never);
    expect(Object.fromEntries(body.fields!.map((f) => [f.field, f.msg]))).toMatchObject({
      title: "请输入公告标题",
      content: "请输入公告内容",
    });
    const turned = await house.ask(
      addAnnouncement,
      { as: boss },
      { body: { ...basic, expireAt: "2020-01-01T00:00:00+08:00" } },
    );
    expect(turned.body.fields).toEqual([{ field: "expireAt", msg: "失效时间须晚于发布时间" }]);
  });
});
