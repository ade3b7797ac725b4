import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import {
  askForLead,
  claimLead,
  followLead,
  leadFunnel,
  leadMatches,
  loseLead,
  reopenLead,
} from "./acts.contract.ts";
import { countMatches, getLead, listLeads } from "./lead.contract.ts";
import jobs from "./lead.job.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-10T10:00:00+08:00");
const { here, zhao, li, head, stranger } = await aLettingOffice(house);
const { pool } = house.database;
const night = () =>
  perform(
    house,
    jobs.find((j) => j.name === "lead.pool")!,
    {},
    "night",
  );
const titles = async (as: typeof zhao) =>
  (await house.did(listMessages, { as }, { query: {} })).list.map((m) => m.title);
const one = (as: typeof zhao, id: number) => house.did(getLead, { as }, { params: { id } });
beforeEach(() => house.setClock("2026-11-10T10:00:00+08:00"));

const at = await aBuilding(house, here);

describe("the pool", () => {
  test("idle for 7 days it falls at night with a line; two claim at once and one owns it", async () => {
    const id = await aLead(house, zhao, here, { name: "陆星野" });
    house.setClock("2026-11-12T10:00:00+08:00");
    const body = { kind: "wechat" as const, content: "发了房源照片" };
    await house.did(followLead, { as: zhao }, { params: { id }, body });
    house.setClock("2026-11-18T02:00:00+08:00");
    await night();
    expect(await one(zhao, id)).toMatchObject({ ownerName: "赵思源", daysToPool: 1 });
    expect(await titles(zhao)).toContain("客源陆星野明天转入公海");
    house.setClock("2026-11-19T02:00:00+08:00");
    await night();
    await night();
    expect(await one(li, id)).toMatchObject({ ownerId: null, state: "following", daysToPool: null });
    expect((await titles(zhao)).filter((t) => t === "客源陆星野已转入公海")).toHaveLength(1);
    const log = await house.did(
      recordHistory,
      { as: li },
      { params: { kind: "lead", recordId: id }, query: {} },
    );
    expect(log.list[0]).toMatchObject({ action: "转入公海", operatorName: "系统" });

    const answers = await Promise.all(
      [zhao, li].map((as) => house.ask(claimLead, { as }, { params: { id } })),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(answers.find((a) => a.status === 409)!.body.message).toBe("该客源已被他人领取");
    const owner = answers[0]!.status === 200 ? zhao : li;
    expect(await one(owner, id)).toMatchObject({ ownerId: owner.operatorId, daysToPool: 7 });
  });

  test("a store's own number of days counts; a reserved lead stays", async () => {
    await pool.query("update village_setting set lead_idle_days = 3 where village_id = $1", [here]);
    const [idle, reserved] = [await aLead(house, zhao, here), await aLead(house, zhao, here)];
    await pool.query("update lead set state = 'reserved', reserved_at = now() where id = $1", [reserved]);
    house.setClock("2026-11-13T02:00:00+08:00");
    await night();
    expect((await one(head, idle)).ownerId).toBeNull();
    expect((await one(head, reserved)).ownerName).toBe("赵思源");
    await pool.query("update village_setting set lead_idle_days = null where village_id = $1", [here]);
  });

  test("the twenty-first claim of a day and the hundred-and-first live lead are refused", async () => {
    const eager = await house.person({ permits: ["15.edit", "15.get"], villages: [here], name: "新人" });
    const ids = [];
    for (let i = 0; i < 21; i++) ids.push(await aLead(house, head, here));
    await pool.query("update lead set owner_id = null where id = any($1)", [ids]);
    const claim = (id: number) => house.ask(claimLead, { as: eager }, { params: { id } });
    for (const id of ids.slice(0, 20)) expect((await claim(id)).status).toBe(200);
    expect((await claim(ids[20]!)).body.message).toBe("每天最多领取20条客源，请明天再来");
    const { rows } = await pool.query("select owner_id from lead where id = $1", [ids[20]]);
    expect(rows[0].owner_id).toBeNull();
    await pool.query(
      `insert into lead (number, enterprise_id, name, phone, source, village_ids, owner_id)
       select 'KYX' || n, $1, '客', '1370000' || lpad(n::text, 4, '0'), 'web', array[$2::bigint], $3 from generate_series(1, 80) n`,
      [house.enterpriseId, here, eager.operatorId],
    );
    house.setClock("2026-11-11T10:00:00+08:00");
    const full = "您在跟进的客源最多100条，目前已有100条";
    expect((await claim(ids[20]!)).body.message).toBe(full);
    // lost ones make room, and come back only as long as there is some
    const lost = { lostReason: "价格过高", lostNote: "" };
    for (const id of ids.slice(0, 2)) {
      const { version } = await one(eager, id);
      await house.did(loseLead, { as: eager }, { params: { id }, body: { version, ...lost } });
    }
    expect((await claim(ids[20]!)).status).toBe(200);
    const reopen = async (id: number) => {
      const { version } = await one(eager, id);
      return house.ask(reopenLead, { as: eager }, { params: { id }, body: { version } });
    };
    expect((await reopen(ids[0]!)).status).toBe(200);
    expect((await reopen(ids[1]!)).body.message).toBe(full);
  });
});

test("whoever asks a colleague for a lead is heard once a day, of each lead", async () => {
  const phones = ["13688880001", "13688880002"];
  const [first, second] = phones as [string, string];
  for (const phone of phones) await aLead(house, li, here, { name: `客${phone.at(-1)}`, phone });
  const ask = (as: typeof zhao, phone: string) => house.did(askForLead, { as }, { body: { phone } });
  for (let i = 0; i < 2; i++) await ask(zhao, first);
  await ask(head, first);
  await ask(zhao, second);
  house.setClock("2026-11-11T10:00:00+08:00");
  await ask(zhao, first);
  expect((await titles(li)).filter((title) => /申请转移客源客[12]$/.test(title)).toSorted()).toEqual([
    "赵思源申请转移客源客1",
    "赵思源申请转移客源客1",
    "赵思源申请转移客源客2",
    "陈嘉禾申请转移客源客1",
  ]);
});

test("rooms that suit: free on the day, of the layout, within a tenth of the budget; the list counts the same", async () => {
  const flat = async (name: string, listPrice: number, bedrooms = 1) =>
    (await aFlat(house, at, { name, listPrice, bedrooms })).roomIds[0]!;
  const fits = await flat("1201", 330_000);
  await flat("1202", 331_000);
  await flat("1203", 300_000, 2);
  const taken = await flat("1204", 300_000);
  await aLease(house, { villageId: here, roomId: taken, start: "2026-11-01" });
  const id = await aLead(house, zhao, here, {
    name: "何清",
    layout: "1",
    budgetTo: 300_000,
    moveInDay: "2026-11-25",
  });
  const rooms = await house.did(leadMatches, { as: zhao }, { params: { id } });
  expect(rooms.map((r) => r.id)).toEqual([fits]);
  const ids = { ids: String(id) } as never;
  expect(await house.did(countMatches, { as: zhao }, { query: ids })).toEqual([{ id, rooms: 1 }]);
  expect(await house.did(countMatches, { as: stranger }, { query: ids })).toEqual([]);
});

test("whoever signs under the lead's phone in one of its stores is won", async () => {
  const roomId = (await aFlat(house, at, { name: "1501", floor: 15 })).roomIds[0]!;
  const lease = await aLease(house, { villageId: here, roomId, start: "2026-12-01" });
  const { rows } = await pool.query("select phone from party where id = $1", [lease.partyId]);
  const id = await aLead(house, zhao, here, { phone: rows[0].phone });
  const signed = jobs.find((j) => j.name === "lead.signed")!;
  const told = { contracts: [{ contractId: lease.id }] };
  await perform(house, signed, told, "signed");
  await perform(house, signed, told, "again");
  expect((await one(zhao, id)).state).toBe("signed");
  const { rows: events } = await pool.query(
    "select content from lead_event where lead_id = $1 and kind = 'system' order by id desc",
    [id],
  );
  expect(events.map((e) => e.content)).toEqual([`签订合同 ${lease.no}`, "登记客源沈知夏"]);
});

test("of 200 leads 150 were followed up, 80 viewed, 30 reserved and 24 signed: 12.00 %", async () => {
  await pool.query(
    `insert into lead (number, enterprise_id, name, phone, source, village_ids, owner_id, created_at, state,
       following_at, viewed_at, reserved_at, signed_at, lost_reason, lost_at)
     select 'KYM' || n, $1, '客', '1380000' || lpad(n::text, 4, '0'), 'web', array[$2::bigint], $3, t,
       case when n <= 24 then 'signed' when n > 180 then 'lost' else 'reserved' end,
       case when n <= 150 then t + interval '2 days' end, case when n <= 80 then t + interval '4 days' end,
       case when n <= 30 then t + interval '5 days' end, case when n <= 24 then t + interval '9 days' end,
       case when n > 180 then '价格过高' else '' end, case when n > 180 then t end
     from generate_series(1, 200) n cross join (select '2026-09-05 10:00+08'::timestamptz t) d`,
    [house.enterpriseId, here, zhao.operatorId],
  );
  const query = { from: "2026-09-01", to: "2026-09-30" };
  const { steps, lost } = await house.did(leadFunnel, { as: head }, { query });
  expect(steps.map((s) => s.count)).toEqual([200, 150, 80, 30, 24]);
  expect(steps.at(-1)).toMatchObject({ whole: 0.12, rate: 0.8, days: 9 });
  expect(lost).toEqual([{ reason: "价格过高", count: 20 }]);
  // each bar opens as many as it counts
  for (const { step, count } of steps) {
    const opened = { createdFrom: query.from, createdTo: query.to, reached: step };
    expect((await house.did(listLeads, { as: head }, { query: opened })).total).toBe(count);
  }
  const none = await house.did(leadFunnel, { as: head }, { query: { from: "2020-01-01", to: "2020-01-31" } });
  expect(none.steps.at(-1)).toMatchObject({ count: 0, whole: null });
});
