import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  changeKeeper,
  contractOptions,
  countContracts,
  exportContracts,
  listContracts,
} from "./contract.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import {
  handOver,
  signOfflineContract,
  submitContract,
  voidContract,
  withdrawContract,
} from "../signing/signing.contract.ts";
import { aForm, signed, submitted } from "./contract.sample.ts";
import { contractBills, contractOccupants, getContract } from "./detail.contract.ts";
import {
  createContract,
  deleteContract,
  formData,
  readForm,
  saveContract,
} from "../drafting/draft.contract.ts";
import { aColleague, aCompanyForm, aFirmShop, aMerchantForm, aShopRoom, someRooms } from "./firm.sample.ts";

const house = await testHouse();
house.setClock("2026-11-01T10:00:00+08:00");
const shop = await aFirmShop(house);
const as = shop.clerk;
const rooms = await someRooms(house, shop, ["1301", "1302", "1303"]);
const lease = await signed(house, as, aCompanyForm(shop, rooms), "2026-11-01");

describe("a company rents three rooms at 2,800.00", () => {
  test("its November rent is one bill of 8,400.00 to the company, a line for each room", async () => {
    const bills = await house.did(contractBills, { as }, { params: { id: lease.id } });
    const november = bills.find((b) => b.periodStart === "2026-11-01" && b.title.includes("租金"))!;
    expect(november).toMatchObject({ amount: 840_000, outstanding: 840_000, dueDate: "2026-11-01" });
    expect(november.lines.map((l) => [l.roomName?.slice(-4), l.amount])).toEqual([
      ["1301", 280_000],
      ["1302", 280_000],
      ["1303", 280_000],
    ]);
    expect(bills.filter((b) => b.title.includes("租金"))).toHaveLength(12);
    const { rows } = await house.database.pool.query(
      "select distinct party_id id from bill where contract_id = $1",
      [lease.id],
    );
    expect(rows).toEqual([{ id: shop.companyId }]);
  });

  test("the contract keeps the firm as it was signed: credit code, contact, masked phone", async () => {
    const c = await house.did(getContract, { as }, { params: { id: lease.id } });
    expect(c).toMatchObject({
      kind: "company",
      partyName: "云栖软件有限公司",
      currentRent: 840_000,
      depositAmount: 840_000,
      party: { name: "云栖软件有限公司", phone: "137****0001", contactName: "钱经理", certNo: null },
      counts: { occupants: 0 },
    });
    expect(c.party!.creditCode).toMatch(/^91330108MA2\d{6}/);
    expect(await house.did(contractOccupants, { as }, { params: { id: lease.id } })).toEqual([]);
  });

  test("the paper names the firm by its credit code and each room with its rent", async () => {
    const { raw } = await house.ask(contractPaper, { as }, { params: { id: lease.id } });
    const text = textOfPdf(raw).replaceAll("\n", "");
    for (const said of [
      "企业房屋租赁合同",
      "云栖软件有限公司",
      "91330108MA2",
      "钱经理",
      "月租金 2,800.00 元",
    ])
      expect(text).toContain(said);
    for (const not of ["监护人", "待签", "同住人"]) expect(text).not.toContain(not);
    expect(text).toContain("乙方（盖章）");
  });

  test("all three rooms are let: nobody else gets one of them", async () => {
    const { id } = await house.did(
      createContract,
      { as },
      { body: aForm({ ...shop, roomId: rooms[2]! }, { start: "2026-12-01" }) },
    );
    const preview = await house.did(previewContract, { as }, { body: { id } });
    expect(preview.obstacles).toMatchObject([{ code: "roomTaken" }]);
  });
});

