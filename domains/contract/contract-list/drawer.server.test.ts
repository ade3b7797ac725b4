import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { tenancyLine } from "../chain/chain.contract.ts";
import * as detail from "../contract/detail.contract.ts";
import { contractSignings } from "../esign/esign.contract.ts";
import { aSettler } from "../settlement/settlement.sample.ts";

const house = await testHouse();
const { as, db, lease, agreed, confirm, another } = await aSettler(house);
const sum = (amounts: readonly (number | null)[]) => amounts.reduce<number>((s, fen) => s + (fen ?? 0), 0);

test("every figure on the head is the sum of the rows behind it", async () => {
  // rent and 物业费 are bills of their own, due on the same day
  const { id } = await lease({ billGrouping: "fee" }, 4);
  // the quarter from 15 September is due on 8 September and was not paid
  house.setClock("2026-09-20T10:00:00+08:00");
  await acting(house, (act) => issueDue(act));
  const at = { params: { id } };
  const c = await house.did(detail.getContract, { as }, at);
  const bills = await house.did(detail.contractBills, { as }, at);
  const flows = await house.did(detail.contractFlows, { as }, at);
  const live = bills.filter((b) => b.status !== "void");
  const issued = live.filter((b) => b.issued);
  const late = issued.filter((b) => b.overdueDays > 0);
  expect(c.money.total).toBe(sum(live.map((b) => b.amount)));
  expect(c.money.billed).toBe(sum(issued.map((b) => b.amount)));
  expect(c.money.received).toBe(sum(live.map((b) => b.settled)));
  expect(c.money.received + c.money.writtenOff).toBe(sum(flows.map((f) => f.amount)));
  expect(c.money.owed).toBe(sum(issued.map((b) => b.outstanding)));
  expect(c.money.planned).toBe(sum(live.filter((b) => !b.issued).map((b) => b.outstanding)));
  expect([c.overdue, c.money.overdue]).toEqual([1_080_000, sum(late.map((b) => b.outstanding))]);
  // billed = collected + owed + written off
  expect(c.money.billed).toBe(c.money.received + c.money.owed + c.money.writtenOff);
  expect(c.money.invoiced).toBe(sum(live.map((b) => b.invoiced)));
  expect([c.depositHeld, c.depositAmount, c.money.depositHeld]).toEqual([350_000, 350_000, 350_000]);
  const open = live.filter((b) => b.outstanding > 0);
  const next = open.map((b) => b.dueDate).toSorted()[0]!;
  const dueThen = sum(open.filter((b) => b.dueDate === next).map((b) => b.outstanding));
  expect([c.nextDueOn, c.nextDueFen]).toEqual([next, dueThen]);
  expect(c.currentRent).toBe(sum(c.rooms.map((r) => r.monthlyRent)));
  expect(c.counts.bills).toBe(bills.length);
  for (const bill of bills) expect(bill.amount).toBe(sum(bill.lines.map((l) => l.amount)));
});

test("what goes back to the tenant stands with the contract", async () => {
  const { id } = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const at = { params: { id } };
  expect(await house.did(detail.contractRefunds, { as }, at)).toEqual([]);
  const act = await agreed(id);
  expect((await confirm(act)).status).toBe(200);
  const [refund, ...more] = await house.did(detail.contractRefunds, { as }, at);
  expect(more).toEqual([]);
  // example E8
  expect(refund).toMatchObject({ source: "settlement", amount: 431_276, paid: 0 });
});

test("the line of a room, of a tenant and of a tenancy holds contracts and acts in the order of their days", async () => {
  const { id, contractNo, roomId, partyId } = await lease();
  house.setClock("2026-08-05T10:00:00+08:00");
  const act = await agreed(id);
  expect((await confirm(act)).status).toBe(200);
  const line = (query: object) => house.did(tenancyLine, { as }, { query } as never);
  const rows = await line({ roomId });
  expect(rows.map((r) => [r.on, r.act?.kind ?? "contract"])).toEqual([
    ["2026-08-05", "settle"],
    ["2026-03-15", "contract"],
  ]);
  expect(rows[0]!.act).toMatchObject({ id: act.id, net: 431_276, state: "toPay" });
  expect(rows[1]!.contract).toMatchObject({ contractNo, phase: "terminated", leaveDate: "2026-08-05" });
  expect(await line({ partyId })).toEqual(rows);
  expect(await line({ contractId: id })).toEqual(rows);
  expect(await line({ roomId: await another() })).toEqual([]);
  const wrong = await house.ask(tenancyLine, { as }, { query: { roomId, partyId } } as never);
  expect(wrong.status).toBe(400);

  const stranger = await house.person({ permits: ["9.query"], villages: [] });
  expect(await house.did(tenancyLine, { as: stranger }, { query: { roomId } } as never)).toEqual([]);
  const { villageId } = (await db
    .selectFrom("contract")
    .select("villageId")
    .where("id", "=", id)
    .executeTakeFirst())!;
  const ofFirms = await house.person({ permits: ["11.query"], villages: [villageId] });
  expect(await house.did(tenancyLine, { as: ofFirms }, { query: { roomId } } as never)).toEqual([]);
});

test("a person of another village gets 404 for refunds, signings and the line of a contract", async () => {
  const { id } = await lease();
  const stranger = await house.person({ permits: ["9.query", "9.get"], villages: [] });
  for (const call of [detail.contractRefunds, contractSignings]) {
    expect((await house.ask(call, { as }, { params: { id } })).status).toBe(200);
    expect((await house.ask(call, { as: stranger }, { params: { id } })).status, call.path).toBe(404);
  }
  const line = { query: { contractId: id } } as never;
  expect((await house.ask(tenancyLine, { as: stranger }, line)).status).toBe(404);
});
