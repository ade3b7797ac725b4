import { sql } from "kysely";
import { expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";
import { atEnd, doneFirst, firstIn, onceIn, savepoint, together } from "./once.ts";

const { db } = await freshDatabase();

test("each transaction does a thing once; outside of one it is done each time", async () => {
  const [first, second, another] = await db
    .transaction()
    .execute(async (tx) => [
      firstIn({ tx }, "lock", [1, 2, 2]),
      firstIn({ tx }, "lock", [2, 3]),
      firstIn({ tx }, "mark", [2]),
    ]);
  expect([first, second, another]).toEqual([[1, 2], [3], [2]]);
  expect(await db.transaction().execute(async (tx) => firstIn({ tx }, "lock", [1]))).toEqual([1]);
  expect([firstIn({ tx: db }, "lock", [1]), firstIn({ tx: db }, "lock", [1])]).toEqual([[1], [1]]);
});

test("each transaction asks a thing once; outside of one, and after a part was taken back, it is asked anew", async () => {
  let asked = 0;
  const ask = () => Promise.resolve(++asked);
  const inOne = (of: string) =>
    db.transaction().execute(async (tx) => {
      const failing = async () => {
        await onceIn({ tx }, of, ask);
        throw new Error("refused");
      };
      const twice = [await onceIn({ tx }, of, ask), await onceIn({ tx }, of, ask)];
      await expect(savepoint({ tx }, failing)).rejects.toThrow("refused");
      return [...twice, await onceIn({ tx }, of, ask)];
    });
  expect(await inOne("months 1")).toEqual([1, 1, 2]);
  expect(await inOne("months 1")).toEqual([3, 3, 4]);
  expect([await onceIn({ tx: db }, "months 1", ask), await onceIn({ tx: db }, "months 1", ask)]).toEqual([
    5, 6,
  ]);
});

test("a part that fails is taken back with what was done in it; the rest stands", async () => {
  const kept = await db.transaction().execute(async (tx) => {
    await sql`create temporary table note (word text) on commit drop`.execute(tx);
    const write = (word: string) => sql`insert into note values (${word})`.execute(tx);
    await savepoint({ tx }, () => write("first"));
    firstIn({ tx }, "lock", [1]);
    const failing = savepoint({ tx }, async () => {
      await write("second");
      firstIn({ tx }, "lock", [2]);
      throw new Error("somebody else has it");
    });
    await expect(failing).rejects.toThrow("somebody else has it");
    expect(firstIn({ tx }, "lock", [2])).toEqual([2]);
    return (await sql<{ word: string }>`select word from note`.execute(tx)).rows;
  });
  expect(kept).toEqual([{ word: "first" }]);
});

test("the steps of an act are followed by one piece of work for all that they named; a step by itself by its own", async () => {
  const { told, mid } = await db.transaction().execute(async (tx) => {
    const told: number[][] = [];
    const tell = (ids: readonly number[]) =>
      atEnd(
        { tx },
        "told",
        ids,
        (id) => id,
        async (all) => void told.push(all),
      );
    await tell([]);
    await tell([1]);
    const mid = await together({ tx }, async () => {
      await tell([2, 3]);
      // a step may be an act of steps itself
      await together({ tx }, () => tell([3, 4]));
      return told.length;
    });
    const failing = together({ tx }, async () => {
      await tell([5]);
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    await tell([6]);
    return { told, mid };
  });
  expect(mid).toBe(1);
  expect(told).toEqual([[1], [2, 3, 4], [6]]);
});

test("what a part left that was taken back is not done; what is read in between is done first, and what is done may leave more", async () => {
  const told: number[][] = [];
  await db.transaction().execute(async (tx) => {
    const tell = (id: number, what = "told") =>
      atEnd(
        { tx },
        what,
        [id],
        (one) => one,
        async (all) => {
          told.push(all);
          if (all.includes(9)) await tell(10, "told");
        },
      );
    await together({ tx }, async () => {
      await tell(1);
      const failing = savepoint({ tx }, async () => {
        await tell(2);
        await tell(3, "other");
        throw new Error("refused");
      });
      await expect(failing).rejects.toThrow("refused");
      await doneFirst({ tx }, "told");
      await doneFirst({ tx }, "told");
      expect(told).toEqual([[1]]);
      await tell(4);
      await tell(9, "other");
    });
    // outside of an act of many steps nothing waits
    await doneFirst({ tx }, "told");
  });
  expect(told).toEqual([[1], [4], [9], [10]]);
});
