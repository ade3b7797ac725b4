import { rowsOf } from "../../system/download/download.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { owingReport } from "../../report/owing/owing.contract.ts";
import { anonymiseRenter } from "./acts.contract.ts";
import {
  deleteRenter,
  editRenter,
  exportRenters,
  getRenter,
  listRenters,
  renterStrip,
  renterSummary,
} from "./renter.contract.ts";
import { aRenter, typedRenter, twoStores, someFlats } from "./renter.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk } = await twoStores(house));
});

let rooms: number[];
beforeAll(async () => {
  rooms = await someFlats(house, a, 4);
});

const find = async (as: Person, keyword: string) =>
  (await house.did(listRenters, { as }, { query: { keyword } })).list;

describe("money and stage", () => {
  let living: number, former: number;
  beforeAll(async () => {
    living = await aRenter(house, a, { name: "冯诗涵" });
    former = await aRenter(house, a, { name: "曹宇航", source: "web" });
    const now = await aLease(house, { villageId: a, roomId: rooms[0]!, partyId: living });
    const then = await aLease(house, {
      villageId: a,
      roomId: rooms[1]!,
      partyId: former,
      start: "2025-01-01",
      leaveDate: "2025-12-31",
      state: "ended",
    });
    await db
      .updateTable("contract")
      .set({ roomNames: "滨江店·3栋·1单元·1201" })
      .where("id", "=", now.id)
      .execute();
    const bill = (partyId: number, contractId: number, dueDate: string, amount: number, settled = 0) => ({
      billNo: `ZD${contractId}-${dueDate}`,
      villageId: a,
      contractId,
      partyId,
      title: "租金",
      dueDate,
      issueDate: dueDate,
      issuedAt: "2026-11-01T00:00:00Z",
      source: "schedule",
      amount,
      settled,
    });
    await db
      .insertInto("bill")
      .values([
        bill(living, now.id, "2026-11-01", 300_000, 100_000),
        bill(living, now.id, "2026-11-20", 300_000), // due today: not late yet
        bill(former, then.id, "2025-12-01", 50_000),
        { ...bill(former, then.id, "2025-11-01", 70_000), voidedAt: "2025-11-02T00:00:00Z" },
      ])
      .execute();
    await db.insertInto("partyBalance").values({ villageId: a, partyId: living, balance: 12_345 }).execute();
    await db
      .insertInto("depositBalance")
      .values({ contractId: now.id, villageId: a, held: 300_000 })
      .execute();
  });

  test("the list's sums are the sums of its rows and of the late bills", async () => {
    const { list, sums, total } = await house.did(listRenters, { as: clerk }, { query: { pageSize: 200 } });
    expect(total).toBe(list.length);
    const owing = await db
      .selectFrom("bill")
      .select((e) => e.fn.sum<string>("outstanding").as("fen"))
      .where("villageId", "=", a)
      .where("dueDate", "<", "2026-11-20")
      .executeTakeFirstOrThrow();
    expect(sums).toEqual({ arrears: Number(owing.fen), prepaid: 12_345, deposit: 300_000 });
    expect(list.reduce((n, r) => n + r.arrears, 0)).toBe(250_000);
    // the report of arrears says the same for the same filter
    const reporter = await house.person({ permits: ["114.query"], villages: [a] });
    const report = (query: object) => house.did(owingReport, { as: reporter }, { query });
    expect((await report({ villageIds: String(a) })).sums?.owed).toBe(sums!.arrears);
    expect((await report({ partyId: living })).sums?.owed).toBe(200_000);
    const late = await house.did(listRenters, { as: clerk }, { query: { arrears: "yes", sort: "arrears" } });
    expect(late.list.map((r) => [r.name, r.arrears])).toEqual([
      ["冯诗涵", 200_000],
      ["曹宇航", 50_000],
    ]);
    expect(late.sums?.arrears).toBe(250_000);
  });

  test("stage, room and end of lease are derived", async () => {
    const living = await house.did(listRenters, { as: clerk }, { query: { stage: "living" } });
    expect(living.list).toMatchObject([
      {
        name: "冯诗涵",
        stage: "living",
        roomId: rooms[0],
        roomName: "滨江店·3栋·1单元·1201",
        endDate: "2027-02-28",
      },
    ]);
    expect((await house.did(listRenters, { as: clerk }, { query: { stage: "former" } })).list).toMatchObject([
      { name: "曹宇航", roomName: null },
    ]);
    expect((await find(clerk, "1201")).map((r) => r.name)).toEqual(["冯诗涵"]);
    expect((await find(clerk, "fsh")).map((r) => r.name)).toEqual(["冯诗涵"]);
    const strip = await house.did(renterStrip, { as: clerk }, { query: {} });
    expect(strip.stages).toMatchObject([
      { stage: "living", count: 1 },
      { stage: "prospect" },
      { stage: "former", count: 1 },
    ]);
    expect(strip.months).toHaveLength(12);
    const summary = await house.did(renterSummary, { as: clerk }, { params: { id: former } });
    expect(summary).toMatchObject({ arrears: 50_000, overdueBills: 1, contracts: 1, livedDays: 365 });
  });

  test("name and certificate of whoever signed change by correction only", async () => {
    const { version } = await house.did(getRenter, { as: clerk }, { params: { id: living } });
    const body = { ...typedRenter(a), certNo: undefined, name: "冯诗函", version };
    const send = (more: object) =>
      house.ask(editRenter, { as: clerk }, { params: { id: living }, body: { ...body, ...more } });
    expect((await send({})).body.fields).toEqual([
      { field: "correctionReason", msg: "已签合同，姓名和证件须填写更正原因" },
    ]);
    const correctionReason = "登记时写错";
    expect((await send({ correctionReason })).body.fields?.[0]?.field).toBe("correctionFileId");
    const proof = await sendFile(house, clerk, { name: "身份证.png", bytes: aPng() });
    expect((await send({ correctionReason, correctionFileId: proof.body.data.id })).status).toBe(200);
    const log = await house.did(
      recordHistory,
      { as: clerk },
      { params: { kind: "renter", recordId: living }, query: {} },
    );
    expect(log.list[0]).toMatchObject({
      action: "更正",
      before: { 姓名: "冯诗涵" },
      after: { 姓名: "冯诗函" },
    });
    expect(log.list[0]!.summary).toContain(correctionReason);
  });

  test("the list leaves the house as a workbook, masked, with a purpose", async () => {
    const query = { columns: "name,phone,arrears", usage: "核对欠费", arrears: "yes", sort: "arrears" };
    const answer = await house.ask(exportRenters, { as: clerk }, { query } as never);
    const rows = await rowsOf(answer.raw);
    expect(rows.filter((r) => String(r[1]).includes("****")).map((r) => [r[1], r[2]])).toEqual([
      ["138****5678", 2000],
      ["138****5678", 500],
    ]);
    expect(
      (await house.ask(exportRenters, { as: clerk }, { query: { ...query, usage: "" } } as never)).status,
    ).toBe(400);
  });

  test("a renter with records stays; a prospect without any goes", async () => {
    const { version } = await house.did(getRenter, { as: clerk }, { params: { id: living } });
    const kept = await house.ask(deleteRenter, { as: clerk }, { params: { id: living }, query: { version } });
    expect(kept).toMatchObject({ status: 409, body: { message: "该租客有 1 份合同、2 笔账单，不能删除" } });
    const id = await aRenter(house, a, { name: "郑浩然" });
    await house.did(deleteRenter, { as: clerk }, { params: { id }, query: { version: 1 } });
    expect(await find(clerk, "郑浩然")).toEqual([]);
  });

  test("only who left five years ago and owes nothing can be made anonymous", async () => {
    const body = { version: 1, reason: "到期清理" };
    const refuse = async (id: number) =>
      (await house.ask(anonymiseRenter, { as: clerk }, { params: { id }, body })).body.message;
    expect(await refuse(living)).toBe("该租客仍有未结束的合同，不能匿名化");
    expect(await refuse(former)).toBe("该租客尚有未收款项 500.00 元，不能匿名化");
    const old = await aRenter(house, a, { name: "宋雨桐", phone: "13655556666" });
    const lease = await aLease(house, {
      villageId: a,
      roomId: rooms[2]!,
      partyId: old,
      start: "2020-01-01",
      leaveDate: "2020-12-31",
      state: "ended",
    });
    // nor who still has money here, or left not quite so long ago
    await db.insertInto("partyBalance").values({ villageId: a, partyId: old, balance: 1 }).execute();
    expect(await refuse(old)).toBe("该租客尚有预存款 0.01 元，不能匿名化");
    await db.updateTable("partyBalance").set({ balance: 0 }).where("partyId", "=", old).execute();
    await db.insertInto("depositBalance").values({ contractId: lease.id, villageId: a, held: 1 }).execute();
    expect(await refuse(old)).toBe("该租客尚有押金 0.01 元，不能匿名化");
    await db.updateTable("depositBalance").set({ held: 0 }).where("contractId", "=", lease.id).execute();
    const leaves = (leaveDate: string) =>
      db.updateTable("contract").set({ leaveDate }).where("id", "=", lease.id).execute();
    await leaves("2021-11-21");
    expect(await refuse(old)).toBe("最后一份合同于 2021-11-21 结束，满5年后方可匿名化");
    await leaves("2021-11-20");
    // the pictures of the certificate are gone with the number
    const card = (await sendFile(house, clerk, { name: "身份证.png", bytes: aPng() })).body.data.id;
    await db
      .updateTable("storedFile")
      .set({ targetKind: "renter", targetId: old, villageId: a, needs: "16.get" })
      .where("id", "=", card)
      .execute();
    const fetched = async () => (await house.ask(getFile, { as: clerk }, { params: { id: card } })).status;
    expect(await fetched()).toBe(200);
    await house.did(anonymiseRenter, { as: clerk }, { params: { id: old }, body });
    const seen = await house.did(getRenter, { as: clerk }, { params: { id: old } });
    expect(await fetched()).toBe(404);
    expect(seen).toMatchObject({ name: "已匿名", phone: "", certNo: null, stage: "former" });
    expect(await find(clerk, "13655556666")).toEqual([]);
    expect(
      (await db.selectFrom("contract").select("partyId").where("id", "=", lease.id).executeTakeFirstOrThrow())
        .partyId,
    ).toBe(old);
  });
});
