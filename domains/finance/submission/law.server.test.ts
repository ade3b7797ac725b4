import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../../platform/checks/cases.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { checkLedger } from "../check/check.service.ts";
import {
  cancelSubmission,
  listSubmissions,
  pendingTakings,
  receiveSubmission,
  settleShort,
  unreceiveSubmission,
} from "./submission.contract.ts";
import { aTill } from "./submission.sample.ts";

const house = await testHouse();
house.setClock("2026-03-26T12:00:00+08:00");
const DAY = "2026-03-26";

const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("take" as const), n: fc.integer({ min: 1, max: 9 }) }),
  },
  fc.record({ do: fc.constant("hand" as const), n: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ do: fc.constant("arrive" as const), n: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ do: fc.constantFrom("return" as const, "cancel" as const, "repay" as const), n: fc.nat(20) }),
);

test("law: what lies in the box is what is listed as not handed over, and nothing is lost on its way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 14 }), async (acts) => {
      const t = await aTill(house);
      const villageIds = String(t.store.villageId);
      const list = async (states: string[]) =>
        (
          await house.did(
            listSubmissions,
            { as: t.finance },
            { query: { villageIds, pageSize: 200 } as never },
          )
        ).list.filter((s) => states.includes(s.state));
      const pick = async (n: number, ...states: string[]) => {
        const found = await list(states);
        return found[n % Math.max(1, found.length)];
      };
      let taken = 0;
      for (const { do: what, n } of acts) {
        if (what === "take") {
          await t.taking(n * 1_000, DAY);
          taken += n * 1_000;
        } else if (what === "hand") {
          const form = await t.form(DAY);
          if (form.expected) {
            const kept = Math.min(n * 500, form.expected - 1);
            await t.handOver(DAY, { submitted: form.expected - kept, keptReason: "备用金" });
          }
        } else if (what === "arrive") {
          const s = await pick(Math.abs(n), "submitted");
          if (s) {
            const amount = Math.max(0, s.submitted + n * 100);
            await t.on(receiveSubmission, s.id, { amount, receivedOn: DAY });
          }
        } else if (what === "return") {
          const s = await pick(n, "received", "short", "over", "settled");
          if (s) await t.on(unreceiveSubmission, s.id, { reason: "登记有误" });
        } else if (what === "cancel") {
          const s = await pick(n, "submitted");
          if (s) await t.on(cancelSubmission, s.id, { reason: "钱未缴出" });
        } else {
          const s = await pick(n, "short");
          const how = { way: "repay", merchantAccountId: t.accounts.cash, reason: "收银员补足" };
          if (s) await t.on(settleShort, s.id, how);
        }
        const pending = await house.did(
          pendingTakings,
          { as: t.cashier },
          { query: { villageIds } as never },
        );
        const box = await t.balance("1001", t.accounts.cash);
        expect(pending.sums!.amount).toBe(box);
        const [way, short, bank, gain] = [
          await t.balance("1019"),
          await t.balance("1221"),
          await t.balance("1002", t.accounts.bankTransfer),
          -(await t.balance("6702")),
        ];
        // what a cashier makes good moves from the short to the box
        expect(box + way + short + bank).toBe(taken + gain);
      }
      const { breaks } = await acting(house, (a) => checkLedger(a, "manual"));
      expect(breaks).toEqual([]);
    }),
    cases(5),
  );
});
