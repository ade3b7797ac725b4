import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aRoom, aScan, signed } from "../contract/contract.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { changes } from "../successor/successor.contract.ts";
import { listArchives } from "../archive/archive.contract.ts";
import { contractDocuments } from "../contract/detail.contract.ts";
import { settlementActs } from "../settlement/settlement.contract.ts";
import { amendActs, contractActs, getChange, supplementFile } from "./amendment.contract.ts";
import { anAmender } from "./amendment.sample.ts";

const house = await testHouse();
const at = await anAmender(house);
const { shop, as, pool } = at;
let rooms = 0;

/** E3 of the trade: 押一付三 at 3,500.00 for a year from 15 March 2026, with so many of its bills paid. */
async function lease(more: Partial<ContractForm> = {}, paid = 3) {
  at.on("2026-03-12");
  const roomId = await aRoom(house, shop.building, `A${++rooms}`);
  const partyId = await aRenter(house, shop.villageId);
  const form = aForm({ ...shop, roomId, partyId }, more);
  const { id } = await signed(house, as, form, "2026-03-12");
  const bills = await at.bills(id);
  if (paid)
    await at.pay(
      partyId,
      bills.slice(0, paid).map((b) => b.id),
    );
  return { id, partyId, roomId };
}
const cheaper = {
  effectiveOn: "2026-08-01",
  reason: "协商降租",
  rises: [{ fromDate: "2026-08-01", rent: 330_000 }],
};

test.each([
  ["actual", 541_935 + 479_033, 29_032],
  ["30", 548_333 + 473_000, 28_667],
  ["365", 545_616 + 475_562, 28_822],
] as const)(
  "E15 on the basis %s: the paid quarter gives the difference back, it pays the next bill",
  async (basis, quarter, credit) => {
    const { id } = await lease({ basis });
    at.on("2026-07-20");
    const shown = (await at.trial(amendActs, id, cheaper)) as {
      credit: number;
      net: number;
      bills: object[];
    };
    expect([shown.credit, shown.net]).toEqual([credit, credit]);
    expect(1_050_000 - credit).toBe(quarter);
    const actId = await at.done(amendActs, id, cheaper);
    const after = await at.bills(id);
    expect(after.map((b) => [b.due, b.net, b.settled])).toEqual([
      ["2026-03-12", 350_000, 350_000],
      ["2026-03-12", 1_050_000, 1_050_000],
      ["2026-06-08", quarter, quarter],
      ["2026-09-08", 990_000, credit],
      ["2026-12-08", 990_000, 0],
    ]);
    expect(await at.sound()).toEqual([]);
    expect(await at.contract(id)).toMatchObject({
      currentRent: 350_000,
      monthlyRent: 330_000,
      termsVersion: 2,
    });
    const acts = await house.did(contractActs, { as }, { params: { id } });
    expect(acts.map((a) => [a.kind, a.state, a.net])).toEqual([["amend", "done", credit]]);
    expect((await at.undone(amendActs, actId)).status).toBe(200);
    expect((await at.bills(id)).map((b) => [b.due, b.net, b.settled])).toEqual([
      ["2026-03-12", 350_000, 350_000],
      ["2026-03-12", 1_050_000, 1_050_000],
      ["2026-06-08", 1_050_000, 1_050_000],
      ["2026-09-08", 1_050_000, 0],
      ["2026-12-08", 1_050_000, 0],
    ]);
    expect(await at.sound()).toEqual([]);
    expect(await at.contract(id)).toMatchObject({ monthlyRent: 350_000, termsVersion: 1 });
    const { rows } = await pool.query("select version from contract_terms where contract_id = $1", [id]);
    expect(rows).toEqual([]);
  },
);

