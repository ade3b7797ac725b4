import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { anonymiseRenter } from "../renter/acts.contract.ts";
import { aRenter, someFlats } from "../renter/renter.sample.ts";
import { listRenters } from "../renter/renter.contract.ts";
import {
  askForLead,
  assignLeads,
  followLead,
  leadEvents,
  loseLead,
  releaseLead,
  reopenLead,
} from "./acts.contract.ts";
import {
  addLead,
  checkLead,
  countLeads,
  deleteLead,
  editLead,
  getLead,
  leadWords,
  listLeads,
} from "./lead.contract.ts";
import { aLead, aLettingOffice, typedLead } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, there, zhao, li, head, stranger } = await aLettingOffice(house);
beforeEach(() => house.setClock("2026-11-20T09:15:00+08:00"));

const listed = async (as: typeof zhao, query: object = {}) =>
  (await house.did(listLeads, { as }, { query })).list;
const one = (as: typeof zhao, id: number) => house.did(getLead, { as }, { params: { id } });

describe("registering", () => {
  test("wrong fields are refused in the words of the form", async () => {
    const refused = await house.ask(
      addLead,
      { as: zhao },
      {
        body: {
          ...typedLead(here),
          name: " ",
          phone: "12345",
          source: "agent",
          villageIds: [],
          budgetFrom: 300000,
          budgetTo: 200000,
        },
      },
    );
    expect(refused.status).toBe(400);
    const fields = Object.fromEntries(refused.body.fields!.map((x) => [x.field, x.msg]));
    expect(fields).toMatchObject({
      name: "请输入客户姓名",
      phone: "手机格式不正确！",
      villageIds: "请选择意向门店",
    });
    const later = await house.ask(
      addLead,
      { as: zhao },
      { body: { ...typedLead(here), source: "agent", budgetFrom: 300000, budgetTo: 200000 } },
    );
    expect(later.body.fields).toEqual(
      expect.arrayContaining([
        { field: "budgetFrom", msg: "预算下限不能高于上限" },
        { field: "agentId", msg: "请选择经纪人" },
      ]),
    );
    const strange = await house.ask(addLead, { as: zhao }, { body: typedLead(here, { source: "radio" }) });
    expect(strange.body.fields).toEqual([{ field: "source", msg: "来源渠道中没有“radio”" }]);
  });

  test("the same phone again is refused with the owner's name, also when two come at once", async () => {
    const body = typedLead(here, { name: "苏瑾" });
    await house.did(addLead, { as: li }, { body });
    const { number } = (await listed(li, { keyword: "苏瑾" }))[0]!;
    expect(number).toMatch(/^KY20261120-\d{6}$/);
    const again = await house.ask(addLead, { as: zhao }, { body });
    expect(again.body.fields).toEqual([{ field: "phone", msg: `该客户已由李四跟进（${number}）` }]);
    const check = await house.did(checkLead, { as: zhao }, { query: { phone: body.phone } });
    expect(check.live).toEqual({ number, ownerName: "李四" });

    const fresh = typedLead(here);
    const answers = await Promise.all([zhao, li].map((as) => house.ask(addLead, { as }, { body: fresh })));
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect(answers.find((a) => a.status === 400)!.body.fields![0]!.field).toBe("phone");

    await house.did(askForLead, { as: zhao }, { body: { phone: body.phone } });
    const { list } = await house.did(listMessages, { as: li }, { query: {} });
    expect(list.map((m) => m.title)).toContain("赵思源申请转移客源苏瑾");
  });

  test("who may not see renters still links one by its whole phone, masked", async () => {
    await aRenter(house, here, { phone: "13677778888", name: "张雅婷" });
    expect((await house.ask(listRenters, { as: zhao }, { query: {} })).status).toBe(403);
    const { renter } = await house.did(checkLead, { as: zhao }, { query: { phone: "13677778888" } });
    expect(renter).toMatchObject({ name: "张*", phone: "136****8888" });
    const id = await aLead(house, zhao, here, { phone: "13677778888" });
    expect(await one(zhao, id)).toMatchObject({ partyId: renter!.id, partyKind: "renter", partyName: "张*" });
  });

  test("only its own day's untouched lead may be deleted", async () => {
    const id = await aLead(house, zhao, here);
    const remove = (as: typeof zhao) =>
      house.ask(deleteLead, { as }, { params: { id }, query: { version: 1 } });
    expect((await remove(head)).body.message).toBe("只能删除本人当天登记且未跟进的客源，可改为流失");
    house.setClock("2026-11-21T00:05:00+08:00");
    expect((await remove(zhao)).status).toBe(409);
    house.setClock("2026-11-20T23:55:00+08:00");
    expect((await remove(zhao)).status).toBe(200);
    expect((await house.ask(getLead, { as: zhao }, { params: { id } })).status).toBe(404);
  });
});

