import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { type Before, renewalTerms, roomTerms, tenantTerms } from "./succession.rules.ts";

const fee = (name: string, fromDate: string | null, toDate: string | null, kind = "recurring") =>
  ({ feeId: 1, name, kind, amount: 10_000, fromDate, toDate }) as Terms["fees"][number];

test("another tenant takes over the fees that still run on the day, from that day on", () => {
  const before: Before = {
    start: "2026-01-01",
    end: "2026-12-31",
    anchorDate: null,
    terms: {
      ...DEFAULT_TERMS,
      fees: [
        fee("物业费", null, null),
        fee("车位费", "2026-03-01", "2026-06-30"),
        fee("网费", "2026-03-01", "2026-07-01"),
        fee("保洁费", "2026-12-31", null),
        fee("仓储费", "2027-01-01", null),
        fee("门卡", null, null, "once"),
      ],
    },
    rooms: [{ roomId: 7, monthlyRent: 300_000, unitPrice: null, area: null }],
  };
  const { terms } = tenantTerms(before, "2026-07-01");
  expect(terms.fees.map((f) => [f.name, f.fromDate, f.toDate])).toEqual([
    ["物业费", null, null],
    ["网费", null, "2026-07-01"],
    ["保洁费", "2026-12-31", null],
  ]);
});

test("a shop that is renewed stays open since its day; another shop or another tenant opens anew", () => {
  const before: Before = {
    start: "2026-01-01",
    end: "2026-12-31",
    anchorDate: null,
    terms: { ...DEFAULT_TERMS, openOn: "2026-02-01" },
    rooms: [{ roomId: 7, monthlyRent: 300_000, unitPrice: null, area: null }],
  };
  expect(renewalTerms(before, "2027-01-01").openOn).toBe("2026-02-01");
  expect(roomTerms(before, "2026-07-01").openOn).toBeUndefined();
  expect(tenantTerms(before, "2026-07-01").terms.openOn).toBeUndefined();
});
