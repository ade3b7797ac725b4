import { expect, test } from "vitest";
import type { Person } from "../../../platform/server/process/house.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { postFile } from "../../system/file/file.sample.ts";
import { sheetBytes } from "../../system/import/import.sample.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { readRoomFile, roomFileTemplate } from "./draft.contract.ts";

const house = await testHouse();
const clerk = await house.person({ permits: ["11.add"], villages: [] });
const sent = async (lines: Record<string, string>[], as: Person = clerk) =>
  postFile<Reply<typeof readRoomFile>>(
    house,
    readRoomFile.path,
    { name: "房间.xlsx", bytes: await sheetBytes("房间", lines) },
    { as },
  );

test("a file of rooms is read with their rents; a wrong cell is told and nothing of it is taken", async () => {
  const right = await sent([{ 房间: "1301", 月租金: "2,800.00" }, { 房间: "1302" }]);
  expect(right.body.data).toEqual({
    rows: [
      { row: 2, name: "1301", monthlyRent: 280_000 },
      { row: 3, name: "1302", monthlyRent: null },
    ],
    errors: [],
  });
  const wrong = (
    await sent([{ 房间: "1301", 月租金: "两千八" }, { 房间: "1302", 月租金: "0" }, { 月租金: "9" }])
  ).body.data;
  expect(wrong.rows).toEqual([]);
  expect(wrong.errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [2, "月租金", "金额格式不正确，最多两位小数"],
    [3, "月租金", "月租金须大于 0"],
    [4, "房间", "请填写房间"],
  ]);
  const template = await house.ask(roomFileTemplate, { as: clerk }, {});
  expect(template.raw.subarray(0, 2).toString()).toBe("PK");
  const noSheet = { name: "房间.xlsx", bytes: Buffer.from("房间,月租金") };
  const refused = await postFile(house, readRoomFile.path, noSheet, { as: clerk });
  expect([refused.status, refused.body.fields]).toMatchObject([400, [{ msg: "请上传xlsx文件" }]]);
  const renters = await house.person({ permits: ["9.add"], villages: [] });
  expect((await sent([{ 房间: "1301" }], renters)).status).toBe(403);
});
