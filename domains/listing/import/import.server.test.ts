import { randomUUID } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { filledIn, openBook } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { readWorkbook } from "../../../platform/server/sheets/workbook-reader.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { apartments } from "../apartment/apartment.contract.ts";
import { release, take } from "../occupancy/occupancy.service.ts";
import { cancelChange } from "../price-change/change.contract.ts";
import { aPlan, drafted } from "../price-change/price-change.sample.ts";
import { addArea, deleteArea } from "../public-area/area.contract.ts";
import { rooms } from "../room-acts/room.contract.ts";
import { acting, aVillage } from "../village/village.sample.ts";
import {
  commitRoomImport,
  roomImport,
  roomImportErrorFile,
  roomImportErrors,
  roomImports,
  roomImportTemplate,
  undoRoomImport,
} from "./import.contract.ts";
import { aRow, aSheet, sendSheet } from "./import.sample.ts";

const house = await testHouse({ work: true });
const { pool } = house.database;
const villageId = await aVillage(house);
const far = await aVillage(house);
const as = await house.person({
  permits: ["6.import", "6.query", "6.get", "#603", "#601"],
  villages: [villageId],
});
const stranger = await house.person({ permits: ["6.import", "#603"], villages: [far] });
const count = async (table: string) =>
  (await pool.query(`select count(*)::int n from ${table}`)).rows[0].n as number;
const errorsOf = async (id: number) =>
  (await house.did(roomImportErrors, { as }, { params: { id } })).list.map((e) => [e.row, e.column, e.msg]);
const rowsOf = (n: number) => Array.from({ length: n }, (_, i) => aRow(i));
const commit = (id: number, key?: string) =>
  house.ask(commitRoomImport, { as, ...(key && { key }) }, { params: { id }, body: {} });
const ended = (id: number) =>
  vi.waitFor(
    async () => {
      const row = await house.did(roomImport, { as }, { params: { id } });
      expect(row.state).not.toBe("importing");
      return row;
    },
    { timeout: 12_000, interval: 100 },
  );

