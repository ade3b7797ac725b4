import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  billing,
  commissionsOf,
  contractsSigned,
  news,
} from "../../customer/commission/commission.sample.ts";
import { voidBills } from "../../finance/bill/bill.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aDeal, anAgentDesk } from "../contract/agent-deal.sample.ts";
import { anOffer, aRunning, OFFERING } from "../activity/activity.sample.ts";
import { aForm, aRenter, aRoom, aScan, signed } from "../contract/contract.sample.ts";
import { getSettlement, settlementActs } from "./settlement.contract.ts";
import { PERMITS } from "./settlement.sample.ts";
import { type SuccessorCalls, changes } from "../successor/successor.contract.ts";
import { WAYS } from "../successor/successor.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house, {
  permits: [...PERMITS, "#7202", "#7204", "26.get", "96.get", "96.add", "96.edit", "#9601", "#904"],
});
const as = desk.keeper;
let n = 0;

/** A contract that an agent brought, lived in from December on. */
async function brought(): Promise<number> {
  house.setClock("2026-11-20T09:00:00+08:00");
  const phone = `1372000${String(1000 + ++n)}`;
  const roomId = await aRoom(house, desk.building, `40${String(n).padStart(2, "0")}`, 300_000);
  return aDeal(house, desk, { phone, roomId, partyId: await aRenter(house, desk.villageId, { phone }) });
}
/** The tenant leaves after 45 of the 90 days of the rule. */
async function settled(contractId: number, settlementId?: number): Promise<number> {
  house.setClock("2027-01-14T10:00:00+08:00");
  const draft = {
    effectiveOn: "2027-01-14",
    endReason: "early" as const,
    noticeOn: null,
    reason: "工作调动",
  };
  const id =
    settlementId ??
    (
      await house.did(
        settlementActs.ask,
        { as },
        { body: { contractId, ...draft, penaltyReason: "", charges: [] } },
      )
    ).id;
  const params = { id };
  const version = async () => (await house.did(getSettlement, { as }, { params })).version;
  const { previewHash } = await house.did(settlementActs.preview, { as }, { params, body: {} });
  const seen = async () => ({ params, body: { version: await version(), previewHash } });
  await house.did(settlementActs.submit, { as }, await seen());
  const paper = { how: "paper" as const, note: "已签字", fileIds: [await aScan(house, as)] };
  await house.did(settlementActs.agree, { as }, { params, body: { version: await version(), ...paper } });
  await house.did(settlementActs.confirm, { as, key: randomUUID() }, await seen());
  await news(house, "commission.clawed", { contractId, day: draft.effectiveOn });
  return id;
}
/** In mid-December the tenant takes another room; answers the contract of that room. */
async function changedRoom(contractId: number): Promise<number> {
  house.setClock("2026-12-14T10:00:00+08:00");
  const roomId = await aRoom(house, desk.building, `41${String(n).padStart(2, "0")}`, 300_000);
  const asked = await house.did(
    changes.ask,
    { as },
    {
      body: { ...WAYS, contractId, kind: "room", effectiveOn: "2026-12-14", roomId, monthlyRent: 300_000 },
    },
  );
  const params = { id: asked.id };
  const { preview, submit, confirm } = changes as unknown as SuccessorCalls;
  const { previewHash } = await house.did(preview, { as }, { params, body: {} });
  const { version } = await house.did(
    submit,
    { as },
    { params, body: { version: asked.version, previewHash } },
  );
  const again = await house.did(preview, { as }, { params, body: {} });
  const paper = { fileIds: [await aScan(house, as)], otherFileIds: [], signedOn: "2026-12-14" };
  await house.did(confirm, { as }, { params, body: { version, previewHash: again.previewHash, ...paper } });
  await contractsSigned(house, [asked.contractId]);
  await news(house, "commission.clawed", { contractId, day: "2026-12-13" });
  return asked.contractId;
}
async function undone(id: number): Promise<void> {
  const { version } = await house.did(getSettlement, { as }, { params: { id } });
  const body = { version, reason: "租客不退了" };
  await house.did(settlementActs.undo, { as, key: randomUUID() }, { params: { id }, body });
}
const commissions = async (contractId: number) =>
  (await commissionsOf(house, desk, { pageSize: 200 })).list.filter((c) => c.contractId === contractId);
const linesOf = async (contractId: number) =>
  (await commissions(contractId)).map((c) => [c.kind, c.amount, c.state, c.left]);
/** Everything of a contract goes into a bill of the payee. */
async function billed(contractId: number): Promise<void> {
  const ids = (await commissions(contractId)).map((c) => c.id);
  await billing(house, desk, ids);
}

test("an undone settlement gives the agent back what it took; the next one takes it anew", async () => {
  const contractId = await brought();
  const id = await settled(contractId);
  const clawed = ["claw", -150_000, "owed", -150_000];
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "owed", 150_000], clawed]);
  await undone(id);
  const given = ["claw", -150_000, "void", -150_000];
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "owed", 300_000], given]);
  // news of the first leaving that comes late changes nothing
  await news(house, "commission.clawed", { contractId, day: "2027-01-14" });
  expect(await linesOf(contractId)).toHaveLength(2);
  await settled(contractId, id);
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "owed", 150_000], given, clawed]);
});

test("a commission that was taken back whole is owed again", async () => {
  const contractId = await brought();
  await house.database.pool.query("update commission_rule set claw_mode = 'all'");
  const id = await settled(contractId);
  await house.database.pool.query("update commission_rule set claw_mode = 'proRata'");
  expect((await linesOf(contractId)).map(([, , state]) => state)).toEqual(["clawed", "clawed"]);
  await undone(id);
  expect((await linesOf(contractId)).map(([, , state]) => state)).toEqual(["owed", "void"]);
});

