import { beforeAll, expect, test } from "vitest";
import { aBook, openBook, type Typed } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRoom } from "../contract/contract.sample.ts";
import { contractImportColumns, contractImportResult } from "./import.contract.ts";
import { anImporter, type Importer, dryRun } from "./import.sample.ts";

const house = await testHouse();
const { db, pool } = house.database;
let { shop, clerk, commit, batchOf, brought, ledger } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, commit, batchOf, brought, ledger } = await anImporter(house));
  for (const name of ["1701", "1702", "1703"]) await aRoom(house, shop.building, name);
});

const HEADS = [
  ["序号", "项目", "房号", "承租人", "联系电话", "合同开始日期", "合同结束日期", "租金", "付款方式"],
  ["已交至", "押金", "欠款", "预存", "管家意见"],
].flat();
/** A ledger as a store keeps it: a title above, columns in an order of its own, more of them than are wanted, one without a heading. */
const ledgerOf = (...rooms: [room: string, name: string, phone: string, rent?: Typed][]) =>
  aBook(
    "台账",
    [
      ["滨江店租约台账"],
      ["制表", "2026-11-20"],
      HEADS,
      ...rooms.map(([room, name, phone, rent = 3000], i) => [
        [i + 1, "滨江店", room, name, phone, "2026-05-15", "2027-05-14", rent, "押一付一"],
        ["2026-11-30", 3000, 500, 250, "老租客", "口头同意续租"],
      ]),
    ].map((row) => row.flat()),
  );
const mapped = (id: number, from: Record<string, string>, as = clerk) =>
  house.ask(
    contractImportColumns,
    { as },
    { params: { id }, body: { columns: Object.entries(from).map(([key, at]) => ({ key, at })) } },
  );
const GUESS = {
  ...{ village: "B", room: "C", name: "D", phone: "E", start: "F", end: "G", rent: "H", pay: "I" },
  ...{ paidTo: "J", deposit: "K", arrears: "L" },
};

test("a ledger with headings of its own is read as somebody says, and comes in with its balances", async () => {
  const { id, state } = await dryRun(
    house,
    clerk,
    await ledgerOf(["1701", "张雅婷", "13800000001"], ["1702", "林晓彤", "13800000002", "三千"]),
  );
  expect(state).toBe("failed");
  const { mapping } = await batchOf(id);
  expect(mapping).toMatchObject({ row: 3, from: GUESS, confirmed: false });
  expect(mapping!.heads.map(({ title }) => title)).toEqual([...HEADS, ""]);
  expect(mapping!.heads[3]).toEqual({ at: "D", title: "承租人", samples: ["张雅婷", "林晓彤"] });
  expect(mapping!.columns.find(({ key }) => key === "prepaid")).toEqual({
    key: "prepaid",
    title: "预存款(元)",
    must: false,
  });
  expect((await commit(id)).body.message).toBe("文件有错误，请改正后重新上传");

  const { room, ...roomless } = GUESS;
  for (const [from, why] of [
    [roomless, "请选择必填的列：房间"],
    [{ ...GUESS, oldNo: room }, "房间和合同号不能取自同一列（C 列）"],
    [{ ...GUESS, prepaid: "0" }, "文件中没有 0 列"],
    [{ ...GUESS, colour: "N" }, "模板的列已变化，请重新上传文件"],
  ] as const) {
    const { status, body } = await mapped(id, from);
    expect([status, body.message]).toEqual([400, why]);
  }
  const stranger = await house.person({ permits: ["9.import"] });
  expect((await mapped(id, GUESS, stranger)).status).toBe(404);

  expect((await mapped(id, { ...GUESS, prepaid: "M", remark: "O" })).status).toBe(200);
  const wrong = await batchOf(id);
  expect(wrong.errors.map((e) => [e.row, e.column, e.header, e.value, e.msg])).toEqual([
    [5, "H", "月租金", "三千", "金额格式不正确，最多两位小数"],
  ]);
  const { raw } = await house.ask(contractImportResult, { as: clerk }, { params: { id } });
  const [marked] = await openBook(raw);
  expect(marked!.values(3).at(-1)).toBe("错误说明");
  expect(marked!.value("P5")).toBe("H 列 月租金：金额格式不正确，最多两位小数");
});

test("what was said of the same headings is the guess for the next file, within the enterprise", async () => {
  const { id } = await dryRun(house, clerk, await ledgerOf(["1702", "林晓彤", "13800000002", 2600]));
  const { mapping } = await batchOf(id);
  expect(mapping).toMatchObject({ from: { ...GUESS, prepaid: "M", remark: "O" }, confirmed: false });
  expect((await mapped(id, mapping!.from)).status).toBe(200);
  expect(await batchOf(id)).toMatchObject({
    state: "ready",
    errors: [],
    totals: {
      sum: { contracts: 1, monthlyRent: 260_000, deposit: 300_000, arrears: 50_000, prepaid: 25_000 },
    },
  });
  expect((await commit(id)).body.data.state).toBe("done");
  expect(await brought(id)).toMatchObject([
    { partyName: "林晓彤", remark: "口头同意续租", state: "effective" },
  ]);
  expect(await ledger()).toEqual([]);
  expect((await mapped(id, GUESS)).body.message).toBe("该批次已导入");
  const { raw } = await house.ask(contractImportResult, { as: clerk }, { params: { id } });
  const [result] = await openBook(raw);
  expect([result!.value("P3"), result!.value("P4")]).toEqual(["合同号", expect.stringMatching(/^HT/)]);

  const other = await db
    .insertInto("enterprise")
    .values({ name: "远山公寓管理有限公司" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const elsewhere = await house.person({ permits: ["9.import"], villages: [shop.villageId] });
  await pool.query("update operator set enterprise_id = $1 where id = $2", [other.id, elsewhere.operatorId]);
  const theirs = await dryRun(house, elsewhere, await ledgerOf(["1703", "温言", "13800000003"]));
  const { rows } = await pool.query("select mapping->'from' \"from\" from contract_import where id = $1", [
    theirs.id,
  ]);
  expect(rows).toEqual([{ from: GUESS }]);
});

test("the template's own headings ask nothing", async () => {
  const heads = ["门店", "房间", "租客", "手机", "起租日", "到期日", "月租金", "付款方式", "在管押金"];
  const line = ["滨江店", "1703", "温言", "13800000003", "2026-12-01", "2027-11-30", 3000, "押一付一", 0];
  const { id, state } = await dryRun(house, clerk, await aBook("在租合同", [heads, line]));
  expect(state).toBe("ready");
  expect((await batchOf(id)).mapping).toBeNull();
  expect((await mapped(id, GUESS)).body.message).toBe("文件的列与模板一致，按模板读取");
  // below a title they are understood as well
  const titled = await dryRun(house, clerk, await aBook("在租合同", [["在租合同"], [], heads, line]));
  expect(titled.state).toBe("ready");
  expect((await batchOf(titled.id)).mapping).toMatchObject({ row: 3, confirmed: true });
});