describe("1,200 rows, three of them wrong", () => {
  const rows = rowsOf(1200);
  // line 1 is the head: the first flat stands on line 2
  const broken = rows.map((row, i) => {
    if (i + 2 === 17) return { ...row, innerArea: "三千" };
    if (i + 2 === 305) return rows[88 - 2]!;
    return i + 2 === 900 ? { ...row, orientation: "朝南南" } : row;
  });

  test("are told by row and column, and nothing is made", async () => {
    const sent = await sendSheet(house, as, await aSheet(broken));
    expect(sent).toMatchObject({ status: 200, state: "failed", errorCount: 3 });
    expect(await errorsOf(sent.id)).toEqual([
      [17, "O", "面积格式不正确"],
      [305, "F", "第 305 行与第 88 行重复：1栋·1单元·1107"],
      [900, "Q", "朝向中没有“朝南南”，相近的有：南、东南、西南"],
    ]);
    expect((await commit(sent.id, "press-broken")).body.message).toBe("文件有错误，请改正后重新上传");
    expect([await count("apartment"), await count("building")]).toEqual([0, 0]);

    const marked = await house.ask(roomImportErrorFile, { as }, { params: { id: sent.id } });
    const [sheet] = (await readWorkbook(marked.raw))!;
    const lines = await Array.fromAsync(sheet!.rows());
    const last = Math.max(...lines[0]!.cells.keys());
    expect(lines).toHaveLength(1201);
    expect(
      lines.filter((l) => l.number > 1 && l.cells.has(last)).map((l) => [l.number, l.cells.get(last)!.text]),
    ).toEqual([
      [17, "O 列 套内面积：面积格式不正确"],
      [305, "F 列 门牌：第 305 行与第 88 行重复：1栋·1单元·1107"],
      [900, "Q 列 朝向：朝向中没有“朝南南”，相近的有：南、东南、西南"],
    ]);
  });

  test("corrected become 1,200 flats by a job; pressed twice it is one batch; the file is not taken again", async () => {
    const bytes = await aSheet(rows);
    const { id, state } = await sendSheet(house, as, bytes, villageId);
    expect(state).toBe("ready");
    const before = await house.did(roomImport, { as }, { params: { id } });
    expect(before.preview).toMatchObject({
      made: { buildings: 5, units: 9, floors: 150, apartments: 1200, rooms: 1200, prices: 1200 },
      villages: [{ name: "滨江店", apartments: 1200, rooms: 1200, listPrice: 360_000_000 }],
    });
    expect(before.preview!.rows).toHaveLength(50);

    const answers = await Promise.all([commit(id, "press-one"), commit(id, "press-two")]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect((await commit(id, answers[0].status === 200 ? "press-one" : "press-two")).body).toMatchObject({
      code: 200,
      replayed: true,
    });
    const after = await ended(id);
    expect(after).toMatchObject({ state: "done", progress: 100, made: "5 / 9 / 150 / 1200 / 1200" });
    const told = await house.did(
      recordHistory,
      { as },
      { params: { kind: "roomImport", recordId: id }, query: {} },
    );
    expect(told.list.map((line) => line.summary)).toEqual([
      expect.stringMatching(/^导入 1200 套房源、1200 个房间（DR\d{8}-\d{6}）$/),
    ]);
    const list = await house.did(apartments, { as }, { query: { villageIds: String(villageId) } });
    expect([list.total, list.sums!.listPrice]).toEqual([1200, 360_000_000]);
    expect(list.list[0]).toMatchObject({
      fullName: "滨江店·1栋·1单元·101",
      layout: "2室1厅1卫",
      grossArea: 89.5,
    });

    const again = await sendSheet(house, as, bytes);
    expect([again.status, again.message]).toEqual([
      409,
      expect.stringMatching(/^该文件已于 .{16} 导入（DR\d{8}-\d{6}）$/),
    ]);
    expect((await house.did(roomImports, { as }, { query: { state: "done" } })).total).toBe(1);
    expect((await house.did(roomImports, { as: stranger }, { query: {} })).total).toBe(0);
    expect((await house.ask(roomImport, { as: stranger }, { params: { id } })).status).toBe(404);
  });

  test("are taken back to nothing, but not while one of the rooms is held", async () => {
    const { id } = (await house.did(roomImports, { as }, { query: { state: "done" } })).list[0]!;
    const room = (await house.did(rooms, { as }, { query: { keyword: "2栋 1单元 801" } })).list[0]!;
    const contractId = await acting(house, async (act) => {
      const { id: made } = await act.tx
        .insertInto("contract")
        .values({ contractNo: "HT1", kind: "renter", enterpriseId: house.enterpriseId, villageId })
        .returning("id")
        .executeTakeFirstOrThrow();
      await take(act, [
        { kind: "reservation", roomId: room.id, from: "2030-01-01", to: null, contractId: made },
      ]);
      return made;
    });
    const undo = () => house.ask(undoRoomImport, { as, key: randomUUID() }, { params: { id }, body: {} });
    expect(
      (await house.ask(undoRoomImport, { as: stranger, key: randomUUID() }, { params: { id }, body: {} }))
        .status,
    ).toBe(404);
    expect((await undo()).body).toMatchObject({
      code: 409,
      message: "已有关联记录，不能撤销：滨江店·2栋·1单元·801（占用记录）",
    });
    await acting(house, (act) => release(act, { contractId }));
    expect((await undo()).status).toBe(200);
    for (const table of ["room", "apartment", "floor", "unit", "building", "room_price"])
      expect(await count(table), table).toBe(0);
    expect((await undo()).body.message).toBe("只有已导入的批次可以撤销");
    expect(await sendSheet(house, as, await aSheet(rows))).toMatchObject({ status: 200, state: "ready" });
  });
});

test("the template can be filled in and sent back; divided flats have a price for each room", async () => {
  const { raw } = await house.ask(roomImportTemplate, { as }, { query: { villageId } });
  const book = await openBook(raw);
  expect(book.map((s) => s.name)).toEqual(["房源", "字典", "说明"]);
  const [sheet] = book;
  expect([sheet!.value("A1"), sheet!.value("A2")]).toEqual(["门店*", "滨江店"]);
  expect(sheet!.note("A1")).toMatch(/^必填。/);
  expect(sheet!.xml).toMatch(
    /sqref="G2:G10001"><formula1>&quot;整租,合租,床位,商铺,车位,仓储&quot;<\/formula1>/,
  );
  const row = [
    "滨江店",
    "",
    "8栋",
    "",
    "B1",
    "001",
    "合租",
    "是",
    "A，B",
    3,
    1,
    1,
    "",
    90,
    "",
    "15/12.5",
    "南北",
    "",
    "",
    "",
    "2,000/1800",
    "1900/1700",
    "2/1",
  ];
  const { id, state } = await sendSheet(house, as, await filledIn(raw, "房源", [row]), villageId);
  expect([state, await errorsOf(id)]).toEqual(["ready", []]);
  expect((await commit(id, "press-small")).body.data).toMatchObject({ state: "done" });
  const { list } = await house.did(rooms, { as }, { query: { keyword: "8栋" } });
  expect(list.map((r) => [r.fullName, r.kind, r.isLeaf, r.area, r.listPrice, r.lowestPrice])).toEqual([
    ["滨江店·8栋·001", "whole", false, 90, 380_000, 360_000],
    ["滨江店·8栋·001-A", "room", true, 15, 200_000, 190_000],
    ["滨江店·8栋·001-B", "room", true, 12.5, 180_000, 170_000],
  ]);
});

test("a place taken between check and commit refuses the whole batch and names the row", async () => {
  const first = await sendSheet(house, as, await aSheet([aRow(600), aRow(601)]));
  const second = await sendSheet(house, as, await aSheet([aRow(602), aRow(600)]));
  expect([first.state, second.state]).toEqual(["ready", "ready"]);
  const [a, b] = await Promise.all([commit(first.id, "press-first"), commit(second.id, "press-second")]);
  expect([a.body.data.state, b.body.data.state].toSorted()).toEqual(["done", "failed"]);
  const loser = a.body.data.state === "failed" ? first : second;
  expect((await errorsOf(loser.id))[0]![2]).toMatch(/^系统中已有该房源：3栋·1单元·401$/);
  expect((await house.did(apartments, { as }, { query: { keyword: "3栋" } })).total).toBe(2);
});

test("a price change that was drafted for the rooms holds a batch until it is cancelled", async () => {
  const { id } = await sendSheet(house, as, await aSheet([aRow(1100)]));
  expect((await commit(id, "press-price")).body.data).toMatchObject({ state: "done" });
  const head = await house.person({
    permits: ["6.query", "6.get", "6.add", "6.edit"],
    villages: [villageId],
  });
  const { rows } = await pool.query<{ id: number }>(
    "select r.id::int id from room r join apartment a on a.id = r.apartment_id where a.import_id = $1",
    [id],
  );
  const plan = aPlan([villageId], { roomIds: rows.map((r) => r.id), effectiveDay: "2098-12-01" });
  const draft = await drafted(house, head, plan);
  const undo = () => house.ask(undoRoomImport, { as, key: randomUUID() }, { params: { id }, body: {} });
  expect((await undo()).body.message).toMatch(/^已有关联记录，不能撤销：.*（调价单）$/);
  const cancel = { params: { id: draft.id }, body: { version: draft.version } };
  await house.did(cancelChange, { as: head }, cancel);
  expect((await undo()).status).toBe(200);
});

test("a batch whose building has got a public area is not taken back before that is gone", async () => {
  const { id } = await sendSheet(house, as, await aSheet([aRow(1000)]));
  expect((await commit(id, "press-area")).body.data).toMatchObject({ state: "done" });
  const { rows } = await pool.query("select id from building where name = '4栋'");
  const keeper = await house.person({ permits: ["6.add", "6.delete"], villages: [villageId] });
  const lobby = { villageId, buildingId: rows[0].id as number, name: "大堂", kindDic: "corridor" };
  const area = await house.did(addArea, { as: keeper }, { body: lobby });
  const undo = () => house.ask(undoRoomImport, { as, key: randomUUID() }, { params: { id }, body: {} });
  expect((await undo()).body).toMatchObject({
    code: 409,
    message: "已有关联记录，不能撤销：4栋·大堂（公共区域）",
  });
  await house.did(deleteArea, { as: keeper }, { params: { id: area.id }, query: { version: 1 } });
  expect((await undo()).status).toBe(200);
});