describe("a merchant's shop", () => {
  test("from the draft to signed bills, in its own list", async () => {
    const roomId = await aShopRoom(house, shop, "S01");
    const form = aMerchantForm(shop, roomId);
    const draft = await house.did(createContract, { as }, { body: form });
    const { form: read } = await house.did(readForm, { as }, { params: { id: draft.id } });
    expect(read).toMatchObject({ kind: "merchant", partyId: shop.merchantId });
    const again = await house.did(
      saveContract,
      { as },
      { params: { id: draft.id }, body: { ...form, remark: "临街", version: draft.version } },
    );
    await house.did(deleteContract, { as }, { params: { id: again.id } });

    const done = await signed(house, as, form, "2026-11-01");
    const bills = await house.did(contractBills, { as }, { params: { id: done.id } });
    expect(bills.filter((b) => b.title.includes("租金")).map((b) => b.amount)).toEqual(
      Array.from({ length: 12 }, () => 560_000),
    );
    const list = await house.did(listContracts, { as }, { query: { kind: "merchant" } });
    expect(list.list.map((c) => c.contractNo)).toEqual([done.contractNo]);
    expect(list.sums).toMatchObject({ rooms: 1, currentRent: 560_000 });
    expect(await house.did(countContracts, { as }, { query: { kind: "merchant" } })).toMatchObject({
      all: 1,
    });
    const { raw } = await house.ask(contractPaper, { as }, { params: { id: done.id } });
    const text = textOfPdf(raw).replaceAll("\n", "");
    for (const said of ["商铺租赁合同", "晨光早餐店", "法定代表人", "陈晨光", "经营使用"])
      expect(text).toContain(said);
    await house.did(
      handOver,
      { as: await aColleague(house, shop, ["107.edit", "#10705"]) },
      {
        params: { id: done.id },
        body: { handoverOn: "2026-11-01", overrideReason: "下周付款", version: done.version },
      },
    );
  });

  test("keeper, withdrawal and voiding need the codes of its page", async () => {
    const held = await submitted(house, as, aMerchantForm(shop, await aShopRoom(house, shop, "S02")));
    const params = { id: held.id };
    const renters = await aColleague(house, shop, ["9.query", "9.get", "9.edit", "9.add", "#901", "#902"]);
    const asked = async (call: Parameters<typeof house.ask>[0], given: object) =>
      (await house.ask(call, { as: renters, key: randomUUID() }, given as never)).status;
    expect(await asked(getContract, { params })).toBe(403);
    expect(await asked(contractBills, { params })).toBe(403);
    expect(await asked(contractPaper, { params })).toBe(403);
    expect(await asked(previewContract, { body: { id: held.id } })).toBe(403);
    expect(await asked(withdrawContract, { params, body: { reason: "" } })).toBe(403);
    expect(await asked(voidContract, { params, body: { reason: "不租了", version: 2 } })).toBe(403);
    expect(await asked(changeKeeper, { body: { ids: [held.id], managerId: as.operatorId } })).toBe(403);
    const { previewHash } = held.preview;
    expect(await asked(submitContract, { params, body: { previewHash } })).toBe(403);
    const signing = { fileIds: [1], signedOn: "2026-11-01", previewHash };
    expect(await asked(signOfflineContract, { params, body: signing })).toBe(403);
    for (const call of [listContracts, countContracts])
      expect(await asked(call, { query: { kind: "merchant" } })).toBe(403);
    expect(await asked(formData, { query: { kind: "merchant", villageId: shop.villageId } })).toBe(403);
    const options = await house.did(contractOptions, { as: renters }, { query: {} });
    expect(options.map((o) => o.contractNo)).not.toContain(held.contractNo);

    const form = aMerchantForm(shop, await aShopRoom(house, shop, "S03"));
    expect(await asked(createContract, { body: form })).toBe(403);
    await house.did(withdrawContract, { as }, { params, body: { reason: "" } });
    const draft = await house.did(getContract, { as }, { params });
    await house.did(voidContract, { as }, { params, body: { reason: "不租了", version: draft.version } });
  });

  test("who exports tenants' contracts does not export those of merchants", async () => {
    const renters = await aColleague(house, shop, ["9.query", "9.export"]);
    const ask = (kind: string) => house.ask(exportContracts, { as: renters }, { query: { kind } } as never);
    expect((await ask("renter")).status).toBe(200);
    expect((await ask("merchant")).status).toBe(403);
    const looking = await aColleague(house, shop, ["9.query", "9.export", "107.query"]);
    const taken = await house.ask(exportContracts, { as: looking }, { query: { kind: "merchant" } } as never);
    expect(taken.status).toBe(403);
  });
});

describe("a contract's kind, its party and its rooms belong together", () => {
  const wrong = async (body: Parameters<typeof aForm>[1] & object) => {
    const answer = await house.ask(createContract, { as }, { body: body as never });
    if (answer.status === 400) return answer.body.fields;
    const preview = await house.ask(previewContract, { as }, { body: { id: answer.body.data.id } });
    return preview.body.fields;
  };

  test("a tenant signs no company contract, a company no shop lease", async () => {
    const [room] = await someRooms(house, shop, ["1401"]);
    const form = aCompanyForm(shop, [room!]);
    expect(await wrong({ ...form, partyId: shop.partyId } as never)).toEqual([
      { field: "partyId", msg: "请选择企业" },
    ]);
    expect(await wrong({ ...form, kind: "merchant" } as never)).toEqual([
      { field: "partyId", msg: "请选择商户" },
    ]);
    expect(await wrong({ ...form, partyId: null } as never)).toEqual([
      { field: "partyId", msg: "请选择企业" },
    ]);
    const store = await aShopRoom(house, shop, "S04");
    expect(await wrong(aCompanyForm(shop, [store]) as never)).toEqual([
      { field: "rooms", msg: "商铺请签商户合同" },
    ]);
    const strange = (await wrong(aMerchantForm(shop, room!) as never))!;
    expect(strange[0]).toMatchObject({ field: "rooms" });
    expect(strange[0]!.msg).toContain("商户合同只能租铺位");
  });

  test("the kind of a draft stays", async () => {
    const [room] = await someRooms(house, shop, ["1402"]);
    const draft = await house.did(createContract, { as }, { body: aCompanyForm(shop, [room!]) });
    const other = { ...aForm({ ...shop, roomId: room! }), version: draft.version };
    const answer = await house.ask(saveContract, { as }, { params: { id: draft.id }, body: other });
    expect(answer.status).toBe(409);
  });

  test("the database itself refuses a party of another kind", async () => {
    const { pool } = house.database;
    await expect(
      pool.query("update contract set party_id = $1 where id = $2", [shop.partyId, lease.id]),
    ).rejects.toThrow(/contract_party_kind/);
    await expect(
      pool.query("update party set kind = 'merchant' where id = $1", [shop.companyId]),
    ).rejects.toThrow(/contract_party_kind/);
  });
});
