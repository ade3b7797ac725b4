import { beforeAll, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aRoom } from "../contract/contract.sample.ts";
import { contractImport } from "./import.contract.ts";
import { anImporter, type Importer, aRow, aSheet, dryRun } from "./import.sample.ts";

const house = await testHouse();
const { pool } = house.database;
let { shop, clerk, sent, commit, batchOf, brought, ledger } = {} as Importer;
beforeAll(async () => {
  ({ shop, clerk, sent, commit, batchOf, brought, ledger } = await anImporter(house));
});

test("wrong cells are named by row and column, and nothing is made", async () => {
  await aRoom(house, shop.building, "1301");
  const before = await pool.query("select count(*) from contract");
  const { id, errorCount } = await sent(
    aRow({ room: "1301", phone: "13900000001" }),
    aRow({ room: "3栋-1单元-1302", phone: "13900000002" }),
    aRow({ room: "1301", end: "2026-05-01", phone: "13900000003" }),
    aRow({ room: "1301", village: "别家店", rent: "三千", pay: "月结", paidTo: "2028-01-01", phone: "12" }),
    aRow({
      room: "1301",
      start: "2027-01-01",
      end: "2027-12-31",
      paidTo: "",
      deposit: "-1",
      certNo: "330108199406180000",
    }),
    aRow({ room: "滨江店·3栋·1单元·1301", name: "林晓彤", phone: "13900000005" }),
  );
  const { errors } = await batchOf(id);
  expect(errors.map((e) => [e.row, e.column, e.header, e.msg])).toEqual([
    [3, "B", "房间", "滨江店没有房间“3栋-1单元-1302”"],
    [4, "H", "到期日", "早于起租日"],
    [5, "A", "门店", "没有门店“别家店”，或无权查看；相近的有：滨江店、V1"],
    [5, "D", "手机", "手机格式不正确！"],
    [5, "J", "月租金", "金额格式不正确，最多两位小数"],
    [5, "K", "付款方式", "付款方式应为押X付Y，如 押一付三；付款周期为 1、2、3、6、12 个月或一次性付清"],
    [5, "P", "已付至", "晚于到期日"],
    [6, "F", "证件号", "身份证号格式不正确"],
    [6, "Q", "在管押金", "金额不能小于0"],
    [7, "B", "房间", "与第 2 行的房间和租期重叠"],
  ]);
  expect(errorCount).toBe(10);
  expect((await pool.query("select count(*) from contract")).rows).toEqual(before.rows);
  expect((await dryRun(house, clerk, Buffer.from("no workbook"))).message).toBe("请上传xlsx文件");
});

test("a long file of somebody who has left meanwhile is not taken, and says why", async () => {
  await aRoom(house, shop.building, "1305");
  const leaver = await house.person({ name: "林远", permits: ["9.import"], villages: [shop.villageId] });
  const { id } = await dryRun(house, leaver, await aSheet([aRow({ room: "1305", phone: "13900000015" })]));
  // longer than what is taken at once
  await pool.query("update contract_import set row_count = 301 where id = $1", [id]);
  expect((await commit(id, "press-leaver", leaver)).body.data.state).toBe("importing");
  await pool.query("update operator set state = 'disabled' where id = $1", [leaver.operatorId]);
  await house.deliver();
  expect(await batchOf(id)).toMatchObject({
    state: "failed",
    errors: [{ msg: "发起人 林远 的账号已停用，没有继续办理，请由在职人员重新发起" }],
  });
  expect(await brought(id)).toEqual([]);
});

test("two clerks with overlapping files: one wins, the other is told the row, and nothing of that file is there", async () => {
  for (const name of ["1401", "1402", "1403"]) await aRoom(house, shop.building, name);
  const other = await house.person({ permits: ["9.import"], villages: [shop.villageId] });
  const a = await dryRun(
    house,
    clerk,
    await aSheet([
      aRow({ room: "1401", phone: "13911111111" }),
      aRow({ room: "1402", phone: "13911111112" }),
    ]),
  );
  const b = await dryRun(
    house,
    other,
    await aSheet([
      aRow({ room: "1403", phone: "13911111113" }),
      aRow({ room: "1402", phone: "13911111114" }),
    ]),
  );
  const [one, two] = await Promise.all([commit(a.id, "press-one"), commit(b.id, "press-two", other)]);
  expect([one.body.data.state, two.body.data.state].toSorted()).toEqual(["done", "failed"]);
  const [won, lost] = one.body.data.state === "done" ? [a, b] : [b, a];
  const as = lost === a ? clerk : other;
  expect((await brought(won.id)).length).toBe(2);
  const { errors } = await house.did(contractImport, { as }, { params: { id: lost.id } });
  expect(errors).toMatchObject([
    { row: 3, header: "房间", msg: expect.stringContaining("1402 在 2026-05-15 至 2027-05-14 已被 HT") },
  ]);
  expect(await brought(lost.id)).toEqual([]);
  expect(await ledger()).toEqual([]);
});
