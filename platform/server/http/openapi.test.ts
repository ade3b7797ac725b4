import { expect, test } from "vitest";
import { testHouse } from "../process/house.sample.ts";

const demo = await testHouse();
const production = await testHouse({ settings: { MODE: "production" } });
const get = (house: typeof demo, headers: Record<string, string> = {}) =>
  house.app.inject({ url: "/openapi.json", headers });

test("describes every call, is made once, and is not sent to who has it", async () => {
  const first = await get(demo);
  expect(Object.keys(first.json().paths).length).toBeGreaterThan(500);
  const began = performance.now();
  const again = await get(demo);
  expect(performance.now() - began, "making it takes half a second").toBeLessThan(300);
  expect(again.body).toBe(first.body);
  const etag = String(first.headers.etag);
  const third = await get(demo, { "if-none-match": etag });
  expect([third.statusCode, third.body, third.headers.etag]).toEqual([304, "", etag]);
});

test("is read in production by who is signed in, whatever they may do", async () => {
  expect((await get(production)).statusCode).toBe(401);
  expect((await get(production, { authorization: "x".repeat(43) })).json()).toMatchObject({
    reason: "signedOut",
  });
  const clerk = await production.person();
  expect((await get(production, { authorization: clerk.token })).json().openapi).toBe("3.1.0");
});
