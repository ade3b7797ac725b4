import { expect, test } from "vitest";
import { owedBackEntry } from "../refund/refund.rules.ts";
import { heldEntry } from "./opening.rules.ts";

const of = { contractId: 4, villageId: 2, partyId: 3, deposit: 0, prepaid: 0 };
const told = (entry: { event: string; legs: { account: string; amount: number }[] } | undefined) =>
  entry && [entry.event, ...entry.legs.map((l) => `${l.account} ${l.amount}`)].join(", ");

test("what a contract held at the take-over; nothing held, no entry", () => {
  expect(heldEntry(of, "2026-03-01")).toEqual([]);
  expect(told(heldEntry({ ...of, deposit: 1 }, "2026-03-01")[0])).toBe("E30, 3999 1, 2241 -1");
  expect(told(heldEntry({ ...of, prepaid: 1 }, "2026-03-01")[0])).toBe("E30, 3999 1, 2203 -1");
  expect(heldEntry({ ...of, deposit: 5, prepaid: 7 }, "2026-03-01")[0]!.legs).toHaveLength(4);
});

test("what is owed back leaves the balance that held it, prepaid money flow by flow", () => {
  const refund = { id: 9, source: "prepaid" as const, sourceId: 8, villageId: 2, partyId: 3, contractId: 4 };
  const partsOf = (source: string) => [
    { source, flowId: 1, amount: 30 },
    { source, flowId: null, amount: 20 },
  ];
  const prepaid = owedBackEntry(refund, partsOf("prepaid"), "2026-03-01");
  expect(told(prepaid)).toBe("E12, 2203 30, 2203 20, 2202 -50");
  expect(prepaid.legs.map((l) => l.flowId)).toEqual([1, null, undefined]);
  expect(told(owedBackEntry({ ...refund, source: "deposit" }, partsOf("deposit"), "2026-03-01"))).toBe(
    "E12, 2241 50, 2202 -50",
  );
  const earnest = owedBackEntry({ ...refund, source: "earnest" }, partsOf("earnest"), "2026-03-01");
  expect(earnest.legs.map((l) => l.billId)).toEqual([8, 8]);
  // a settlement gives back both in one sum
  const both = [{ source: "deposit", flowId: 1, amount: 5 }, ...partsOf("prepaid")];
  expect(told(owedBackEntry({ ...refund, source: "settlement" }, both, "2026-03-01"))).toBe(
    "E12, 2241 5, 2203 30, 2203 20, 2202 -55",
  );
});
