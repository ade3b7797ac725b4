import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addProduct } from "../product/product.contract.ts";
import { aProduct } from "../product/product.sample.ts";
import { aVillage } from "../village/village.sample.ts";
import { roomImportErrors } from "./import.contract.ts";
import { aRow, aSheet, sendSheet } from "./import.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T10:00:00+08:00");
const villageId = await aVillage(house);
const as = await house.person({ permits: ["6.import", "#601"], villages: [villageId] });
const stranger = await house.person({ permits: ["6.import"] });
const errorsOf = async (id: number) =>
  (await house.did(roomImportErrors, { as }, { params: { id } })).list.map((e) => [e.row, e.column, e.msg]);

test("every kind of wrong has its place and sentence", async () => {
  const good = { ...aRow(0), building: "7栋" };
  const sheet = await aSheet([
    { ...good, village: "滨江店2" },
    { ...good, mode: "合租" },
    { ...good, door: "102", mode: "合租", rooms: "A,,B" },
    { ...good, door: "103", mode: "床位", rooms: "A,B", listPrice: "2000/1800/1600" },
    { ...good, door: "104", listPrice: "3000.555", lowestPrice: 3001 },
    { ...good, door: "105", listPrice: 3000, lowestPrice: 3000.01 },
    { ...good, door: "106", listPrice: 100_000_000 },
    { ...good, door: "107", firstDay: "2026-02-30", headLeaseEnd: new Date("2028-06-30T00:00:00Z") },
    { ...good, door: "108", grossArea: { formula: "40+49.5", result: 89.5 } },
    { ...good, door: "109", floor: "0", capacity: 51, facilities: "空调,浴缸" },
    { ...good, door: undefined as never, listPrice: undefined as never },
    { ...good, door: "111", product: "标准间", tags: "一二三四五六七八九十百" },
    { ...good, door: "112", rooms: "A", wholeToo: true },
    { ...good, door: "113", minTerm: 61, bedrooms: 11, source: "租来的" },
  ]);
  const { id, errorCount } = await sendSheet(house, as, sheet);
  const told = await errorsOf(id);
  expect(errorCount).toBe(told.length);
  expect(told).toEqual([
    [2, "A", "没有门店“滨江店2”，或无权查看；相近的有：滨江店、V1"],
    [3, "I", "合租、床位请填写房间名"],
    [4, "I", "房间名不能为空项"],
    [5, "U", "有 3 个值，房间名有 2 个"],
    [6, "U", "金额格式不正确，最多两位小数"],
    [7, "V", "底价不能高于标价"],
    [8, "U", "金额过大"],
    [9, "AC", "日期格式不正确，应为 2026-11-20"],
    [10, "N", "不支持公式，请粘贴为数值"],
    [11, "E", "楼层格式不正确，应为 3、3F 或 B1"],
    [11, "W", "请输入1到50之间的整数"],
    [11, "Y", expect.stringMatching(/^设施中没有“浴缸”，相近的有：/)],
    [12, "F", "请填写门牌"],
    [12, "U", "请填写标价(元)"],
    [13, "S", "没有产品“标准间”，相近的有：无"],
    [13, "Z", "每个标签1到10个字"],
    [14, "H", "只有合租、床位可填是"],
    [14, "I", "只有合租、床位填写房间名"],
    [15, "J", "请输入0到10之间的整数"],
    [15, "AA", expect.stringContaining("产权来源中没有“租来的”")],
    [15, "AD", "请输入1到60之间的整数"],
  ]);
});

test("a product is taken for its own stores only; of those that one does not see nothing is told", async () => {
  const [own, away] = [await aVillage(house), await aVillage(house)];
  const head = await house.person({ permits: ["4.add"], villages: [villageId, own, away] });
  const make = (code: string, name: string, stores: number[]) =>
    house.did(addProduct, { as: head }, { body: aProduct(stores, { code, name }) });
  await make("CP1", "舒适一居", [villageId]);
  await make("CP2", "舒适二居", [own]);
  await make("CP3", "舒适三居", [away]);
  const both = await house.person({ permits: ["6.import"], villages: [villageId, own] });
  const names = ["舒适一居", "舒适二居", "舒适三居"];
  const sheet = await aSheet(names.map((product, i) => ({ ...aRow(i), building: "8栋", product })));
  const { id } = await sendSheet(house, both, sheet);
  const { list } = await house.did(roomImportErrors, { as: both }, { params: { id } });
  expect(list.map((e) => [e.row, e.msg])).toEqual([
    [3, "产品不适用于该门店"],
    [4, "没有产品“舒适三居”，相近的有：舒适一居、舒适二居"],
  ]);
});

test("files that are none, or not ours, are refused as a whole", async () => {
  expect(await sendSheet(house, as, Buffer.from("门店,楼栋"))).toMatchObject({
    status: 400,
    message: "请上传xlsx文件",
  });
  const heads = ["门店", "小区", "楼栋", "颜色"];
  const { id } = await sendSheet(house, as, await aSheet([aRow(1)], heads));
  const told = await errorsOf(id);
  expect(told[0]).toEqual([1, "D", "无法识别的列：颜色"]);
  expect(told).toContainEqual([1, "", "缺少列：标价(元)"]);
  const empty = await sendSheet(house, as, await aSheet([]));
  expect(await errorsOf(empty.id)).toEqual([[2, "", "文件中没有数据"]]);

  const merged = await sendSheet(house, as, await aSheet([aRow(1), aRow(2)], undefined, "B2:B3"));
  expect(await errorsOf(merged.id)).toEqual([[2, "B", "不支持合并单元格（B2:B3）"]]);
  // whoever has no such village learns nothing of it
  expect((await sendSheet(house, stranger, await aSheet([aRow(1)]), villageId)).status).toBe(404);
});
