import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { cases } from "../../../platform/checks/cases.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { checkLedger } from "../../finance/check/check.service.ts";
import { someAccounts, take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aForm, aRenter, aRoom, aScan, aShop, signed } from "../contract/contract.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { type SettleDraft, getSettlement, settlementActs } from "./settlement.contract.ts";
import { everythingOf } from "./settlement.sample.ts";

const house = await testHouse();
house.setClock("2026-03-01T10:00:00+08:00");
const shop = await aShop(house, {
  permits: ["72.query", "72.get", "72.add", "72.edit", "#7202", "#7204", "#904"],
});
const as = shop.clerk;
const { pool } = house.database;
const accounts = await someAccounts(house, shop as never);
const subject = async (code: string) =>
  Number((await pool.query("select id from fee_subject where code = $1", [code])).rows[0].id);
const [property, cleaning] = [await subject("property"), await subject("cleaning")];
const START = "2026-03-01";
const LIVES = cases(4);
let rooms = 0;

const life = fc.record({
  cycleMonths: fc.constantFrom(1, 2, 3, 6, 12, 0),
  basis: fc.constantFrom("actual", "30", "365"),
  rent: fc.integer({ min: 100, max: 2_000_000 }),
  deposit: fc.constantFrom("0", "1", "2"),
  fee: fc.integer({ min: 1, max: 50_000 }),
  prorate: fc.boolean(),
  free: fc.boolean(),
  step: fc.boolean(),
  /** How many bills are paid, and how much money beside them. */
  paid: fc.nat({ max: 14 }),
  prepaid: fc.nat({ max: 300_000 }),
  leaves: fc.integer({ min: -1, max: 364 }),
  penaltyRule: fc.constantFrom("none", "forfeitDeposit", "months", "remainingPercent", "noticeShort"),
  clawback: fc.constantFrom("none", "unexpired", "full"),
  damage: fc.nat({ max: 400_000 }),
  leaveDayCharged: fc.boolean(),
});

test(
  "whatever a life was, what was shown is booked, the books hold, and an undo leaves what was before",
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async (l) => {
        house.setClock("2026-03-01T10:00:00+08:00");
        const roomId = await aRoom(house, shop.building, `L${++rooms}`);
        const partyId = await aRenter(house, shop.villageId);
        const form = aForm({ ...shop, roomId, partyId }, {
          start: START,
          rent: l.rent,
          cycleMonths: l.cycleMonths,
          basis: l.basis,
          deposit: { mode: "months", months: l.deposit },
          fees: [{ feeId: property, name: "物业费", kind: "recurring", amount: l.fee, prorate: l.prorate }],
          rentFree: l.free ? [{ fromDate: "2026-04-07", toDate: "2026-05-03" }] : [],
          steps: l.step
            ? [
                {
                  fromDate: "2026-08-15",
                  mode: "table",
                  value: String(l.rent + 10_000),
                  resultRent: l.rent + 10_000,
                  source: "manual",
                },
              ]
            : [],
          penaltyRule: l.penaltyRule,
          rentFreeClawback: l.clawback,
          leaveDayCharged: l.leaveDayCharged,
        } as Partial<ContractForm>);
        const { id: contractId } = await signed(house, as, form, START);
        const { rows: bills } = await pool.query<{ id: string; outstanding: string }>(
          "select id, outstanding from bill where contract_id = $1 order by due_date, id limit $2",
          [contractId, l.paid],
        );
        const amount = bills.reduce((sum, b) => sum + Number(b.outstanding), 0) + l.prepaid;
        if (amount)
          await take(house, shop as never, accounts, partyId, {
            amount,
            paidAt: "2026-03-01T10:00:00+08:00",
            bills: bills.map((b) => Number(b.id)),
            channel: "cash",
          });
        const day = addDays(START, l.leaves);
        house.setClock(`${addDays(day, 1)}T10:00:00+08:00`);
        // what falls due by then is on the ledger, as every morning
        await acting(house, (act) => issueDue(act));
        const before = await everythingOf(pool, contractId);
        const draft: SettleDraft = {
          effectiveOn: day,
          endReason: l.leaves < 0 ? "notMovedIn" : l.leaves === 364 ? "normal" : "early",
          noticeOn: null,
          reason: "租客退房",
          penaltyReason: "",
          charges: l.damage
            ? [
                {
                  kind: "cleaning",
                  feeId: cleaning,
                  title: "保洁",
                  amount: l.damage,
                  clause: "交还",
                  note: "全屋清洁",
                },
              ]
            : [],
        };
        const { id } = await house.did(settlementActs.ask, { as }, { body: { contractId, ...draft } });
        const params = { id };
        const version = async () => (await house.did(getSettlement, { as }, { params })).version;
        const shown = await house.did(settlementActs.preview, { as }, { params, body: {} });
        const { previewHash } = shown;
        await house.did(
          settlementActs.submit,
          { as },
          { params, body: { version: await version(), previewHash } },
        );
        const agreed = {
          version: await version(),
          how: "paper" as const,
          note: "已签字",
          fileIds: [await aScan(house, as)],
        };
        await house.did(settlementActs.agree, { as }, { params, body: agreed });
        await house.did(
          settlementActs.confirm,
          { as },
          { params, body: { version: await version(), previewHash } },
        );
        const { rows } = await pool.query(
          `select coalesce((select amount from refund r where r.id = a.refund_id), 0)
           - (select coalesce(sum(outstanding), 0) from bill where contract_id = a.contract_id) net,
           (select held from deposit_balance d where d.contract_id = a.contract_id and d.kind = 'deposit') held
         from contract_act a where a.id = $1`,
          [id],
        );
        expect(Number(rows[0].net)).toBe(shown.net);
        expect(Number(rows[0].held ?? 0)).toBe(0);
        expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
        const undo = { version: await version(), reason: "撤销" };
        await house.did(settlementActs.undo, { as }, { params, body: undo });
        expect((await acting(house, (act) => checkLedger(act, "manual"))).breaks).toEqual([]);
        expect(await everythingOf(pool, contractId)).toEqual(before);
        const cancel = { version: await version(), reason: "不退了" };
        await house.did(settlementActs.cancel, { as }, { params, body: cancel });
      }),
      LIVES,
    );
  },
  LIVES.numRuns * 20_000,
);
