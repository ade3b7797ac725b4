import { expect, test } from "vitest";
import { agreedTerms, blankForm, nameOfField, STEPS, stepOf, wrongText } from "./drafting.rules.ts";

test("a field stands in the step that shows it", () => {
  const at = (field: string) => STEPS[stepOf(field)];
  expect(["villageId", "start", "rooms.0.monthlyRent", "anchorDate"].map(at)).toEqual(
    Array(4).fill("房间与租期"),
  );
  expect(["partyId", "occupants.1.name", "remark"].map(at)).toEqual(Array(3).fill("客户"));
  expect(["graceDays", "stepRule.value", "turnover.rate"].map(at)).toEqual(Array(3).fill("条款"));
  expect(["fees", "fees.0.amount"].map(at)).toEqual(Array(2).fill("费用"));
});

test("what is wrong is counted, and named by at most four names", () => {
  const text = (...fields: string[]) => wrongText(fields.map((field) => ({ field })));
  expect(text("graceDays", "deposit.months")).toBe("2 项待修改：宽限、押金");
  expect(text("steps.0.value", "steps.1.value")).toBe("2 项待修改：租金递增");
  expect(text("start", "end", "rooms", "partyId")).toBe("4 项待修改：起租日、结束日、房间、客户");
  expect(text("start", "end", "rooms", "partyId", "fees")).toBe("5 项待修改：起租日、结束日、房间、客户等");
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
