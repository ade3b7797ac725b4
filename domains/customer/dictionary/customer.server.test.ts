import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { customerDic } from "../../system/dic/dic.contract.ts";
import { addLead, getLead, leadWords } from "../lead/lead.contract.ts";
import { typedLead } from "../lead/lead.sample.ts";
import { aCompany, aMerchant } from "../firm/firm.sample.ts";
import { editRenter, getRenter, listRenters } from "../renter/renter.contract.ts";
import { addPush, getPush } from "../push/push.contract.ts";
import { aRenter, twoStores } from "../renter/renter.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { a } = await twoStores(house);
const as = await house.person({
  permits: [
    ...(["15.query", "15.add", "15.get", "16.query", "16.get", "16.edit"] as const),
    ...(["111.query", "111.add", "111.edit", "111.delete", "111.enable", "111.disable"] as const),
  ],
  villages: [a],
});
const words = (group: string) =>
  house.did(customerDic.list, { as }, { query: { group, uses: "1", pageSize: 200 } });
const named = async (group: string, name: string) => (await words(group)).list.find((w) => w.name === name)!;
const switched = async (name: string, enabled: boolean) => {
  const { id, version } = await named("source", name);
  await house.did(customerDic.edit, { as }, { params: { id }, body: { enabled, version } });
};

test("a channel switched off is gone from new leads and renters, and old ones still show it", async () => {
  await house.did(customerDic.add, { as }, { body: { group: "source", name: "地铁广告" } });
  const { code } = await named("source", "地铁广告");
  const wish = typedLead(a, { source: code });
  const { id } = await house.did(addLead, { as }, { body: wish });
  const renterId = await aRenter(house, a, { source: code });
  expect((await named("source", "地铁广告")).uses).toBe(2);
  await switched("地铁广告", false);

  expect((await house.did(leadWords, { as }, {})).sources.map((s) => s.name)).not.toContain("地铁广告");
  expect((await house.did(getLead, { as }, { params: { id } })).sourceName).toBe("地铁广告");
  const another = await house.ask(addLead, { as }, { body: { ...wish, phone: "13900004321" } });
  expect(another.body.fields).toEqual([{ field: "source", msg: "来源渠道中没有“" + code + "”" }]);
  // an old renter keeps it through an edit
  const renter = await house.did(getRenter, { as }, { params: { id: renterId } });
  expect(renter.sourceName).toBe("地铁广告");
  const { phone: _, certNo: __, emergencyPhone: ___, guardianPhone: ____, ...fields } = renter;
  const kept = await house.ask(
    editRenter,
    { as },
    { params: { id: renterId }, body: { ...fields, remark: "老客户" } as never },
  );
  expect(kept.status).toBe(200);
  const found = await house.did(listRenters, { as }, { query: { source: code } as never });
  expect(found.list.map((r) => r.id)).toEqual([renterId]);
});

test("a word is merged into another in leads and renters alike; what belongs to the product stays", async () => {
  const [from, into] = [await named("source", "地铁广告"), await named("source", "网站")];
  const { moved } = await house.did(
    customerDic.merge,
    { as },
    { params: { id: from.id }, body: { into: into.id, version: from.version } },
  );
  expect(moved).toBe(2);
  expect(await named("source", "地铁广告")).toBeUndefined();
  const gone = await house.ask(customerDic.remove, { as }, { params: { id: into.id } });
  expect(gone.body).toMatchObject({ code: 409, message: "系统内置项不能删除，可改名或停用" });
});

test("a tag that is renamed is renamed on every renter who has it", async () => {
  const id = await aRenter(house, a, { tags: ["优质客户", "安静"] });
  const tag = await named("tag", "优质客户");
  expect(tag.uses).toBe(1);
  await house.did(
    customerDic.edit,
    { as },
    { params: { id: tag.id }, body: { name: "优质租客", version: tag.version } },
  );
  expect((await house.did(getRenter, { as }, { params: { id } })).tags).toEqual(["优质租客", "安静"]);
});

test("words of companies and merchants are counted, kept while they are used, and renamed with their records", async () => {
  const firms = await house.person({
    permits: ["113.add", "113.edit", "113.get", "113.query", "106.add", "106.get", "106.query"],
    villages: [a],
  });
  for (const [group, name] of [
    ["industry", "精密制造"],
    ["scale", "五十人上下"],
    ["business", "手工烘焙"],
    ["tag", "常来的"],
  ] as const)
    await house.did(customerDic.add, { as }, { body: { group, name } });
  const company = await aCompany(house, firms, a, {
    industry: "精密制造",
    scale: "五十人上下",
    tags: ["常来的"],
  });
  const merchant = await aMerchant(house, firms, a, { category: "手工烘焙", tags: ["常来的"] });
  expect((await named("tag", "常来的")).uses).toBe(2);
  for (const [group, name] of [
    ["industry", "精密制造"],
    ["scale", "五十人上下"],
    ["business", "手工烘焙"],
  ] as const) {
    const { id, version, uses } = await named(group, name);
    expect([group, uses]).toEqual([group, 1]);
    expect((await house.ask(customerDic.remove, { as }, { params: { id } })).status).toBe(409);
    await house.did(customerDic.edit, { as }, { params: { id }, body: { name: `${name}业`, version } });
  }
  const { rows } = await house.database.pool.query(
    "select industry, scale, (select category from merchant where id = $2) category from company where id = $1",
    [company, merchant],
  );
  expect(rows).toEqual([{ industry: "精密制造业", scale: "五十人上下业", category: "手工烘焙业" }]);
});

test("a tag goes along in the pushes that will look for people by it, and is not removed before them", async () => {
  await house.did(customerDic.add, { as }, { body: { group: "tag", name: "养宠" } });
  await aRenter(house, a, { tags: ["养宠"] });
  const writer = await house.person({ permits: ["18.add", "18.get", "18.edit"], villages: [a] });
  const { id } = await house.did(
    addPush,
    { as: writer },
    {
      body: {
        title: "宠物登记",
        category: "notice",
        channels: ["inApp"],
        body: "请登记您的宠物。",
        kind: "renter",
        villageIds: [a],
        tags: ["养宠"],
      },
    },
  );
  const tag = await named("tag", "养宠");
  expect(tag.usedIn).toEqual({ renter: 1, push_task: 1 });
  await house.did(
    customerDic.edit,
    { as },
    { params: { id: tag.id }, body: { name: "有宠物", version: tag.version } },
  );
  const push = await house.did(getPush, { as: writer }, { params: { id } });
  expect(push.audience.tags).toEqual(["有宠物"]);
});
