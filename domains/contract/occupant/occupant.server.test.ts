import { beforeAll, expect, test } from "vitest";
import { idCheckDigit } from "../../../platform/kernel/texts/certificate.ts";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { addCompany, listCompanies } from "../../customer/company/company.contract.ts";
import { aCompany, aFirmContract, twoFirmStores, typedCompany } from "../../customer/firm/firm.sample.ts";
import { LEASING } from "../contract/contract.sample.ts";
import { contractOccupants } from "../contract/detail.contract.ts";
import {
  addOccupants,
  applyOccupantList,
  checkOccupantList,
  companyRooms,
  leaveOccupants,
  moveOccupants,
} from "./occupant.contract.ts";
import { listOccupants } from "./roster.contract.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person, stranger: Person, keyAccounts: Person;
const DAY = "2026-11-20";

beforeAll(async () => {
  house.setClock(`${DAY}T09:15:00+08:00`);
  ({ a, clerk: keyAccounts, stranger } = await twoFirmStores(house));
  clerk = await house.person({
    permits: ["11.get", "11.edit", "11.import", "9.get"],
    villages: [a],
    name: "周敏",
  });
});

let count = 0;
const aCard = (male = true) => {
  const first17 = `33010619900307${String((count += 2) * 1 + (male ? 101 : 100)).padStart(3, "0")}`;
  return first17 + idCheckDigit(first17);
};
const person = (roomId: number, name: string, more: object = {}) => ({
  roomId,
  name,
  phone: "13800000001",
  certNo: aCard(),
  ...more,
});

async function aDorm(rooms: number, capacity = 1) {
  const companyId = await aCompany(house, keyAccounts, a, { name: "云栖软件有限公司" });
  const contract = await aFirmContract(house, {
    villageId: a,
    partyId: companyId,
    kind: "company",
    rooms,
    rent: 280_000,
  });
  await db.updateTable("room").set({ capacity }).where("id", "in", contract.roomIds).execute();
  const add = (people: ReturnType<typeof person>[], day = DAY) =>
    house.ask(addOccupants, { as: clerk }, { body: { companyId, day, people } });
  const grid = () => house.did(companyRooms, { as: clerk }, { query: { companyId } });
  const living = async () =>
    Object.fromEntries((await grid()).map((r) => [r.roomId, r.people.map((p) => p.name)]));
  return { companyId, contract, rooms: contract.roomIds, add, grid, living };
}

const notes = async (kind: string, recordId: number) =>
  (
    await db
      .selectFrom("businessLog")
      .select("summary")
      .where("kind", "=", kind)
      .where("recordId", "=", recordId)
      .orderBy("id")
      .execute()
  ).map((row) => row.summary);

test("two occupants swap: both are let into the other's room from that day, and the contract is what it was", async () => {
  const { companyId, contract, rooms, add, living } = await aDorm(2);
  const [one, two] = rooms as [number, number];
  expect((await add([person(one, "赵一"), person(two, "钱二")], "2026-09-01")).status).toBe(200);
  const before = await db.selectFrom("contract").selectAll().where("id", "=", contract.id).executeTakeFirst();
  const ids = (
    await db
      .selectFrom("contractOccupant")
      .selectAll()
      .where("contractId", "=", contract.id)
      .orderBy("id")
      .execute()
  ).map((o) => o.id);
  const moves = [
    { id: ids[0]!, roomId: two },
    { id: ids[1]!, roomId: one },
  ];
  const swap = { companyId, day: DAY, moves };
  expect(await house.did(moveOccupants, { as: clerk }, { body: swap })).toEqual({ moved: 2 });
  expect(await living()).toEqual({ [one]: ["钱二"], [two]: ["赵一"] });

  // who may open which door on which day follows from the stays
  const doors = await house.did(contractOccupants, { as: clerk }, { params: { id: contract.id } });
  const access = doors
    .filter((o) => o.lockAccess)
    .map((o) => [o.name, o.roomId, o.fromDate, o.toDate])
    .toSorted();
  expect(access).toEqual(
    [
      ["赵一", one, "2026-09-01", "2026-11-19"],
      ["赵一", two, DAY, "2027-08-31"],
      ["钱二", one, DAY, "2027-08-31"],
      ["钱二", two, "2026-09-01", "2026-11-19"],
    ].toSorted(),
  );
  expect(
    await db.selectFrom("contract").selectAll().where("id", "=", contract.id).executeTakeFirst(),
  ).toEqual(before);
  expect(await db.selectFrom("bill").select("id").where("contractId", "=", contract.id).execute()).toEqual(
    [],
  );
  expect((await notes("contract", contract.id)).filter((s) => s.startsWith(DAY))).toHaveLength(2);
  expect((await notes("room", one)).filter((s) => s.startsWith(DAY))).toHaveLength(2);
});

