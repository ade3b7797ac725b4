import { beforeAll, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { aCompany, aCreditCode } from "../firm/firm.sample.ts";
import { getRenter } from "../renter/renter.contract.ts";
import { previewPush } from "../push/push.contract.ts";
import { aRenter, anIdNumber, twoStores } from "../renter/renter.sample.ts";
import { checkBlackList } from "./blacklist.contract.ts";
import jobs from "./blacklist.job.ts";
import { addBlack, blackEntries, removeBlack } from "./entry.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
let a: number, clerk: Person, boss: Person, stranger: Person;
beforeAll(async () => {
  const stores = await twoStores(house);
  ({ a } = stores);
  const more = [
    "170.add",
    "170.query",
    "16.get",
    "16.query",
    "113.query",
    "113.add",
    "113.get",
    "113.edit",
  ] as const;
  clerk = await house.person({ permits: [...more], villages: [a], name: "陈嘉禾" });
  boss = await house.person({ permits: [...more, "#17001"], villages: [a], name: "周敏" });
  stranger = await house.person({ permits: [...more, "#17001"], villages: [stores.b] });
});

const typed = (partyId: number, more: object = {}) => ({
  partyId,
  level: "forbid" as const,
  reasonKind: "长期欠费",
  reason: "连续三个月未交租并失联",
  ...more,
});
const put = (as: Person, partyId: number, more?: object) =>
  house.ask(addBlack, { as }, { body: typed(partyId, more) });
const entries = (as: Person, partyId: number) => house.did(blackEntries, { as }, { query: { partyId } });

test("put on the list by certificate and phone, once; known in every store, and on the record", async () => {
  const certNo = anIdNumber();
  const id = await aRenter(house, a, { name: "苏瑾", certNo, phone: "13411112222" });
  expect((await put(stranger, id)).status).toBe(404);
  expect((await put(clerk, id, { reasonKind: "不喜欢" })).body.fields?.[0]?.field).toBe("reasonKind");
  expect((await put(clerk, id, { expiresOn: "2026-11-19" })).body.fields).toEqual([
    { field: "expiresOn", msg: "有效期不能早于今天" },
  ]);
  const both = await Promise.all([put(clerk, id), put(clerk, id)]);
  expect(both.map((x) => x.status).toSorted()).toEqual([200, 409]);
  expect(both.find((x) => x.status === 409)!.body.message).toBe("该证件已在黑名单中");
  const seen = await house.did(checkBlackList, { as: stranger }, { query: { certNo } });
  expect(seen).toMatchObject({ level: "forbid", reason: "连续三个月未交租并失联" });
  expect(await house.did(getRenter, { as: clerk }, { params: { id } })).toMatchObject({ black: "forbid" });
  const log = await house.did(
    recordHistory,
    { as: clerk },
    { params: { kind: "renter", recordId: id }, query: {} },
  );
  expect(log.list[0]).toMatchObject({
    action: "加入黑名单",
    summary: "禁止签约，长期欠费：连续三个月未交租并失联",
  });
});

test("taken off with authority 17001 and a reason, by one at a time; what it said stays", async () => {
  const id = await aRenter(house, a, { name: "罗佳宁", phone: "13411113333" });
  await house.did(addBlack, { as: clerk }, { body: typed(id, { level: "warn" }) });
  const [entry] = await entries(clerk, id);
  expect(entry).toMatchObject({
    level: "warn",
    reasonKind: "长期欠费",
    creatorName: "陈嘉禾",
    expiresOn: null,
  });
  const lift = (as: Person, reason = "已结清") =>
    house.ask(
      removeBlack,
      { as },
      { params: { id: entry!.id }, body: { partyId: id, reason, version: entry!.version } },
    );
  expect((await lift(clerk)).status).toBe(403);
  expect((await lift(stranger)).status).toBe(404);
  const both = await Promise.all([lift(boss), lift(boss)]);
  expect(both.map((x) => x.status).toSorted()).toEqual([200, 404]);
  expect(await entries(boss, id)).toEqual([]);
  const kept = await house.database.db
    .selectFrom("blackList")
    .select(["active", "removedReason", "reason"])
    .where("id", "=", entry!.id)
    .executeTakeFirstOrThrow();
  expect(kept).toEqual({ active: false, removedReason: "已结清", reason: "连续三个月未交租并失联" });
  // and they may be put on it again
  expect((await put(clerk, id)).status).toBe(200);
});

test("a firm by its credit code; an entry ends with its last day", async () => {
  const creditCode = aCreditCode();
  const id = await aCompany(house, clerk, a, { name: "云栖软件有限公司", creditCode });
  await house.did(addBlack, { as: clerk }, { body: typed(id, { expiresOn: "2026-11-21" }) });
  expect(await entries(clerk, id)).toHaveLength(1);
  const night = async (day: string) => {
    house.setClock(`${day}T00:05:00+08:00`);
    await perform(house, jobs[0]!, {}, "test");
    return (await entries(clerk, id)).length;
  };
  expect(await night("2026-11-21")).toBe(1);
  expect(await night("2026-11-22")).toBe(0);
});

test("a firm on the list gets no advertising, also when its contact has another phone by now", async () => {
  const id = await aCompany(house, clerk, a, { name: "绿野贸易", creditCode: aCreditCode() });
  expect((await put(clerk, id)).status).toBe(200);
  await house.database.pool.query("update party set phone = '13755550000' where id = $1", [id]);
  const writer = await house.person({ permits: ["18.add"], villages: [a] });
  const preview = await house.did(
    previewPush,
    { as: writer },
    {
      body: {
        title: "企业团租优惠",
        category: "marketing",
        channels: ["inApp"],
        body: "企业团租优惠",
        kind: "company",
        villageIds: [a],
        ids: [id],
      },
    },
  );
  expect(preview).toMatchObject({ people: 0, skipped: [{ reason: "黑名单", count: 1 }] });
});
