import { beforeAll, expect, test } from "vitest";
import type { Sent } from "../../../platform/kernel/call.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aContract, aLine, aParty, aStore, type Store } from "../bill/bill.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { addFee, deleteFee, editFee, listFees } from "./fee.contract.ts";
import { subjectOptions } from "./subject.contract.ts";

const house = await testHouse();
let store: Store, lead: Person;
beforeAll(async () => {
  store = await aStore(house);
  lead = await house.person({
    permits: ["109.query", "109.add", "109.edit", "109.delete", "26.get"],
    villages: [store.villageId],
  });
});

type Fee = Sent<typeof addFee>["body"];
const network: Fee = {
  name: "宽带安装费",
  kind: "income",
  taxMode: "rate",
  taxRate: "6",
  recognise: "onIssue",
};
const add = (body: Fee) => house.ask(addFee, { as: lead }, { body });
const feeOf = async (id: number) =>
  (await house.did(listFees, { as: lead }, { query: { ids: id } as never })).list[0]!;
const edit = async (id: number, body: object) =>
  house.ask(editFee, { as: lead }, { params: { id }, body: { version: (await feeOf(id)).version, ...body } });
const remove = (id: number) => house.ask(deleteFee, { as: lead }, { params: { id } });
const said = (answer: { status: number; body: { message: string } }) =>
  `${answer.status} ${answer.body.message}`;

test("a new fee can be charged at once, at its rate; from then on its kind stays and it is only switched off", async () => {
  const { id } = (await add(network)).body.data;
  expect(await feeOf(id)).toMatchObject({
    code: `F${id}`,
    taxRate: "6",
    uses: 0,
    builtIn: false,
    state: "on",
  });
  const options = await house.did(subjectOptions, { as: lead }, { query: { keyword: "宽带" } as never });
  expect(options).toMatchObject([{ id, taxWord: "6%" }]);
  const partyId = await aParty(house);
  const billId = await aBill(house, store, partyId, { lines: [aLine(`F${id}`, 10_600)] });
  const bill = await house.did(getBill, { as: lead }, { params: { id: billId } });
  expect(bill.lines[0]).toMatchObject({ subject: "宽带安装费", taxWord: "6%", tax: 600 });
  expect(said(await edit(id, { kind: "agency" }))).toBe("400 费用已被使用，不能修改类型");
  expect(said(await remove(id))).toBe("409 该字典项已被使用，只能停用");
  expect((await edit(id, { name: "宽带费", taxRate: "9" })).status).toBe(200);
  expect(await feeOf(id)).toMatchObject({ name: "宽带费", taxRate: "9", uses: 1 });
  const later = await aBill(house, store, partyId, { lines: [aLine(`F${id}`, 10_900)] });
  expect((await house.did(getBill, { as: lead }, { params: { id: later } })).lines[0]!.tax).toBe(900);
  expect((await house.did(getBill, { as: lead }, { params: { id: billId } })).lines[0]!.tax).toBe(600);
  expect((await edit(id, { enabled: false })).status).toBe(200);
  expect(await house.did(subjectOptions, { as: lead }, { query: { keyword: "宽带" } as never })).toEqual([]);
});

test("what a contract's terms or a product names is not deleted either", async () => {
  const { id } = (await add({ ...network, name: "垃圾清运费" })).body.data;
  const { pool } = house.database;
  const contract = await aContract(house, store, await aParty(house));
  await pool.query("update contract set terms = $2 where id = $1", [contract, { fees: [{ feeId: id }] }]);
  expect(said(await remove(id))).toBe("409 该字典项已被使用，只能停用");
  await pool.query("update contract set terms = '{}' where id = $1", [contract]);
  const mapping =
    "insert into gl_mapping (enterprise_id, account, fee_subject_id, gl_code) values ($1, '6001', $2, '6001.01')";
  await pool.query(mapping, [house.enterpriseId, id]);
  expect(said(await remove(id))).toBe("409 该字典项已被使用，只能停用");
  await pool.query("delete from gl_mapping where fee_subject_id = $1", [id]);
  expect((await remove(id)).status).toBe(200);
});

test("names and codes are one each, rates fit their mode, and built-in fees keep what the product relies on", async () => {
  const wrong = async (body: Fee) => {
    const answer = await add(body);
    return `${answer.body.fields?.[0]?.field} ${answer.body.message}`;
  };
  expect(await wrong({ ...network, name: "租金" })).toBe("name 名称已存在");
  expect(await wrong({ ...network, name: "代收快递", code: "rent" })).toBe("code 编码已存在");
  expect(await wrong({ ...network, name: "无率", taxRate: "0" })).toBe("taxRate 请输入税率");
  expect(await wrong({ ...network, name: "减按", taxMode: "reduced15", taxRate: "5" })).toBe(
    "taxRate 减按征收的税率为1.5",
  );
  const { list } = await house.did(listFees, { as: lead }, { query: { keyword: "租金" } as never });
  const rent = list.find((fee) => fee.code === "rent")!;
  expect(rent).toMatchObject({ builtIn: true, taxRate: "1.5", priority: 20 });
  expect(said(await edit(rent.id, { kind: "agency" }))).toBe("400 系统内置费用不能修改类型");
  expect(said(await edit(rent.id, { taxMode: "none" }))).toBe("400 不征税的费用税率为0");
  expect(said(await remove(rent.id))).toBe("409 系统内置项不能删除，可改名或停用");
  expect((await edit(rent.id, { priority: 21 })).status).toBe(200);
  const opener = await house.person({ permits: ["109.query", "109.enable"] });
  const body = { version: rent.version + 1, name: "房租" };
  expect((await house.ask(editFee, { as: opener }, { params: { id: rent.id }, body })).status).toBe(403);
  const off = { version: rent.version + 1, enabled: false };
  expect((await house.ask(editFee, { as: opener }, { params: { id: rent.id }, body: off })).status).toBe(403);
});
