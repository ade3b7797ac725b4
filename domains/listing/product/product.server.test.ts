import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat, aLease, aVillage } from "../village/village.sample.ts";
import {
  productFees,
  productOptions,
  addProduct,
  deleteProduct,
  disableProduct,
  editProduct,
  enableProduct,
  product,
  products,
} from "./product.contract.ts";
import { setProductRooms } from "./price.contract.ts";
import { addChannel, channel, editChannel } from "../channel/channel.contract.ts";
import { aChannel } from "../sync/sync.sample.ts";
import { aProduct, signed } from "./product.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { pool } = house.database;
const [villageId, otherId] = [await aVillage(house), await aVillage(house)];
const permits = ["add", "edit", "delete", "query", "get", "enable", "disable"].map((p) => `4.${p}` as const);
const head = await house.person({ permits: [...permits, "#601"], villages: [villageId, otherId] });
const clerk = await house.person({ permits, villages: [villageId] });
const stranger = await house.person({ permits });
const { id } = await house.did(
  addProduct,
  { as: head },
  { body: aProduct([villageId], { lowestPrice: 280_000, facilities: [] }) },
);
const flat = await aFlat(house, await aBuilding(house, villageId));
const roomId = flat.roomIds[0]!;
const now = async (as = head) => house.did(product, { as }, { params: { id } });

describe("a new product", () => {
  test.each([
    [{ code: "a 1" }, "code", "仅支持字母、数字、下划线和中划线"],
    [{ name: "123" }, "name", "名称不能为纯数字"],
    [{ villageIds: [] }, "villageIds", "请选择适用门店"],
    [{ areaFrom: 50 }, "areaTo", "面积上限不能小于下限"],
    [{ minTermMonths: 12, maxTermMonths: 6 }, "maxTermMonths", "最长租期不能短于最短租期"],
    [{ listPrice: undefined }, "listPrice", "请输入标价"],
    [{ lowestPrice: 300_001 }, "lowestPrice", "底价不能高于标价"],
    [{ effectiveDay: "2026-11-19" }, "effectiveDay", "生效日期不能早于今天"],
    [
      { payPlans: [{ depositMonths: 1, payMonths: 1, adjustPercent: 0, default: false }] },
      "payPlans",
      "请选择一个默认付款方式",
    ],
    [{ facilities: ["没有的设施"] }, "facilities", "房间设施中没有“没有的设施”"],
    [{ code: "CP01", name: "新名字" }, "code", "产品编码已存在"],
    [{ code: "CP09" }, "name", "产品名称已存在"],
  ])("refuses %o", async (more, field, msg) => {
    const fresh = { code: "NEW1", ...("code" in more ? {} : { name: "别的产品" }) };
    const { status, body } = await house.ask(
      addProduct,
      { as: head },
      { body: aProduct([villageId], { ...fresh, ...more } as never) },
    );
    expect(status).toBe(400);
    expect(body.fields).toEqual([{ field, msg: expect.stringContaining(msg.slice(0, 30)) }]);
  });

  test("stands in the list of those who see its stores, with its lowest price only for 601", async () => {
    const { list, sums, total } = await house.did(products, { as: head }, { query: {} });
    expect([total, sums]).toEqual([1, { rooms: 0, vacant: 0 }]);
    expect(list[0]).toMatchObject({
      code: "CP01",
      layout: "1室1厅1卫",
      area: "35-45.5 ㎡",
      listPrice: 300_000,
      lowestPrice: 280_000,
      payPlan: "押一付三",
      villages: 1,
      dealAverage: null,
      state: "enabled",
    });
    expect((await house.did(products, { as: clerk }, { query: {} })).list[0]).not.toHaveProperty(
      "lowestPrice",
    );
    expect(await now(clerk)).not.toHaveProperty("lowestPrice");
    expect(await house.did(products, { as: stranger }, { query: {} })).toMatchObject({ list: [], total: 0 });
    expect((await house.ask(product, { as: stranger }, { params: { id } })).status).toBe(404);
    for (const [query, n] of [
      [{ keyword: "cp0" }, 1],
      [{ keyword: "一居" }, 1],
      [{ kind: "bed" }, 0],
      [{ state: "disabled" }, 0],
      [{ priceFrom: 300_001 }, 0],
      [{ priceTo: 300_000 }, 1],
      [{ villageIds: String(otherId) }, 0],
    ] as const)
      expect((await house.did(products, { as: head }, { query })).total, JSON.stringify(query)).toBe(n);
  });

  test("takes fees of the enterprise only", async () => {
    await pool.query(
      "insert into fee_subject (enterprise_id, code, name, kind) values ($1, 'WY', '物业费', 'income')",
      [house.enterpriseId],
    );
    const [fee] = await house.did(productFees, { as: head });
    const body = (subjectId: number) =>
      aProduct([villageId], {
        code: "FEES",
        name: "带费用的产品",
        fees: [{ subjectId, way: "amount", amount: 10_000, cycle: "month" }],
      });
    // no entry of theirs: refused before it is handled, like every entry of a dictionary
    expect((await house.ask(addProduct, { as: head }, { body: body(999_999) })).status).toBe(404);
    for (const [code, kind] of [
      ["ZC", "cost"],
      ["ZNJ", "lateFee"],
      ["rent", "income"],
    ]) {
      const { rows } = await pool.query(
        "insert into fee_subject (enterprise_id, code, name, kind) values ($1, $2, '某科目', $3) returning id",
        [house.enterpriseId, code, kind],
      );
      const odd = await house.ask(addProduct, { as: head }, { body: body(rows[0].id) });
      expect(odd.body.fields).toEqual([
        { field: "fees", msg: "某科目不能作为合同费用收取，请选择其他费用科目" },
      ]);
      await pool.query("delete from fee_subject where id = $1", [rows[0].id]);
    }
    const made = await house.did(addProduct, { as: head }, { body: body(fee!.id) });
    const seen = await house.did(product, { as: head }, { params: { id: made.id } });
    expect(seen.fees).toMatchObject([{ name: fee!.name, amount: 10_000, cycle: "month" }]);
    await house.did(
      deleteProduct,
      { as: head },
      { params: { id: made.id }, query: { version: seen.version } },
    );
  });
});