test("certificates lie sealed and are shown masked; the list counts people and beds", async () => {
  const { companyId, contract, rooms, add, grid } = await aDorm(2, 2);
  const certNo = aCard(false);
  await add([person(rooms[0]!, "孙三", { certNo })]);
  const [row] = await db
    .selectFrom("contractOccupant")
    .selectAll()
    .where("contractId", "=", contract.id)
    .execute();
  expect(house.cipher.open(row!.certNoCipher!)).toBe(certNo);
  expect(JSON.stringify(row)).not.toContain(certNo);
  const [shown] = (await grid()).flatMap((r) => r.people);
  expect(shown).toMatchObject({
    phone: "138****0001",
    gender: "female",
    certNo: `${certNo.slice(0, 4)}${"*".repeat(10)}${certNo.slice(-4)}`,
  });
  const { list } = await house.did(listCompanies, { as: keyAccounts }, { query: {} });
  expect(list.find((c) => c.id === companyId)).toMatchObject({ occupants: 1, capacity: 4, occupancy: 0.25 });
});

test("too many, the wrong gender, a number twice: each is told at its row and nobody comes", async () => {
  const { companyId, rooms, add, living } = await aDorm(2, 2);
  const [one, two] = rooms as [number, number];
  const flat = db.selectFrom("room").select("apartmentId").where("id", "=", two);
  await db.updateTable("apartment").set({ gender: "female" }).where("id", "=", flat).execute();
  const three = await add([person(one, "赵一"), person(one, "钱二"), person(one, "孙三")]);
  expect(three.body.data).toBeNull();
  expect(three.body.fields).toEqual([{ field: "people.2.roomId", msg: "超过可住人数 2 人" }]);
  expect((await add([person(two, "李四")])).body.message).toMatch(/仅限女性入住$/);
  const certNo = aCard();
  const twins = await add([person(one, "赵一", { certNo }), person(one, "赵二", { certNo })]);
  expect(twins.body.fields).toEqual([{ field: "people.1.certNo", msg: "证件号重复" }]);
  expect((await add([person(one, " 赵一")])).body.fields![0]!.field).toBe("people.0.name");
  expect((await add([person(one, "赵一", { certNo: "330106199003070001" })])).body.message).toBe(
    "身份证号格式不正确",
  );
  expect(await living()).toEqual({ [one]: [], [two]: [] });
  await add([person(one, "赵一", { certNo })]);
  expect((await add([person(two, "赵一", { certNo })])).body.message).toMatch(
    /^该证件号已入住 .+，请用换房$/,
  );
  const elsewhere = { companyId, day: DAY, people: [person(999_999, "周五")] };
  expect((await house.ask(addOccupants, { as: clerk }, { body: elsewhere })).body.message).toBe(
    "房间不在合同内",
  );
});

test("two clerks fill the last bed at once: one comes, the other is told that the room is full", async () => {
  const { rooms, add } = await aDorm(1);
  const answers = await Promise.all([add([person(rooms[0]!, "赵一")]), add([person(rooms[0]!, "钱二")])]);
  expect(answers.map((x) => x.status).toSorted()).toEqual([200, 400]);
  expect(answers.find((x) => x.status === 400)!.body.message).toBe("该房间已住满");
});

test("the roster finds occupants of all companies by state and phone, masked as the list that leaves the house", async () => {
  const { contract, rooms, add } = await aDorm(2, 2);
  const [one, two] = rooms as [number, number];
  await add([person(one, "吴七", { phone: "13800007777" })], "2026-10-01");
  await add([person(two, "郑八")], "2026-12-01");
  const reader = await house.person({ permits: ["11.query", "11.export"], villages: [a] });
  const found = async (query: object) =>
    (await house.did(listOccupants, { as: reader }, { query: query as never })).list.filter(
      (o) => o.contractId === contract.id,
    );
  expect((await found({})).map((o) => [o.name, o.state, o.roomName.length > 0])).toEqual([
    ["郑八", "coming", true],
    ["吴七", "living", true],
  ]);
  expect((await found({ state: "living" })).map((o) => o.name)).toEqual(["吴七"]);
  const [shown] = await found({ keyword: "7777" });
  expect([shown!.phone, shown!.certNo.includes("*")]).toEqual(["138****7777", true]);
  expect((await house.ask(listOccupants, { as: stranger }, { query: {} })).status).toBe(403);
  const elsewhere = await house.person({ permits: ["11.query"] });
  expect((await house.did(listOccupants, { as: elsewhere }, { query: {} })).list).toEqual([]);
});