test("what a paid quarter costs more stands on the next open bill", async () => {
  const { id, partyId } = await lease();
  at.on("2026-07-20");
  await at.done(amendActs, id, { ...cheaper, rises: [{ fromDate: "2026-08-01", rent: 380_000 }] });
  const [, , paid, next] = await at.bills(id);
  expect([paid!.net, next!.net]).toEqual([1_050_000, 1_140_000 + 43_548]);
  const { rows: lines } = await pool.query(
    `select l.amount::int, l.period_start::text "from", l.period_end::text "to", l.reason from bill_line l where bill_id = $1 order by id`,
    [next!.id],
  );
  expect(lines).toEqual([
    { amount: 1_140_000, from: "2026-09-15", to: "2026-12-14", reason: "" },
    { amount: 43_548, from: "2026-08-01", to: "2026-09-14", reason: "变更补收" },
  ]);
  await at.pay(partyId, [next!.id]);
  expect(await at.sound()).toEqual([]);
  // the bill that the amendment made was paid: it is not taken back any more
  const { rows } = await pool.query("select id from contract_act where contract_id = $1", [id]);
  const refused = await at.undone(amendActs, Number(rows[0].id));
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("已收款，不能撤销")]);
});

test("a rent that is agreed as a figure is billed as it is agreed, whatever the contract rounds", async () => {
  const { id } = await lease({ rentRounding: "yuan" });
  at.on("2026-07-20");
  const from = "2026-09-15";
  const agreed = { ...cheaper, effectiveOn: from, rises: [{ fromDate: from, rent: 330_050 }] };
  const actId = await at.done(amendActs, id, agreed);
  const { clauses } = await house.did(getChange, { as }, { params: { id: actId } });
  expect(clauses).toEqual(["自 2026-09-15 起，月租金为 3,300.50 元"]);
  const [, , , next, last] = await at.bills(id);
  expect([next!.net, last!.net]).toEqual([990_150, 990_150]);
  expect(await at.contract(id)).toMatchObject({ monthlyRent: 330_050 });
});

test("is not taken back once a change of room that stands on it was signed", async () => {
  const { id } = await lease();
  at.on("2026-07-20");
  const actId = await at.done(amendActs, id, cheaper);
  const roomId = await aRoom(house, shop.building, `A${++rooms}`);
  const asked = await house.did(
    changes.ask,
    { as },
    {
      body: {
        contractId: id,
        kind: "room",
        effectiveOn: "2026-08-10",
        roomId,
        deposit: "carry",
        credit: "carry",
        reason: "换房",
      },
    },
  );
  const params = { id: asked.id };
  const seen = async () => ({
    previewHash: (await house.did(changes.preview, { as }, { params, body: {} })).previewHash,
    version: Number(
      (await pool.query("select version from contract_act where id = $1", [asked.id])).rows[0].version,
    ),
  });
  await house.did(changes.submit, { as }, { params, body: await seen() });
  const fileIds = [await aScan(house, as)];
  const paper = { ...(await seen()), fileIds, signedOn: "2026-07-20" };
  await house.did(changes.confirm, { as }, { params, body: paper });
  const before = await at.bills(id);
  const refused = await at.undone(amendActs, actId);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "该合同已有后续合同，请先作废后续合同，或在后续合同上办理",
  ]);
  expect(await at.bills(id)).toEqual(before);
  expect(await at.sound()).toEqual([]);
});

