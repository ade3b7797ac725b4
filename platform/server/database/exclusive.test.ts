import { expect, test } from "vitest";
import { alone } from "./exclusive.ts";
import { freshDatabase } from "./cluster.sample.ts";

const { pool } = await freshDatabase();
const done = () => Promise.resolve("done");

test("whoever comes second leaves the work to the first; another piece of work is not held up", async () => {
  const inside = await alone(pool, "feed", 1, async () => [
    await alone(pool, "feed", 1, done),
    await alone(pool, "feed", 2, done),
  ]);
  expect(inside).toEqual([undefined, "done"]);
  expect(await alone(pool, "feed", 1, done)).toBe("done");
});

test("work that failed can be begun again at once, by whoever has another connection", async () => {
  const broken = alone(pool, "feed", 3, () => Promise.reject(new Error("the line broke")));
  await expect(broken).rejects.toThrow("the line broke");
  // the connection that held it lies idle in the pool: somebody else takes that one, so the next is a new one
  const idle = await pool.connect();
  expect(await alone(pool, "feed", 3, done)).toBe("done");
  idle.release();
});