describe("who sees and works on it", () => {
  test("a colleague sees neither list nor record; the head sees it with a masked phone; another store nothing", async () => {
    const id = await aLead(house, zhao, here, { name: "顾南乔", phone: "13500001111" });
    expect((await one(zhao, id)).phone).toBe("13500001111");
    expect((await one(head, id)).phone).toBe("135****1111");
    for (const as of [li, stranger]) {
      expect((await house.ask(getLead, { as }, { params: { id } })).status).toBe(404);
      expect(await listed(as, { keyword: "顾南乔" })).toEqual([]);
    }
    const counts = await house.did(countLeads, { as: zhao }, { query: { keyword: "顾南乔" } });
    expect(counts).toEqual({ all: 1, new: 1 });
  });

  test("a village out of scope is not named and survives an edit", async () => {
    const both = await house.person({ permits: ["15.add"], villages: [here, there], name: "区域顾问" });
    const id = await aLead(house, both, here, { villageIds: [here, there] });
    const seen = await one(head, id);
    expect(seen.villageIds).toEqual([here]);
    const body = { ...typedLead(here), phone: undefined, name: "改名", version: seen.version };
    await house.did(editLead, { as: head }, { params: { id }, body });
    const foreign = await one(stranger, id);
    expect(foreign).toMatchObject({ name: "改名", villageIds: [there] });
    expect((await house.ask(editLead, { as: head }, { params: { id }, body })).status).toBe(409);
  });

  test("assigning moves it, tells both, and only to who works there", async () => {
    const id = await aLead(house, zhao, here, { name: "程安" });
    const { owners } = await house.did(leadWords, { as: head }, {});
    expect(owners.map((o) => o.name)).toEqual(expect.arrayContaining(["赵思源", "李四"]));
    expect(owners.map((o) => o.name)).not.toContain("远店顾问");
    const give = (ownerId: number) => house.ask(assignLeads, { as: head }, { body: { ids: [id], ownerId } });
    expect((await give(stranger.operatorId)).body.fields).toEqual([
      { field: "ownerId", msg: "该员工不能负责客源" },
    ]);
    expect((await give(li.operatorId)).body.data).toEqual({ assigned: 1 });
    expect((await one(li, id)).ownerName).toBe("李四");
    const told = async (as: typeof zhao) =>
      (await house.did(listMessages, { as }, { query: {} })).list.map((m) => m.title);
    expect(await told(li)).toContain("新分配的客源：程安");
    expect(await told(zhao)).toContain("客源程安已转给李四");
    expect(
      (await house.ask(assignLeads, { as: zhao }, { body: { ids: [id], ownerId: zhao.operatorId } })).status,
    ).toBe(403);
    // one store in common is enough, none is not
    const region = await house.person({
      permits: ["15.query", "15.get", "15.add", "15.edit", "#1501", "#1502"],
      villages: [here, there],
      name: "区域经理",
    });
    const far = await aLead(house, region, there, { name: "远客" });
    const wide = await aLead(house, region, here, { villageIds: [there, here] });
    const toLi = (ids: number[]) =>
      house.ask(assignLeads, { as: region }, { body: { ids, ownerId: li.operatorId } });
    expect((await toLi([wide, far])).body.message).toMatch(/^李四不负责远客（.*）的意向门店$/);
    expect((await one(region, wide)).ownerName).toBe("区域经理");
    expect((await toLi([wide])).body.data).toEqual({ assigned: 1 });
  });
});