test("the end is put off within a year and pulled in, and the room's days follow", async () => {
  const { id, roomId } = await lease();
  await pool.query(
    `insert into contract_occupant (contract_id, room_id, name, from_date, to_date)
     values ($1, $2, '王五', '2026-03-15', '2027-03-14'), ($1, $2, '李四', '2026-03-15', '2026-05-31')`,
    [id, roomId],
  );
  const people = async () =>
    (
      await pool.query(
        "select to_date::text until from contract_occupant where contract_id = $1 order by id",
        [id],
      )
    ).rows.map((r) => r.until);
  at.on("2026-07-20");
  const longer = { effectiveOn: "2026-08-01", reason: "延长租期", end: "2027-06-14" };
  const far = await house.ask(
    amendActs.trial,
    { as },
    { body: { contractId: id, ...longer, end: "2028-03-15" } as never },
  );
  expect(far.body.fields).toEqual([{ field: "end", msg: "延长超过12个月请办理续租" }]);
  const actId = await at.done(amendActs, id, longer);
  expect((await at.bills(id)).map((b) => b.net)).toEqual([
    350_000, 1_050_000, 1_050_000, 1_050_000, 1_050_000, 1_050_000,
  ]);
  expect([await at.rooms(id), (await at.contract(id)).end]).toEqual([["2027-06-15"], "2027-06-14"]);
  // who was to stay to the end stays on; who had left has left
  expect(await people()).toEqual(["2027-06-14", "2026-05-31"]);
  await at.undone(amendActs, actId);
  expect(await at.rooms(id)).toEqual(["2027-03-15"]);
  expect(await people()).toEqual(["2027-03-14", "2026-05-31"]);
  const { rows: acts } = await pool.query("select id, version from contract_act where id = $1", [actId]);
  await house.did(
    amendActs.cancel,
    { as },
    { params: { id: actId }, body: { version: Number(acts[0].version), reason: "不再变更" } },
  );

  // somebody else has the room afterwards: preview and confirmation say so alike
  const other = await aRenter(house, shop.villageId);
  await signed(house, as, aForm({ ...shop, roomId, partyId: other }, { start: "2027-04-01" }), "2026-07-20");
  const shown = (await at.trial(amendActs, id, longer)) as { obstacles: { code: string; msg: string }[] };
  expect(shown.obstacles).toEqual([{ code: "roomTaken", msg: expect.stringContaining("2027-04-01") }]);

  const shorter = { effectiveOn: "2026-08-01", reason: "缩短租期", end: "2026-10-14" };
  await at.done(amendActs, id, shorter);
  expect((await at.bills(id)).map((b) => b.net)).toEqual([350_000, 1_050_000, 1_050_000, 350_000]);
  expect(await at.rooms(id)).toEqual(["2026-10-15"]);
  expect(await people()).toEqual(["2026-10-14", "2026-05-31"]);
  expect(await at.sound()).toEqual([]);
});

test("free days, fees that begin and end, due days: open bills follow from the day on", async () => {
  const { rows } = await pool.query(
    "select id::int, code from fee_subject where code in ('property', 'cleaning')",
  );
  const fee = (code: string) => rows.find((r) => r.code === code).id as number;
  const fees = [
    { feeId: fee("property"), name: "物业费", kind: "recurring", amount: 10_000 },
  ] as ContractForm["fees"];
  const { id } = await lease({ fees }, 2);
  at.on("2026-05-10");
  await at.done(amendActs, id, {
    effectiveOn: "2026-06-15",
    reason: "补充约定",
    free: [{ fromDate: "2026-07-15", toDate: "2026-08-14" }],
    endFees: [fee("property")],
    fees: [{ feeId: fee("cleaning"), kind: "recurring", amount: 5_000 }],
    dueRule: "fixedDay",
    dueDay: 1,
    graceDays: 9,
  });
  expect((await at.bills(id)).map((b) => [b.due, b.net])).toEqual([
    ["2026-03-12", 350_000],
    ["2026-03-12", 1_080_000],
    ["2026-06-01", 700_000 + 15_000],
    ["2026-09-01", 1_050_000 + 15_000],
    ["2026-12-01", 1_050_000 + 15_000],
  ]);
  const { rows: grace } = await pool.query(
    "select distinct grace_days::int days from bill where contract_id = $1 and voided_at is null and due_date > '2026-05-10'",
    [id],
  );
  expect(grace).toEqual([{ days: 9 }]);
});

