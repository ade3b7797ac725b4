import { expect, test } from "vitest";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { type Before, dayRefusal, renewalTerms, roomTerms, tenantTerms } from "./succession.rules.ts";

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

test("what an offer still gives goes over: free months that are left, and what is off every month; a sum once does not", () => {
  const offer = (name: string, more: object) =>
    ({ activityId: 3, activityVersion: 1, name, order: 1, reason: "", ...more }) as NonNullable<
      Terms["discounts"]
    >[number];
  const before: Before = {
    start: "2026-01-15",
    end: "2027-01-14",
    anchorDate: null,
    terms: {
      ...DEFAULT_TERMS,
      discounts: [
        offer("免三个月", { kind: "firstMonths", value: "3", fromMonth: 2 }),
        offer("免首月", { kind: "firstMonths", value: "1" }),
        offer("九五折", { kind: "percent", value: "5", fromMonth: 1, toMonth: 6 }),
        offer("立减", { kind: "amount", value: "50000" }),
      ],
    },
    rooms: [{ roomId: 7, monthlyRent: 300_000, unitPrice: null, area: null }],
  };
  // in the third contract month, of which the second to the fourth are free
  const next = [
    ["免三个月", "percent", "100", 1, 2, null, 3],
    ["九五折", "percent", "5", 1, 4, null, 3],
  ];
  for (const terms of [tenantTerms(before, "2026-04-01").terms, roomTerms(before, "2026-04-01")])
    expect(
      terms.discounts!.map((d) => [
        ...[d.name, d.kind, d.value, d.fromMonth, d.toMonth],
        ...[d.activityId, d.fromActivityId],
      ]),
    ).toEqual(next);
  // and on to a third contract
  const again = {
    ...before,
    start: "2026-04-01",
    anchorDate: "2026-01-15",
    terms: roomTerms(before, "2026-04-01"),
  };
  expect(roomTerms(again, "2026-05-01").discounts!.map((d) => [d.name, d.toMonth, d.fromActivityId])).toEqual(
    [
      ["免三个月", 1, 3],
      ["九五折", 3, 3],
    ],
  );
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

test("a change is from seven days back to thirty ahead, after the first day and within the term", () => {
  const lease = { start: "2026-03-01", end: "2026-06-10" };
  const said = (day: string) => dayRefusal(lease, day, "2026-05-16");
  const far = "生效日须在今天前7天至后30天内";
  expect(["2026-05-08", "2026-05-09", "2026-06-10"].map(said)).toEqual([far, undefined, undefined]);
  expect(said("2026-06-11")).toBe("生效日须在原租期内，且晚于起租日");
  expect(said("2026-06-15")).toBe("生效日须在原租期内，且晚于起租日");
  expect(said("2026-06-16")).toBe(far);
  expect(dayRefusal(lease, "2026-03-01", "2026-03-05")).toBe("生效日须在原租期内，且晚于起租日");
  expect(dayRefusal(lease, "2026-03-02", "2026-03-05")).toBeUndefined();
});