test("a pasted list moves people in, over and out at once, or does nothing and names every wrong cell", async () => {
  const { companyId, rooms, add, grid, living } = await aDorm(3);
  const [one, two, three] = rooms as [number, number, number];
  const [zhao, qian] = [aCard(), aCard()];
  await add([person(one, "赵一", { certNo: zhao }), person(two, "钱二", { certNo: qian })], "2026-09-01");
  const names = new Map((await grid()).map((r) => [r.roomId, r.roomName]));
  const row = (name: string, certNo: string, room: string, phone = "13800000009") => ({
    name,
    phone,
    certNo,
    room,
  });
  const check = (list: ReturnType<typeof row>[]) =>
    house.did(checkOccupantList, { as: clerk }, { body: { companyId, day: DAY, rows: list } });

  const wrong = [
    row(" 孙三", aCard(), names.get(three)!),
    row("李四", "12345", names.get(three)!),
    row("周五", aCard(), "没有这间"),
    row("吴六", aCard(), names.get(two)!, "123"),
  ];
  const { errors } = await check(wrong);
  expect(errors.map((e) => [e.row, e.column, e.msg])).toEqual([
    [1, "A", "姓名不能以空格开头或结尾"],
    [2, "C", "证件号格式不正确"],
    [3, "D", "房间不在合同内"],
    [4, "B", "手机格式不正确！"],
  ]);
  const refused = await house.ask(
    applyOccupantList,
    { as: clerk },
    { body: { companyId, day: DAY, rows: wrong } },
  );
  expect([refused.status, refused.body.message]).toEqual([400, "第 1 行 姓名：姓名不能以空格开头或结尾"]);

  const list = [
    row("赵一", zhao, names.get(three)!),
    row("钱二", qian, "搬离"),
    row("孙三", aCard(), names.get(one)!),
  ];
  const { rows: found, errors: none } = await check(list);
  expect(none).toEqual([]);
  expect(found.map((r) => [r.name, r.becomes])).toEqual([
    ["赵一", "move"],
    ["钱二", "leave"],
    ["孙三", "come"],
  ]);
  expect(
    await house.did(applyOccupantList, { as: clerk }, { body: { companyId, day: DAY, rows: list } }),
  ).toEqual({ changed: 3 });
  expect(await living()).toEqual({ [one]: ["孙三"], [two]: [], [three]: ["赵一"] });
  // the same list again: whoever is in place stays, whoever is gone is not found
  expect((await check(list)).errors.map((e) => e.msg)).toEqual(["没有找到该入住人"]);
});

test("who moves out lives there to the last day and is gone on the next", async () => {
  const { companyId, rooms, add, grid } = await aDorm(1);
  await add([person(rooms[0]!, "赵一")], "2026-09-01");
  const id = (await grid())[0]!.people[0]!.id;
  const leave = (lastDay: string) =>
    house.ask(leaveOccupants, { as: clerk }, { body: { companyId, ids: [id], lastDay, reason: "离职" } });
  expect((await leave("2027-09-30")).body.message).toBe("赵一 的入住到 2027-08-31 为止");
  expect((await leave(DAY)).status).toBe(200);
  expect((await grid())[0]).toMatchObject({ living: 1, people: [{ toDate: DAY }] });
  expect((await add([person(rooms[0]!, "钱二")])).body.message).toBe("该房间已住满");
  expect((await add([person(rooms[0]!, "钱二")], "2026-11-21")).status).toBe(200);
});

test("who is to leave is neither moved nor let leave later than that, and leaves from another room on the same day", async () => {
  const { companyId, contract, rooms, add, grid } = await aDorm(2);
  const [one, two] = rooms as [number, number];
  await add([person(one, "赵一")]);
  const { id } = (await grid())[0]!.people[0]!;
  const leave = { companyId, ids: [id], lastDay: "2026-12-30", reason: "离职" };
  await house.did(leaveOccupants, { as: clerk }, { body: leave });
  expect((await add([person(one, "钱二")], "2026-12-31")).status).toBe(200);
  const move = (day: string) =>
    house.ask(moveOccupants, { as: clerk }, { body: { companyId, day, moves: [{ id, roomId: two }] } });
  expect((await move("2027-01-15")).body.fields).toEqual([
    { field: "moves.0.roomId", msg: "入住到 2026-12-30 为止" },
  ]);
  const rows = [{ name: "赵一", phone: "13800000001", certNo: "", room: "搬离" }];
  const list = { companyId, day: "2027-01-15", rows };
  const judged = await house.did(checkOccupantList, { as: clerk }, { body: list });
  expect(judged.errors.map((e) => e.msg)).toEqual(["入住到 2026-12-30 为止"]);
  expect((await move("2026-12-10")).status).toBe(200);
  const stays = await house.did(contractOccupants, { as: clerk }, { params: { id: contract.id } });
  expect(stays.map((o) => [o.name, o.roomId, o.fromDate, o.toDate]).toSorted()).toEqual(
    [
      ["赵一", one, DAY, "2026-12-09"],
      ["赵一", two, "2026-12-10", "2026-12-30"],
      ["钱二", one, "2026-12-31", "2027-08-31"],
    ].toSorted(),
  );
});

