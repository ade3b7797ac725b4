import { expect, test } from "vitest";
import { login, getImage, userInfo } from "../../../domains/access/session/session.contract.ts";
import { testHouse } from "../process/house.sample.ts";

const CONSOLE = "https://console.brand01.example";
const MORE = "https://other.brand01.example:8443";
const house = await testHouse({ settings: { PUBLIC_URL: CONSOLE, CONSOLE_ORIGINS: MORE } });
const who = await house.person({ superType: "1" });

const sent = (method: "GET" | "POST" | "OPTIONS", url: string, origin: string, more: object = {}) =>
  house.app.inject({ method, url, headers: { origin, ...more } });
const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };

test("a console of the brand reads what is answered, under its exact origin, refusals and names of files too", async () => {
  for (const origin of [CONSOLE, MORE]) {
    const { statusCode, headers } = await sent("GET", userInfo.path, origin, { authorization: who.token });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": expect.stringContaining("content-disposition"),
    });
    expect(String(headers["vary"]).toLowerCase()).toContain("origin");
    expect(headers["access-control-allow-credentials"], "the token alone counts").toBeUndefined();
    const refused = await sent("GET", userInfo.path, origin);
    expect([refused.statusCode, refused.headers["access-control-allow-origin"]]).toEqual([401, origin]);
  }
});

test("what it sends is allowed beforehand: token, key and body; cookies for the log-in alone", async () => {
  const before = await sent("OPTIONS", userInfo.path, CONSOLE, asked);
  expect(before.statusCode).toBe(204);
  expect(before.headers["access-control-allow-origin"]).toBe(CONSOLE);
  for (const name of ["authorization", "content-type", "idempotency-key", "x-unattended"])
    expect(before.headers["access-control-allow-headers"]).toContain(name);
  for (const name of ["GET", "POST", "PUT", "DELETE"])
    expect(before.headers["access-control-allow-methods"]).toContain(name);
  expect((await sent("OPTIONS", login.path, CONSOLE, asked)).headers).toMatchObject({
    "access-control-allow-credentials": "true",
  });
});

test("nobody else: not a part of the name, another scheme or port, nor null", async () => {
  const strangers = ["https://evil.example", `${CONSOLE}.evil.example`, `${CONSOLE}:444`, "null"];
  for (const origin of [...strangers, CONSOLE.replace("https", "http"), "*"])
    for (const [method, path] of [
      ["GET", getImage.path],
      ["OPTIONS", login.path],
    ] as const) {
      const { headers } = await sent(method, path, origin, method === "OPTIONS" ? asked : {});
      const given = Object.keys(headers).filter((name) => name.startsWith("access-control"));
      expect(given, origin).toEqual([]);
    }
});
