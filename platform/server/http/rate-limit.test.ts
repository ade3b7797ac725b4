import { expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../kernel/call.ts";
import { httpOver } from "./http.sample.ts";
import type { Person } from "../process/house.sample.ts";
import { serve } from "../pipeline/serve.ts";

const read = { method: "GET", summary: "测试", reply: z.null() } as const;
const own = call({ ...read, path: "/x/own", needs: "login" });
const open = call({ ...read, path: "/x/open", needs: "public" });
const PER_MINUTE = 5;
const { app, house } = await httpOver(
  [serve(own, async () => null), serve(open, async () => null)],
  PER_MINUTE,
);

const ask = async (address: string, token?: string, path = own.path) =>
  (
    await app.inject({
      method: "GET",
      url: path,
      remoteAddress: address,
      headers: token ? { authorization: token } : {},
    })
  ).statusCode;
const times = async (n: number, one: () => Promise<number>) => {
  const answers: number[] = [];
  for (let i = 0; i < n; i++) answers.push(await one());
  return answers;
};

test("people of one office do not take each other's calls; each session has its own limit", async () => {
  const people: Person[] = [];
  // the first call of a session is counted by the address
  for (let i = 0; i < PER_MINUTE; i++) people.push(await house.person());
  for (const { token } of people)
    expect(await times(PER_MINUTE + 1, () => ask("10.1.0.1", token))).toEqual([200, 200, 200, 200, 200, 200]);
  for (const { token } of people) expect(await ask("10.1.0.1", token)).toBe(429);
});

test("invented and ended sessions are counted by address, and so is a public call with a session", async () => {
  const invented = await times(7, () => ask("10.1.0.2", `t${Math.random()}`));
  expect(invented).toEqual([401, 401, 401, 401, 401, 429, 429]);

  const { token, operatorId } = await house.person();
  expect(await ask("10.1.0.3", token)).toBe(200);
  await house.database.pool.query("update login_session set ended_at = now() where operator_id = $1", [
    operatorId,
  ]);
  expect(await times(6, () => ask("10.1.0.3", token))).toEqual([401, 401, 401, 401, 401, 429]);

  const other = await house.person();
  expect(await ask("10.1.0.4", other.token)).toBe(200);
  expect(await times(5, () => ask("10.1.0.4", other.token, open.path))).toEqual([200, 200, 200, 200, 429]);
});

test("one enterprise does not take the calls of all", async () => {
  const answers: number[] = [];
  for (let i = 0; i < 24; i++) {
    const { token } = await house.person();
    answers.push(...(await times(PER_MINUTE, () => ask(`10.2.0.${i}`, token))));
  }
  expect(answers).toContain(429);
  expect(await ask("10.3.0.1", undefined, open.path)).toBe(200);
});