test("is not deleted while the rule of a channel names it", async () => {
  const made = await house.did(
    addProduct,
    { as: head },
    { body: aProduct([villageId], { code: "CP07", name: "渠道产品", facilities: [] }) },
  );
  const publisher = await house.person({
    permits: ["67.query", "67.get", "67.add", "67.edit"],
    villages: [villageId],
  });
  const body = aChannel([villageId], { name: "样板渠道", productIds: [made.id] });
  const { id: channelId } = await house.did(addChannel, { as: publisher }, { body });
  const remove = () =>
    house.ask(deleteProduct, { as: head }, { params: { id: made.id }, query: { version: 1 } });
  const refused = await remove();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "渠道“样板渠道”的发布规则选了该产品，不能删除，请先从规则中移除，或改为停用",
  ]);
  const { version } = await house.did(channel, { as: publisher }, { params: { id: channelId } });
  await house.did(
    editChannel,
    { as: publisher },
    { params: { id: channelId }, body: { ...body, productIds: [], version } },
  );
  expect((await remove()).status).toBe(200);
});

test("is an option of its store and kind while it is enabled; its rooms keep it", async () => {
  const options = async (query: object) =>
    (await house.did(productOptions, { as: clerk }, { query })).map((p) => p.name);
  expect(await options({ villageId, kind: "whole" })).toEqual(["雅致一居"]);
  expect(await options({ kind: "bed" })).toEqual([]);
  await house.did(
    setProductRooms,
    { as: head },
    { params: { id }, body: { add: [roomId], version: (await now()).version } },
  );
  const { version } = await now();
  await house.did(disableProduct, { as: head }, { params: { id }, body: { version } });
  expect(await options({ villageId })).toEqual([]);
  expect(await options({ ids: String(id) })).toEqual(["雅致一居"]);
  expect(await now()).toMatchObject({ state: "disabled", rooms: 1, vacant: 1 });
  expect(
    (await house.ask(enableProduct, { as: head }, { params: { id }, body: { version } })).body.message,
  ).toBe("数据已被他人修改，请刷新后重试");
  await house.did(enableProduct, { as: head }, { params: { id }, body: { version: version + 1 } });
});

test("is not deleted while it has rooms, nor changed in what its rooms hold fast", async () => {
  const { version } = await now();
  const gone = await house.ask(deleteProduct, { as: head }, { params: { id }, query: { version } });
  expect([gone.status, gone.body.message]).toEqual([409, "该产品下有 1 间房，不能删除"]);
  const edit = (more: object, as = head) => {
    const { listPrice: _, lowestPrice: __, effectiveDay: ___, ...body } = aProduct([villageId]);
    return house.ask(editProduct, { as }, { params: { id }, body: { ...body, version, ...more } });
  };
  expect((await edit({ kind: "room" })).body.fields).toEqual([
    { field: "kind", msg: "已有房间，类型不能修改" },
  ]);
  expect((await edit({ priceUnit: "day" })).body.fields).toEqual([
    { field: "priceUnit", msg: "已有房间，计价单位不能修改" },
  ]);
  expect((await edit({ villageIds: [otherId] })).body.fields?.[0]?.msg).toMatch(
    /^.+ 有 1 间该产品的房间，不能移除该门店$/,
  );
  await house.did(
    editProduct,
    { as: head },
    {
      params: { id },
      body: { ...bodyOf(await now()), villageIds: [villageId, otherId], name: "雅致一居室", version },
    },
  );
  const { rows } = await pool.query(
    "select summary from business_log where kind = 'product' and record_id = $1 order by id desc limit 1",
    [id],
  );
  expect(rows[0].summary).toBe("产品名称：雅致一居 → 雅致一居室；修改适用门店");
  // it is for a store that the clerk has nothing to do with
  const refused = await edit({ villageIds: [villageId], version: version + 1 }, clerk);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "该产品还适用于您无权管理的门店，请联系管理这些门店的人修改",
  ]);
});

test("shows what its rooms were let at in the last twelve months", async () => {
  const { id: contractId } = await aLease(house, roomId, "2026-11-20", "2027-11-19");
  await signed(house, contractId, "2026-11-15");
  await pool.query(
    "insert into contract_room (contract_id, room_id, join_date, monthly_rent, list_price) values ($1, $2, '2026-11-20', 295000, 300000)",
    [contractId, roomId],
  );
  expect(await now()).toMatchObject({ dealAverage: 295_000, vacant: 0 });
});

const bodyOf = (p: Awaited<ReturnType<typeof now>>) => ({
  code: p.code,
  name: p.name,
  kind: p.kind,
  villageIds: p.villageIds,
  bedrooms: p.bedrooms,
  halls: p.halls,
  baths: p.baths,
  areaFrom: p.areaFrom,
  areaTo: p.areaTo,
  capacity: p.capacity,
  payPlans: p.payPlans,
});
