import { describe, expect, test } from "vitest";
import { z, type ZodType } from "zod";
import { refineLast, refinesEarly } from "./refinements.ts";

const span = z
  .object({ from: z.string().regex(/^\d+$/, "from"), to: z.string().min(2, "to") })
  .refine((v) => v.from <= v.to, { path: ["to"], error: "order" })
  .superRefine((v, ctx) => {
    if (v.to === "12") ctx.addIssue({ code: "custom", path: ["from"], message: "twelve" });
  });
const told = (schema: ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map((i) => `${i.path.join(".")}: ${i.message}`);

describe("refinements of a whole", () => {
  const whole = z.object({ spans: z.array(span.optional()).max(2, "many"), at: span });
  test("run over failed fields by default, and then last", () => {
    const early = span.clone();
    expect(refinesEarly(early)).toBe(true);
    expect(told(early, { from: "x", to: "12" })).toEqual(["from: from", "to: order", "from: twelve"]);
    refineLast(whole);
    expect(refinesEarly(whole)).toBe(false);
    expect(told(whole, { spans: [], at: { from: "x", to: "12" } })).toEqual(["at.from: from"]);
  });

  test("all run once the fields hold, each on its own", () => {
    expect(told(whole, { spans: [], at: { from: "2", to: "12" } })).toEqual([
      "at.to: order",
      "at.from: twelve",
    ]);
    expect(told(whole, { spans: [], at: { from: "1", to: "13" } })).toBeUndefined();
  });

  test("of a part run although another part failed", () => {
    const wrong = { spans: [{ from: "2", to: "11" }], at: { from: "", to: "13" } };
    expect(told(whole, wrong)).toEqual(["spans.0.to: order", "at.from: from"]);
  });
});
