import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aCompany, aFirmContract, twoFirmStores } from "../../customer/firm/firm.sample.ts";
import { sendFile, sheetBytes } from "../../system/import/import.sample.ts";
import { occupantImport } from "./import.contract.ts";
import { companyRooms, moveOccupants } from "./occupant.contract.ts";
import { listOccupants } from "./roster.contract.ts";

const house = await testHouse();
const { db } = house.database;
const DAY = "2026-11-20";
house.setClock(`${DAY}T09:15:00+08:00`);
const { a, clerk: keyAccounts } = await twoFirmStores(house);
const stranger = await house.person({ permits: ["11.import"], villages: [] });
const as = await house.person({
  permits: ["11.query", "11.get", "11.edit", "11.import"],
  villages: [a],
  name: "周敏",
});

let count = 0;
const aCard = () => {
  const first17 = `33010619900307${String((count += 2) + 101)}`;
  return first17 + idCheckDigit(first17);
};

/** A company's year from 1 September 2026 over so many rooms of two beds each. */
async function aDorm(rooms: number) {
  const companyId = await aCompany(house, keyAccounts, a, { name: "云栖软件有限公司" });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: companyId,
    kind: "company",
    rooms,
    rent: 280_000,
  });
  await db.updateTable("room").set({ capacity: 2 }).where("id", "in", contract.roomIds).execute();
  const grid = () => house.did(companyRooms, { as }, { query: { companyId } });
  const names = (await grid()).map((r) => r.roomName);
  const living = async () =>
    Object.fromEntries((await grid()).map((r) => [r.roomName, r.people.map((p) => p.name)]));
  const send = async (lines: Record<string, string>[], who = as) =>
    sendFile(house, who, occupantImport.check, await sheetBytes("入住人", lines), {
      contractId: contract.id,
    });
  const found = (id: number) => house.did(occupantImport.get, { as }, { params: { id } });
  return { companyId, contract, names, grid, living, send, found };
}
const line = (name: string, room: string, more: Record<string, string> = {}) => ({
  ...{ 姓名: name, 手机号: "13800000001", 证件号: aCard(), 房间: room, 入住日: "2026-11-25" },
  ...more,
});

test("a file brings people into the rooms of a contract, each from and to a day of his own, and is taken back", async () => {
  const { names, living, send, found } = await aDorm(2);
  const [one, two] = names as [string, string];
  const { id } = await send([
    line("赵一航", one, { 入住日: "2026/11/20", 离开日: "2027-01-31" }),
    line("钱二宝", two),
    line("孙三元", two, { 入住日: "2026-12-01" }),
  ]);
  expect(await found(id)).toMatchObject({ state: "ready", rowCount: 3, errors: [] });
  expect(await living()).toEqual({ [one]: [], [two]: [] });
  await house.did(occupantImport.commit, { as }, { params: { id }, body: { version: 1 } });
  expect(await living()).toEqual({ [one]: ["赵一航"], [two]: ["钱二宝", "孙三元"] });
  const { list } = await house.did(listOccupants, { as }, { query: {} });
  expect(list.map((o) => [o.name, o.fromDate, o.toDate]).toSorted()).toEqual([
    ["孙三元", "2026-12-01", "2027-08-31"],
    ["赵一航", DAY, "2027-01-31"],
    ["钱二宝", "2026-11-25", "2027-08-31"],
  ]);
  await house.did(occupantImport.undo, { as }, { params: { id }, body: { version: 2 } });
  expect(await living()).toEqual({ [one]: [], [two]: [] });
});

test("every wrong cell is named; nobody of the file moves in", async () => {
  const { names, living, send, found, contract } = await aDorm(2);
  const [one, two] = names as [string, string];
  const other = await aDorm(1);
  const twice = line("李四海", one);
  const { id } = await send([
    twice,
    { ...twice, 房间: two },
    line("周五洲", one),
    line("吴六合", one),
    line("郑七星", other.names[0]!),
    line("王八方", two, { 入住日: "2027-09-01" }),
    line("冯九州", two, { 离开日: "2026-11-24" }),
    line("陈十全", two, { 离开日: "2027-09-01", 证件号: "330106199003071010" }),
    line("褚百川", two, { 手机号: "12345" }),
    // one after the other in one bed is right
    { ...twice, 房间: two, 入住日: "2026-09-01", 离开日: "2026-09-30" },
  ]);
  const { errors } = await found(id);
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [3, "证件号", "证件号重复，与第 2 行相同"],
    [5, "房间", "超过可住人数 2 人"],
    [6, "房间", "房间不在合同内"],
    [7, "入住日", `${two} 的租期为 2026-09-01 ~ 2027-08-31`],
    [8, "离开日", "离开日不能早于入住日"],
    [9, "离开日", `${two} 的租期到 2027-08-31 为止`],
    [9, "证件号", "身份证号格式不正确"],
    [10, "手机号", "手机格式不正确！"],
  ]);
  const commit = await house.ask(
    occupantImport.commit,
    { as, key: randomUUID() },
    { params: { id }, body: { version: 1 } },
  );
  expect([commit.status, commit.body.message]).toEqual([409, "文件有错误，不能导入"]);
  expect(await living()).toEqual({ [one]: [], [two]: [] });
  expect((await send([line("李四海", one)], stranger)).status).toBe(404);
  await db.updateTable("contract").set({ state: "terminated" }).where("id", "=", contract.id).execute();
  expect(await send([line("李四海", one)])).toMatchObject({
    status: 409,
    message: "合同不在租期内，不能导入入住人",
  });
});

test("who lives in the company's rooms already is told, and whoever moved since keeps the file from being taken back", async () => {
  const { companyId, names, grid, send, found } = await aDorm(2);
  const [one, two] = names as [string, string];
  const here = line("赵一航", one);
  const { id } = await send([here]);
  await house.did(occupantImport.commit, { as }, { params: { id }, body: { version: 1 } });
  const again = await send([{ ...here, 房间: two }]);
  expect((await found(again.id)).errors).toMatchObject([{ row: 2, msg: `证件号重复，已入住 ${one}` }]);
  const rooms = await grid();
  const [person] = rooms.flatMap((r) => r.people);
  const to = rooms.find((r) => r.roomName === two)!;
  await house.did(
    moveOccupants,
    { as },
    { body: { companyId, day: "2026-12-01", moves: [{ id: person!.id, roomId: to.roomId }] } },
  );
  const undo = await house.ask(
    occupantImport.undo,
    { as, key: randomUUID() },
    { params: { id }, body: { version: 2 } },
  );
  expect([undo.status, undo.body.message]).toEqual([409, "有 1 位入住人已换房或搬离，不能撤销"]);
  expect((await grid()).flatMap((r) => r.people)).toHaveLength(2);
});

test("a file brings nobody whom the black list forbids", async () => {
  const { names, send, found } = await aDorm(1);
  const line6 = line("赵六", names[0]!);
  await db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "赵六",
      phone: "",
      certNoHash: house.cipher.hash(line6.证件号),
      level: "forbid",
      reason: "恶意欠租",
      source: "法务",
    })
    .execute();
  const { id } = await send([line("钱二宝", names[0]!), line6]);
  const { errors } = await found(id);
  expect(errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [3, "姓名", "赵六在黑名单中，禁止入住：恶意欠租"],
  ]);
});
