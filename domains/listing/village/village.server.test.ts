import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  getVillageSetting,
  villagePictures,
  addVillage,
  closeVillage,
  deleteVillage,
  editVillage,
  openVillage,
  village,
  villageOptions,
  villages,
  villageStaff,
} from "./village.contract.ts";
import { addProduct, deleteProduct } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { aBuilding, aDistrict, aFlat, aLease, aVillage } from "./village.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const { db, pool } = house.database;
const districtId = await aDistrict(house);
const all = ["6.add", "6.edit", "6.delete", "6.query", "6.get", "6.enable", "6.disable"];
const head = await house.person({ permits: all, name: "李总" });
const manager = await house.person({ permits: ["6.query", "6.get"], name: "赵店长" });
const stranger = await house.person({ permits: all });

const form = (more: object = {}) => ({
  code: "BJ01",
  name: "江南店",
  shortName: "江南",
  mode: "centralised" as const,
  districtId,
  address: "滨江区江南大道588号",
  managerId: manager.operatorId,
  phone: "13800138000",
  openingDay: "2026-12-01",
  ...more,
});
const { id } = await house.did(addVillage, { as: head }, { body: form() });

describe("a new village", () => {
  test("is at once an option of its creator and its manager, of nobody else", async () => {
    const options = async (as: typeof head) => (await house.did(villageOptions, { as })).map((v) => v.id);
    expect(await options(head)).toEqual([id]);
    expect(await options(manager)).toEqual([id]);
    expect(await options(stranger)).toEqual([]);
  });

  test("opens for its manager, and does not exist for others", async () => {
    const seen = await house.did(village, { as: manager }, { params: { id } });
    expect(seen).toMatchObject({
      name: "江南店",
      managerName: "赵店长",
      state: "preparing",
      enterpriseName: "青禾公寓管理有限公司",
    });
    for (const call of [village, villageStaff, getVillageSetting, villagePictures])
      expect(await house.ask(call, { as: stranger }, { params: { id } })).toMatchObject({
        status: 404,
        body: { message: "记录不存在" },
      });
    expect((await house.ask(villages, { as: stranger }, { query: { villageIds: String(id) } })).status).toBe(
      404,
    );
    expect(await house.did(villages, { as: stranger }, { query: {} })).toMatchObject({
      list: [],
      total: 0,
      sums: { rooms: 0 },
    });
    const staff = await house.did(villageStaff, { as: head }, { params: { id } });
    expect(staff.map((p) => p.realName)).toEqual(["赵店长", "李总"]);
    // a phone is a door to log in by: nobody's is shown whole
    for (const { phone } of staff) expect(phone).toContain("*");
  });

  test.each([
    [{ code: "bj 1" }, "code", "门店编码为2-20位字母、数字、下划线或中划线"],
    [{ name: "江" }, "name", "门店名称长度为2到30个字"],
    [{ name: "江<b>店" }, "name", "名称不能包含特殊字符"],
    [{ name: "123" }, "name", "名称不能为纯数字"],
    [{ districtId: undefined }, "districtId", "请选择区域"],
    [{ lng: 120.1 }, "lng", "经纬度须同时填写"],
    [{ phone: "123" }, "phone", "手机号或座机格式不正确"],
  ])("refuses %o", async (more, field, msg) => {
    const { status, body } = await house.ask(
      addVillage,
      { as: head },
      { body: form({ code: "X1", name: "新店", ...more }) },
    );
    expect([status, body.fields]).toEqual([400, [{ field, msg }]]);
  });

  test("cannot have the code or name of another, however many try at once", async () => {
    const twice = await Promise.all(
      [1, 2].map(() => house.ask(addVillage, { as: head }, { body: form({ code: "SAME", name: "同名店" }) })),
    );
    expect(twice.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect(twice.find((a) => a.status === 400)!.body.fields).toEqual([
      { field: "code", msg: "门店编码已存在" },
    ]);
    const named = await house.ask(addVillage, { as: head }, { body: form({ code: "OTHER" }) });
    expect(named.body.fields).toEqual([{ field: "name", msg: "门店名称已存在" }]);
  });

  test("needs a manager who may act", async () => {
    const gone = await house.person();
    await db.updateTable("operator").set({ state: "disabled" }).where("id", "=", gone.operatorId).execute();
    const body = form({ code: "Y1", name: "新新店", managerId: gone.operatorId });
    expect(await house.ask(addVillage, { as: head }, { body })).toMatchObject({
      status: 409,
      body: { message: "店长账号已停用" },
    });
  });
});

test("an edit renames the rooms, tells old and new, and refuses a stale one", async () => {
  const at = await aBuilding(house, id);
  const flat = await aFlat(house, at);
  const { version } = await house.did(village, { as: head }, { params: { id } });
  const body = { ...form({ shortName: "滨江" }), version };
  await house.did(editVillage, { as: head }, { params: { id }, body });
  const room = await db
    .selectFrom("room")
    .selectAll()
    .where("id", "=", flat.roomIds[0]!)
    .executeTakeFirstOrThrow();
  expect(room.fullName).toBe("滨江·3栋·1单元·1203");
  const { rows } = await pool.query(
    "select summary from business_log where kind = 'village' and record_id = $1 and action = '修改'",
    [id],
  );
  expect(rows).toEqual([{ summary: "简称：江南 → 滨江" }]);
  const again = await house.ask(editVillage, { as: head }, { params: { id }, body });
  expect([again.status, again.body.message]).toEqual([409, "数据已被他人修改，请刷新后重试"]);
  const mode = await house.ask(
    editVillage,
    { as: head },
    { params: { id }, body: { ...body, mode: "scattered" } },
  );
  expect(mode.body.fields).toEqual([{ field: "mode", msg: "已有楼栋，模式不能修改" }]);
});

test("a new manager gets the store into their scope; one who was let go is not let in by the next edit", async () => {
  const next = await house.person({ permits: ["6.query", "6.get"], name: "钱店长" });
  const edit = async (more: object) => {
    const { version } = await house.did(village, { as: head }, { params: { id } });
    const body = { ...form({ shortName: "滨江", ...more }), version };
    await house.did(editVillage, { as: head }, { params: { id }, body });
  };
  const sees = async () => (await house.did(villageOptions, { as: next })).map((v) => v.id);
  await edit({ managerId: next.operatorId });
  expect(await sees()).toEqual([id]);
  await db.updateTable("operator").set({ villageIds: [] }).where("id", "=", next.operatorId).execute();
  await edit({ managerId: next.operatorId, address: "滨江区江南大道590号" });
  expect(await sees()).toEqual([]);
  await edit({});
});

test("opens only when it can let and be paid; closes only when nothing stands", async () => {
  const act = async (call: typeof openVillage | typeof closeVillage, more: object = {}) => {
    const { version } = await house.did(village, { as: head }, { params: { id } });
    return house.ask(
      call as typeof closeVillage,
      { as: head },
      { params: { id }, body: { version, reason: "季节调整", ...more } },
    );
  };
  expect((await act(openVillage)).body).toMatchObject({ code: 409, message: "请先配置收款账户" });
  const account = await db
    .insertInto("merchantAccount")
    .values({ enterpriseId: house.enterpriseId, name: "现金账户", kind: "cash" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("villageAccount")
    .values({ villageId: id, payType: "cash", merchantAccountId: account.id })
    .execute();
  expect((await act(openVillage)).status).toBe(200);
  expect((await act(openVillage)).body.message).toBe("当前状态为“营业中”，不能开业");

  const room = await db.selectFrom("room").selectAll().where("villageId", "=", id).executeTakeFirstOrThrow();
  await aLease(house, room.id, "2026-11-01", "2027-10-31");
  expect((await act(closeVillage)).body.message).toBe("门店还有 1 条在租记录，不能停业");
  const { pool } = house.database;
  await pool.query(
    `insert into deposit_balance (contract_id, kind, village_id, held)
     select contract_id, 'deposit', village_id, 100 from occupancy_row where room_id = $1`,
    [room.id],
  );
  const held = await act(closeVillage, { closedDay: "2027-11-01" });
  expect(held.body.message).toBe("门店还有 1 笔未退押金，不能停业");
  await pool.query("update deposit_balance set held = 0 where village_id = $1", [id]);
  expect((await act(closeVillage, { closedDay: "2027-11-01" })).status).toBe(200);
  const row = (await house.did(villages, { as: head }, { query: { state: "closed" } })).list[0];
  expect(row).toMatchObject({ id, closedDay: "2027-11-01", buildings: 1, rooms: 1, account: "set" });
  // and nothing is let from that day on, whoever takes the room
  await expect(aLease(house, room.id, "2027-11-01", "2027-11-30")).rejects.toThrow(
    "自 2027-11-01 起已停业，不能出租",
  );
  expect((await act(openVillage)).status).toBe(200);
  await aLease(house, room.id, "2027-11-01", "2027-11-30");
});

test("is deleted only while it has no building, and then leaves every scope", async () => {
  const refuse = await house.ask(deleteVillage, { as: head }, { params: { id }, query: { version: 1 } });
  expect([refuse.status, refuse.body.message]).toEqual([409, "该门店有 1 个楼栋，不能删除，可改为停业"]);
  const empty = await house.did(addVillage, { as: head }, { body: form({ code: "EMPTY", name: "空门店" }) });
  await house.did(deleteVillage, { as: head }, { params: { id: empty.id }, query: { version: 1 } });
  const scope = await db
    .selectFrom("operator")
    .select("villageIds")
    .where("id", "=", head.operatorId)
    .executeTakeFirstOrThrow();
  expect(scope.villageIds).not.toContain(empty.id);
});

test("is not deleted while products, channels or others have it in their lists: nobody would see them again", async () => {
  const made = await house.did(addVillage, { as: head }, { body: form({ code: "NAMED", name: "试点门店" }) });
  const as = await house.person({ superType: "1" });
  const product = await house.did(addProduct, { as }, { body: aProduct([made.id, id]) });
  const remove = () =>
    house.ask(deleteVillage, { as: head }, { params: { id: made.id }, query: { version: 1 } });
  expect((await remove()).body).toMatchObject({ code: 409, message: "该门店有 1 个产品，不能删除" });
  await house.did(deleteProduct, { as }, { params: { id: product.id }, query: { version: 1 } });
  expect((await remove()).status).toBe(200);
});

test("lists are filtered and sorted, and sums cover the whole filter", async () => {
  const other = await aVillage(house, { managerId: head.operatorId, name: "钱塘公寓", districtId });
  await aFlat(house, await aBuilding(house, other), { rooms: ["A", "B"] });
  const as = head;
  const list = await house.did(villages, { as }, { query: { keyword: "钱塘" } });
  expect(list).toMatchObject({ total: 1, sums: { buildings: 1, rooms: 2 } });
  expect(list.list[0]).toMatchObject({ rentable: 2, let: 0, letRate: 0, account: "missing" });
  const page = await house.did(villages, { as }, { query: { pageSize: 1, sort: "rooms", order: "desc" } });
  expect(page.list.map((v) => v.name)).toEqual(["钱塘公寓"]);
  expect(page.sums).toEqual({ buildings: 2, rooms: 3 });
});
