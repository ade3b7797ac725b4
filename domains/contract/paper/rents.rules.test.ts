import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { parseYuan } from "../../../platform/kernel/fen.ts";
import { anySchedule } from "../schedule/any-schedule.sample.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { rentsOver } from "../schedule/steps.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { rentClauses } from "./clause.rules.ts";

const STEP = /^自 (\S{10}) 起，月租金(?:合计)?调整为人民币 ([\d,.]+) 元（大写：[^）]+）(?:，其中(.+))?。$/;

test(
  "the paper's rents, each room's and the sum, are the prices of the bills from that day",
  { timeout: 60_000 },
  () => {
    let [drawn, compared] = [0, 0];
    fc.assert(
      fc.property(anySchedule, (input) => {
        drawn++;
        const names = input.rooms.map((room) => `R${room.roomId}`);
        const clauses = rentClauses(DEFAULT_TERMS, rentsOver(input), names);
        const lines = planBills(input).bills.flatMap((bill) => bill.lines);
        for (const clause of clauses) {
          const [, day, sum, each] = STEP.exec(clause) ?? [];
          if (!day) continue;
          expect(parseYuan(sum!)).toBe(rentsOver(input).findLast((r) => r.fromDate <= day)!.rent);
          const printed = each ? each.split("、").map((text) => text.split(" ")) : [[names[0], sum]];
          expect(printed.reduce((total, [, rent]) => total + parseYuan(rent!), 0)).toBe(parseYuan(sum!));
          for (const { kind, roomId, from, to, explain } of lines) {
            if (kind !== "rent" || from > day || to < day || explain.rule !== "rent") continue;
            const rent = parseYuan(printed.find(([name]) => name === `R${roomId}`)![1]!);
            if (explain.parts.some((part) => part.price !== rent))
              expect.fail(`${clause}: ${roomId} pays otherwise`);
            compared++;
          }
        }
      }),
      cases(1_000),
    );
    expect(compared).toBeGreaterThan(drawn / 2);
  },
);