describe("following up", () => {
  test("the first follow-up starts it; what was said stays, and the list shows what is due", async () => {
    const id = await aLead(house, zhao, here, { name: "温言" });
    const body = { kind: "call" as const, content: "周六来看房", nextFollowDay: "2026-11-21" };
    const past = await house.ask(
      followLead,
      { as: zhao },
      { params: { id }, body: { ...body, nextFollowDay: "2026-11-19" } },
    );
    expect(past.body.fields).toEqual([{ field: "nextFollowDay", msg: "下次跟进不能早于今天" }]);
    await house.did(followLead, { as: zhao }, { params: { id }, body });
    expect(await one(zhao, id)).toMatchObject({
      state: "following",
      nextFollowDay: "2026-11-21",
      lastWords: "周六来看房",
    });
    expect((await house.did(leadEvents, { as: zhao }, { params: { id } })).map((e) => e.content)).toEqual([
      "周六来看房",
      "登记客源温言",
    ]);
    expect(await listed(zhao, { follow: "due", keyword: "温言" })).toHaveLength(0);
    house.setClock("2026-11-21T09:00:00+08:00");
    expect(await listed(zhao, { follow: "due", keyword: "温言" })).toHaveLength(1);
    const log = await house.did(
      recordHistory,
      { as: zhao },
      { params: { kind: "lead", recordId: id }, query: {} },
    );
    expect(log.list.map((l) => l.action)).toEqual(["跟进", "新增"]);
  });

  test("lost needs a reason of the dictionary; reopened it is looked after again", async () => {
    const id = await aLead(house, zhao, here);
    const lose = (lostReason: string, version = 1) =>
      house.ask(loseLead, { as: zhao }, { params: { id }, body: { version, lostReason, lostNote: "" } });
    expect((await lose("")).body.fields).toEqual([{ field: "lostReason", msg: "请选择流失原因" }]);
    expect((await lose("天气")).body.fields![0]!.msg).toBe("流失原因中没有“天气”");
    expect((await lose("价格过高")).status).toBe(200);
    expect((await lose("价格过高", 2)).body.message).toBe("当前状态为“已流失”，不能流失");
    expect(await listed(zhao, { tab: "mine", lostReason: "价格过高" })).toHaveLength(1);
    await house.did(reopenLead, { as: zhao }, { params: { id }, body: { version: 2 } });
    expect(await one(zhao, id)).toMatchObject({ state: "following", lostReason: "" });
  });

  test("the lead of a renter who became nobody is not looked after again", async () => {
    const phone = "13655550001";
    const id = await aLead(house, zhao, here, { phone });
    const body = { version: 1, lostReason: "价格过高", lostNote: "" };
    await house.did(loseLead, { as: zhao }, { params: { id }, body });
    const renterId = await aRenter(house, here, { name: "宋雨桐", phone });
    const [roomId] = await someFlats(house, here, 1);
    await aLease(house, {
      villageId: here,
      roomId: roomId!,
      partyId: renterId,
      start: "2020-01-01",
      leaveDate: "2020-12-31",
      state: "ended",
    });
    const keeper = await house.person({ permits: ["16.query", "#1603"], villages: [here] });
    await house.did(
      anonymiseRenter,
      { as: keeper },
      { params: { id: renterId }, body: { version: 1, reason: "到期清理" } },
    );
    const { name, version } = await one(zhao, id);
    expect(name).toBe("已匿名");
    const refused = await house.ask(reopenLead, { as: zhao }, { params: { id }, body: { version } });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: "该客源的客户已匿名化，不能重新激活" },
    });
    expect(await one(zhao, id)).toMatchObject({ state: "lost", version });
  });

  test("a lead that is signed at the moment somebody follows it up or assigns it stays signed", async () => {
    const id = await aLead(house, zhao, here);
    const during = async (ask: () => Promise<{ status: number; body: { message: string } }>) => {
      await house.database.pool.query("update lead set state = 'new' where id = $1", [id]);
      const other = await house.database.pool.connect();
      await other.query("begin");
      await other.query("update lead set state = 'signed' where id = $1", [id]);
      const asked = ask();
      await expect
        .poll(async () => {
          const { rows } = await house.database.pool.query<{ n: number }>(
            "select count(*)::int n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return rows[0]!.n;
        })
        .toBe(1);
      await other.query("commit");
      other.release();
      const { status, body } = await asked;
      return [status, body.message, (await one(zhao, id)).state];
    };
    const body = { kind: "call" as const, content: "再约看房" };
    expect(await during(() => house.ask(followLead, { as: zhao }, { params: { id }, body }))).toEqual([
      409,
      "当前状态为“已签约”，不能跟进",
      "signed",
    ]);
    const to = { ids: [id], ownerId: li.operatorId };
    expect(await during(() => house.ask(assignLeads, { as: head }, { body: to }))).toEqual([
      409,
      "数据已被他人修改，请刷新后重试",
      "signed",
    ]);
  });

  test("a released lead stands in the pool, for everybody of the store, with its phone masked", async () => {
    const id = await aLead(house, zhao, here, { name: "江晚" });
    await house.did(releaseLead, { as: zhao }, { params: { id }, body: { version: 1 } });
    const [pooled] = await listed(li, { tab: "pool", keyword: "江晚" });
    expect(pooled).toMatchObject({ id, ownerId: null, phone: expect.stringContaining("****") });
    expect(await listed(stranger, { tab: "pool" })).toEqual([]);
    const body = { kind: "call" as const, content: "先聊一下" };
    const refused = await house.ask(followLead, { as: li }, { params: { id }, body });
    expect(refused.body.message).toBe("该客源在公海，请先领取");
  });
});
