import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { demoCompany } from "../../../demo/demo.sample.ts";
import type { Call } from "../../kernel/call.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { bodyWith, takesText } from "../calls/bodies.ts";

/** Scripts in every text of every call that writes: refused, or an answer that no browser runs. */
const house = await testHouse({ template: await demoCompany(40, "2026-11-20") });
const root = await house.person({ superType: "0" });
const SCRIPTS = ["<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`];
const calls = house.served
  .map((s) => s.call)
  .filter((c) => c.method !== "GET" && !c.upload && c.needs !== "public" && takesText(c));
const name = (c: Call) => `${c.method} ${c.path}`;

test("most calls that write take texts", () => expect(calls.length).toBeGreaterThan(60));

describe.each(calls.map((c) => [name(c), c] as const))("%s", (_, c) => {
  test.each(SCRIPTS)("with %s", async (script) => {
    const answer = await house.app.inject({
      method: c.method,
      url: c.path.replace(/:\w+/g, "1"),
      headers: { authorization: root.token, "idempotency-key": randomUUID() },
      payload: bodyWith(c, script) as object,
    });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(500);
    const file = String(answer.headers["content-disposition"] ?? "").startsWith("attachment");
    if (!file) expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });
});

test("no list, detail or log answers what was sent as anything but JSON", async () => {
  for (const c of house.served.map((s) => s.call).filter((each) => each.method === "GET" && each.reply)) {
    const url = `${c.path.replace(/:\w+/g, "1")}?keyword=${encodeURIComponent(SCRIPTS[0]!)}`;
    const { headers } = await house.app.inject({ url, headers: { authorization: root.token } });
    expect(headers["content-type"], name(c)).toMatch(/^application\/json/);
    expect(headers["x-content-type-options"], name(c)).toBe("nosniff");
  }
});