test("nobody reaches into another store's company, and a company's name has no blank at its ends", async () => {
  const { companyId, rooms } = await aDorm(1);
  const outside = await house.person({ permits: ["11.get", "11.edit", "11.import"], villages: [] });
  const body = { companyId, day: DAY, people: [person(rooms[0]!, "赵一")] };
  expect((await house.ask(addOccupants, { as: outside }, { body })).status).toBe(404);
  expect((await house.ask(companyRooms, { as: stranger }, { query: { companyId } })).status).toBe(404);
  expect((await house.ask(addOccupants, { as: keyAccounts }, { body })).status).toBe(403);
  const named = await house.ask(
    addCompany,
    { as: keyAccounts },
    { body: typedCompany(a, keyAccounts.operatorId, { name: " 云栖软件" }) },
  );
  expect(named.body.message).toBe("企业名称不能以空格开头或结尾");
});

test("a list is brought in by whoever may import; whoever only edits moves people one by one", async () => {
  const { companyId, rooms } = await aDorm(1);
  const villages = [a];
  const [editor, importer] = [
    await house.person({ permits: ["11.get", "11.edit"], villages }),
    await house.person({ permits: ["11.get", "11.import"], villages }),
  ];
  const { fullName } = await db
    .selectFrom("room")
    .select("fullName")
    .where("id", "=", rooms[0]!)
    .executeTakeFirstOrThrow();
  const row = { name: "林晓", phone: "13800000001", certNo: aCard(), room: fullName };
  const body = { companyId, day: DAY, rows: [row] };
  for (const call of [checkOccupantList, applyOccupantList])
    expect((await house.ask(call, { as: editor }, { body })).status).toBe(403);
  expect(await house.did(checkOccupantList, { as: importer }, { body })).toMatchObject({ errors: [] });
  expect(await house.did(applyOccupantList, { as: importer }, { body })).toEqual({ changed: 1 });
});

test("an occupant who is on the black list is refused at his row, alone and in a list, but to who may let it be", async () => {
  const { companyId, contract, rooms, add } = await aDorm(2);
  const [one, two] = rooms as [number, number];
  const forbidden = person(two, "赵六", { phone: "13800009999" });
  await db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "赵六",
      phone: forbidden.phone,
      level: "forbid",
      reason: "恶意欠租",
      source: "法务",
    })
    .execute();
  const people = [person(one, "钱二"), forbidden];
  const refused = await add(people);
  expect(refused).toMatchObject({
    status: 409,
    body: { reason: "blackListed", message: "赵六在黑名单中，禁止入住：恶意欠租" },
  });
  const boss = await house.person({ permits: [...LEASING, "11.edit", "11.import", "#1106"], villages: [a] });
  const body = { companyId, day: DAY, people };
  const silent = await house.ask(addOccupants, { as: boss }, { body });
  expect(silent.body.fields).toEqual([
    { field: "blackListReason", msg: "赵六在黑名单中，请填写登记原因（2-200字）" },
  ]);
  const { fullName } = await db
    .selectFrom("room")
    .select("fullName")
    .where("id", "=", two)
    .executeTakeFirstOrThrow();
  const row = { name: "赵六", phone: forbidden.phone, certNo: forbidden.certNo, room: fullName };
  const checked = await house.did(
    checkOccupantList,
    { as: boss },
    { body: { companyId, day: DAY, rows: [row] } },
  );
  expect(checked.errors.map((e) => [e.row, e.header, e.msg])).toEqual([
    [1, "姓名", "赵六在黑名单中，禁止入住：恶意欠租"],
  ]);
  await house.did(addOccupants, { as: boss }, { body: { ...body, blackListReason: "公司担保" } });
  expect(await notes("contract", contract.id)).toEqual([
    expect.stringMatching(/^2026-11-20 起 钱二 [^；]*$/),
    expect.stringMatching(/^2026-11-20 起 赵六 .*；黑名单客户入住：公司担保$/),
  ]);
  // who lives there is moved and listed as before
  expect(
    await house.did(checkOccupantList, { as: boss }, { body: { companyId, day: DAY, rows: [row] } }),
  ).toMatchObject({ errors: [] });
});