test("what was settled with the payee stays and is told; once its bill is void it goes too", async () => {
  const contractId = await brought();
  const id = await settled(contractId);
  await billed(contractId);
  await undone(id);
  const claw = ["claw", -150_000, "settling", -150_000];
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "settling", 150_000], claw]);
  const { rows } = await house.database.pool.query<{ title: string; content: string }>(
    "select m.title, m.content from message m join message_receipt r on r.message_id = m.id where r.operator_id = $1 and m.title like '佣金扣回%'",
    [desk.clerk.operatorId],
  );
  expect(rows).toEqual([
    {
      title: "佣金扣回未退回：周启明",
      content: expect.stringMatching(/^退租已撤销，但扣回 YJ\S+ 1,500\.00 元已随账单 ZD\S+ 结算，不再退回/),
    },
  ]);
  const { rows: bills } = await house.database.pool.query<{ id: number }>(
    "select distinct bill_id::int id from commission where contract_id = $1",
    [contractId],
  );
  await acting(house, (act) => voidBills(act, [bills[0]!.id], "退租已撤销"), { villages: [desk.villageId] });
  await news(house, "commission.dropped", { billIds: [bills[0]!.id] });
  expect(await linesOf(contractId)).toEqual([
    ["first", 300_000, "owed", 300_000],
    ["claw", -150_000, "void", -150_000],
  ]);
});

test("what a leaving took and kept counts once: the next one takes what is more, the voiding of the contract what is left", async () => {
  const contractId = await brought();
  const id = await settled(contractId);
  await billed(contractId);
  await undone(id);
  const kept = ["claw", -150_000, "settling", -150_000];
  await settled(contractId, id);
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "settling", 150_000], kept]);
  await undone(id);
  await house.database.pool.query("update commission_rule set claw_mode = 'all'");
  await settled(contractId, id);
  await news(house, "commission.clawed", { contractId, day: "2027-01-14" });
  await house.database.pool.query("update commission_rule set claw_mode = 'proRata'");
  const rest = (state: string) => ["claw", -150_000, state, -150_000];
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "settling", 0], kept, rest("owed")]);
  const { rows } = await house.database.pool.query<{ formula: string }>(
    "select explain ->> 'formula' formula from commission where contract_id = $1 order by id desc limit 1",
    [contractId],
  );
  expect(rows[0]!.formula).toMatch(/，已扣回 1,500\.00$/);
  await undone(id);
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "settling", 150_000], kept, rest("void")]);
  // told of a voided contract twice
  for (let i = 0; i < 2; i++) await news(house, "commission.undone", { contractId });
  expect(await linesOf(contractId)).toEqual([
    ["first", 300_000, "settling", 0],
    kept,
    rest("void"),
    rest("owed"),
  ]);
});

test("whoever changed rooms and then leaves costs the agent as much as without the change, until that is undone", async () => {
  const contractId = await brought();
  const next = await changedRoom(contractId);
  expect(await linesOf(contractId)).toEqual([["first", 300_000, "owed", 300_000]]);
  expect(await linesOf(next)).toEqual([]);
  const id = await settled(next);
  await news(house, "commission.clawed", { contractId: next, day: "2027-01-14" });
  expect(await linesOf(contractId)).toEqual([
    ["first", 300_000, "owed", 150_000],
    ["claw", -150_000, "owed", -150_000],
  ]);
  await undone(id);
  expect(await linesOf(contractId)).toEqual([
    ["first", 300_000, "owed", 300_000],
    ["claw", -150_000, "void", -150_000],
  ]);
});

test("what an offer still gives goes over to another room, and so does its being taken back on leaving early", async () => {
  house.setClock("2026-11-20T09:00:00+08:00");
  const seller = await house.person({ permits: OFFERING, villages: [desk.villageId] });
  const body = anOffer([desk.villageId], {
    ...{ name: "免三个月", kind: "firstMonths", months: 3, clawbackOnEarlyLeave: true },
  });
  const activityId = await aRunning(house, seller, body);
  const phone = `1372000${String(1000 + ++n)}`;
  const roomId = await aRoom(house, desk.building, `40${String(n).padStart(2, "0")}`, 300_000);
  const partyId = await aRenter(house, desk.villageId, { phone });
  const discounts = [
    { activityId, kind: "firstMonths" as const, value: "3", order: 1, name: "", reason: "" },
  ];
  const form = aForm(
    { ...desk, roomId, partyId },
    { months: 12, rent: 300_000, start: "2026-12-01", discounts },
  );
  const { id } = await signed(house, as, form, "2026-11-20");
  const next = await changedRoom(id);
  house.setClock("2027-01-31T10:00:00+08:00");
  const leaving = {
    effectiveOn: "2027-01-31",
    endReason: "early" as const,
    noticeOn: null,
    reason: "工作调动",
  };
  const asked = await house.did(
    settlementActs.ask,
    { as },
    { body: { contractId: next, ...leaving, penaltyReason: "", charges: [] } },
  );
  const params = { id: asked.id };
  const { lines } = await house.did(settlementActs.preview, { as }, { params, body: {} });
  // 18 of the 31 days of December and all of January were free in the new room
  expect(lines.filter((l) => l.title.startsWith("追回优惠")).map((l) => [l.title, l.amount])).toEqual([
    ["追回优惠 免三个月", -Math.round((300_000 * 18) / 31) - 300_000],
  ]);
});