test("what cannot be agreed is said at its field", async () => {
  const { id } = await lease();
  at.on("2026-07-20");
  const refused = async (draft: object) => {
    const answer = await house.ask(
      amendActs.trial,
      { as },
      { body: { contractId: id, reason: "协商变更", ...draft } as never },
    );
    return answer.body.fields?.[0] ?? answer.body.message;
  };
  expect(await refused({ effectiveOn: "2026-03-15" })).toEqual({
    field: "effectiveOn",
    msg: "生效日须晚于起租日 2026-03-15",
  });
  expect(await refused({ effectiveOn: "2026-08-01" })).toEqual({
    field: "effectiveOn",
    msg: "请填写要变更的条款",
  });
  expect(await refused({ effectiveOn: "2026-08-01", rises: [{ fromDate: "2026-07-01", rent: 1 }] })).toEqual({
    field: "rises.0.fromDate",
    msg: "调价日期不能早于生效日",
  });
  expect(
    await refused({ effectiveOn: "2026-08-01", free: [{ fromDate: "2027-03-01", toDate: "2027-04-01" }] }),
  ).toEqual({
    field: "free.0.fromDate",
    msg: "免租期须在租期内",
  });
  const elsewhere = { roomId: 999_999, fromDate: "2026-08-01", rent: 300_000 };
  expect(await refused({ effectiveOn: "2026-08-01", rises: [elsewhere] })).toEqual({
    field: "rises.0.roomId",
    msg: "房间不在合同内",
  });
  expect(await refused({ effectiveOn: "2026-08-01", graceDays: 9, endFees: [999_999] })).toEqual({
    field: "endFees",
    msg: "请选择合同内正在收取的费用",
  });
  const stranger = await house.person({ permits: ["9.query", "9.get", "#1103"], villages: [shop.villageId] });
  const forbidden = await house.ask(
    amendActs.trial,
    { as: stranger },
    { body: { contractId: id, ...cheaper } as never },
  );
  expect(forbidden.status).toBe(403);
  const far = await house.person({ permits: ["9.query", "9.get", "#903"], villages: [] });
  expect(
    (await house.ask(amendActs.trial, { as: far }, { body: { contractId: id, ...cheaper } as never })).status,
  ).toBe(404);
});

test("the supplement is printed before it is signed, and money that came meanwhile asks for another look", async () => {
  const { id, partyId } = await lease({}, 2);
  at.on("2026-07-20");
  const act = await at.agreed(amendActs, id, cheaper);
  const shown = await house.did(getChange, { as }, { params: { id: act.id } });
  expect([shown.clauses, shown.preview!.after]).toEqual([
    ["自 2026-08-01 起，月租金为 3,300.00 元"],
    4_050_968,
  ]);
  const paper = await house.ask(supplementFile, { as }, { params: { id: act.id } });
  expect(paper.status).toBe(200);
  const [, , quarter] = await at.bills(id);
  await at.pay(partyId, [quarter!.id]);
  const refused = await at.confirm(amendActs, act);
  expect(refused).toMatchObject({
    status: 409,
    body: { reason: "previewChanged", data: { credit: 29_032 } },
  });
});

test("who leaves after an amendment is settled by the terms in force", async () => {
  const { id } = await lease({ penaltyRule: "none" });
  at.on("2026-07-20");
  await at.done(amendActs, id, cheaper);
  at.on("2026-08-05");
  const asked = await house.did(
    settlementActs.ask,
    { as },
    {
      body: {
        contractId: id,
        effectiveOn: "2026-08-05",
        endReason: "early",
        reason: "工作调动",
        penaltyReason: "",
        charges: [],
      },
    },
  );
  const shown = await house.did(settlementActs.preview, { as }, { params: { id: asked.id }, body: {} });
  // the quarter cost 10,209.68 and is kept to 5 August: 5,419.35 + 532.26; what paid the next bill comes back with it
  expect([shown.obstacles, shown.lines.map((l) => [l.kind, l.amount])]).toEqual([
    [],
    [
      ["depositIn", 350_000],
      ["creditRent", 425_807],
      ["creditRent", 29_032],
      ["owed", 0],
    ],
  ]);
});

test("a supplement that was signed on paper waits for its shelf, its scan is among the files of the contract", async () => {
  const { id } = await lease();
  at.on("2026-07-20");
  const keeper = await house.person({ permits: ["226.query"], villages: [shop.villageId] });
  const originals = async () => {
    const { list } = await house.did(listArchives, { as: keeper }, { query: { contractId: id } });
    return list.map((a) => [a.docKind, a.medium, a.state, a.hasFile, a.retentionUntil]);
  };
  const before = ["renterContract", "paper", "pending", true, "2037-03-14"];
  const ready = await at.agreed(amendActs, id, { ...cheaper, end: "2027-09-14" });
  expect(await originals()).toEqual([before]);
  expect((await at.confirm(amendActs, ready)).status).toBe(200);
  expect(await originals()).toEqual([["supplement", "paper", "pending", true, "2037-09-14"], before]);
  const documents = await house.did(contractDocuments, { as }, { params: { id } });
  expect(documents.filter((d) => d.kind === "signed")).toHaveLength(2);
});
