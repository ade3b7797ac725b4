import { expect, test } from "vitest";
import { planBills } from "../schedule/bills.rules.ts";
import {
  agreedTerms,
  blankForm,
  byHand,
  dealOf,
  extending,
  inputOf,
  isExtended,
  LAST_FIELDS,
  nameOfField,
  offerTerm,
  offWith,
  roomLists,
  SIGN_STEP,
  STEPS,
  stepOf,
  withFree,
  wrongText,
} from "./drafting.rules.ts";

test("a field stands in the step that shows it", () => {
  const at = (field: string) => STEPS[stepOf(field)];
  expect(["villageId", "start", "rooms.0.monthlyRent", "anchorDate"].map(at)).toEqual(
    Array(4).fill("房间与租期"),
  );
  expect(["partyId", "occupants.1.name", "remark"].map(at)).toEqual(Array(3).fill("客户"));
  expect(["graceDays", "stepRule.value", "turnover.rate"].map(at)).toEqual(Array(3).fill("条款"));
  expect(["fees", "fees.0.amount"].map(at)).toEqual(Array(2).fill("费用"));
  expect(["discounts", "discounts.0.value"].map(at)).toEqual(Array(2).fill("优惠"));
});

test("顺延租期 moves the end by the free days once, follows them, and goes back", () => {
  const free = (toDate: string) => [{ fromDate: "2026-03-15", toDate }];
  const form = { ...blankForm({}), start: "2026-03-15", end: "2027-03-14", rentFree: free("2026-03-24") };
  expect([isExtended(form), isExtended({ ...form, end: null })]).toEqual([false, false]);
  const longer = { ...form, ...extending(form, true) };
  expect([longer.end, isExtended(longer), extending(longer, true)]).toEqual(["2027-03-24", true, {}]);
  const more = { ...longer, ...withFree(longer, free("2026-03-29")) };
  expect([more.end, isExtended(more)]).toEqual(["2027-03-29", true]);
  expect(extending(more, false)).toEqual({ end: "2027-03-14", extendedTo: null });
  expect(withFree(form, [])).toEqual({ rentFree: [] });
  // an end that is set by hand is nobody's extension
  expect(isExtended({ ...more, end: "2027-12-31" })).toBe(false);
});

test("the steps with fields end before the preview, and the last one signs", () => {
  expect([STEPS[LAST_FIELDS], STEPS[LAST_FIELDS + 1], STEPS[SIGN_STEP]]).toEqual([
    "优惠",
    "账单预览",
    "签署",
  ]);
});

test("what a discount takes off is told beside the others that are chosen", () => {
  const discount = { fromMonth: 1, toMonth: null, everyMonth: false, feeIds: [], order: 1 };
  const fold = offerTerm({
    id: 7,
    name: "95 折",
    contentVersion: 2,
    discount: { ...discount, kind: "percent", value: "5" },
  });
  expect(fold).toMatchObject({ activityId: 7, activityVersion: 2, name: "95 折", reason: "" });
  const form = blankForm({
    start: "2026-03-01",
    end: "2027-02-28",
    rooms: [{ roomId: 1, monthlyRent: 300_000 }],
  });
  const cards = new Map([[1, { area: null }]]);
  expect(offWith(form, cards, fold)).toBe(180_000);
  // chosen already it counts once
  expect(offWith({ ...form, discounts: [fold] }, cards, fold)).toBe(180_000);
  const half = { ...fold, activityId: 8, value: "50" };
  expect(offWith({ ...form, discounts: [half] }, cards, fold)).toBe(90_000);
  const own = { ...byHand("amount"), value: "50000" };
  expect(own).toMatchObject({ activityId: null, name: "整单优惠", order: 100 });
  expect(offWith({ ...form, discounts: [fold] }, cards, own)).toBe(50_000);
  // while the rent is still being typed there is nothing to tell
  const typing = { ...form, rooms: [{ roomId: 1, monthlyRent: Number.NaN }] };
  expect(offWith(typing, cards, fold)).toBeUndefined();
});

test("what is wrong is counted, and named by at most four names", () => {
  const text = (...fields: string[]) => wrongText(fields.map((field) => ({ field })));
  expect(text("graceDays", "deposit.months")).toBe("2 项待修改：宽限、押金");
  expect(text("steps.0.value", "steps.1.value")).toBe("2 项待修改：租金递增");
  expect(text("start", "end", "rooms", "partyId")).toBe("4 项待修改：起租日、结束日、房间、客户");
  expect(text("start", "end", "rooms", "partyId", "fees")).toBe("5 项待修改：起租日、结束日、房间、客户等");
  expect(text("openOn")).toBe("1 项待修改：开业日");
  expect(["openOn", "channel", "agentId", "titleId"].map(stepOf)).toEqual([1, 1, 1, 1]);
  expect(text("titleId")).toBe("1 项待修改：开票抬头");
  expect(text("channel", "agentId")).toBe("2 项待修改：渠道、经纪人");
  expect([nameOfField("rooms.0.monthlyRent"), nameOfField("policyNote")]).toEqual(["月租金", "条款"]);
});

test("what a reservation agreed on is taken over: 押一付三, and a rent by the square metre", () => {
  const deposit = { mode: "months", months: "1" };
  expect(agreedTerms("1-3")).toEqual({ deposit, cycleMonths: 3 });
  expect(agreedTerms("1-12", "3.50")).toEqual({
    deposit,
    cycleMonths: 12,
    pricing: "areaDay",
    basis: "area",
  });
  expect([agreedTerms("1-1").cycleMonths, agreedTerms("1-6").cycleMonths]).toEqual([1, 6]);
  // a way of paying that no contract knows is left to the form
  expect(agreedTerms("1-5")).toEqual({});
  expect(agreedTerms("-3")).toEqual({});
  expect(agreedTerms(null, "3.50")).toEqual({ pricing: "areaDay", basis: "area" });
});

test("an empty form is a tenant's, on the usual terms, with what is known already", () => {
  expect(blankForm({ villageId: 4 })).toMatchObject({
    villageId: 4,
    kind: "renter",
    partyId: null,
    rooms: [],
    cycleMonths: 3,
  });
});

test("2,000 rooms are asked for in addresses that any proxy takes, each once and in their order", () => {
  const ids = Array.from({ length: 2000 }, (_, i) => 1_000_000 + i);
  const lists = roomLists(ids);
  expect(lists.flatMap((list) => list.split(",").map(Number))).toEqual(ids);
  for (const list of lists)
    expect(new URLSearchParams({ roomIds: list }).toString().length).toBeLessThan(6000);
  expect(roomLists([])).toEqual([""]);
  expect(roomLists([3, 8])).toEqual(["3,8"]);
});

test("a commission is reckoned by the first rent of all rooms and the rent of the term after discounts", () => {
  const form = blankForm({
    start: "2026-03-01",
    end: "2027-03-15",
    rooms: [
      { roomId: 1, monthlyRent: 300_000 },
      { roomId: 2, monthlyRent: 200_000 },
    ],
  });
  const cards = new Map([1, 2].map((id) => [id, { area: null }]));
  const plan = (f: typeof form) => planBills(inputOf(f, cards));
  const whole = dealOf(form, cards, plan(form))!;
  expect([whole.months, whole.monthRent, whole.totalRent]).toEqual([12, 500_000, 6_241_935]);
  const less = { ...form, discounts: [{ ...byHand("amount"), value: "10000" }] };
  expect(dealOf(less, cards, plan(less))!.totalRent).toBe(6_231_935);
  expect(dealOf(form, cards, undefined)).toBeUndefined();
});
