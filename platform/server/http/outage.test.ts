import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openHouse } from "../process/house.ts";
import { outageOf } from "./outage.ts";
import { lockedBy } from "../postgres/postgres-folder.ts";
import { readSettings } from "../process/settings.ts";

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "outage-")));
const settings = readSettings({ DATA_DIR: root, LOG_LEVEL: "silent", MODE: "demo", RATE_LIMIT: "0" });
const house = await openHouse(settings);
afterAll(async () => {
  const data = fs.realpathSync(path.join(root, "postgres"));
  await house.close();
  fs.rmSync(data, { recursive: true });
  fs.rmSync(root, { recursive: true });
});

/** Somebody nobody knows tries to log in: it is looked up and written down, so it needs the database twice. */
const enter = () =>
  house.app.inject({
    method: "POST",
    url: "/system/api/v4/login",
    payload: { account: "nobody", password: "0".repeat(64) },
  });

test("while the database is away everybody is asked to come later; it comes back and the server has lived on", async () => {
  const usual = (await enter()).statusCode;
  expect(usual).toBeLessThan(500);
  const seen = new Map<number, string>();
  let working = true;
  const worker = async () => {
    while (working) {
      const answer = await enter();
      seen.set(answer.statusCode, answer.json<{ message: string }>().message);
    }
  };
  const workers = Array.from({ length: 3 }, worker);
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    process.kill(lockedBy(path.join(root, "postgres/data")), "SIGKILL");
    await expect.poll(async () => (await enter()).statusCode, { timeout: 10_000 }).toBe(503);
    await expect.poll(async () => (await enter()).statusCode, { timeout: 10_000 }).toBe(usual);
  }
  working = false;
  await Promise.all(workers);
  expect([...seen.keys()].toSorted()).toEqual([usual, 503].toSorted());
  expect(seen.get(503)).toBe("系统暂时繁忙，请稍后再试");
}, 60_000);

test("what the database refuses, and what anybody else says, is no outage", () => {
  const failed = (words: string, more: object) => Object.assign(new Error(words), more);
  expect(outageOf(failed("duplicate key", { code: "23505" }))).toBeUndefined();
  expect(outageOf(failed("no such file", { code: "ENOENT", syscall: "open" }))).toBeUndefined();
  expect(outageOf(new TypeError("x is undefined"))).toBeUndefined();
  expect(outageOf("nothing")).toBeUndefined();
});
