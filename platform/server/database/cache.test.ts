import { expect, test } from "vitest";
import { markedCache } from "./cache.ts";

/** A shelf whose figures are numbered as they are made; `mark` is what a test changes. */
function shelf(more: { most?: number } = {}) {
  const state = { mark: "a", made: 0, fails: false };
  const ask = markedCache<object, number, string>({
    base: (from) => from,
    marks: (_, keys) => new Map(keys.map((key) => [key, state.mark])),
    make: async (_, keys) => {
      await Promise.resolve();
      if (state.fails) throw new Error("the database is gone");
      return new Map(keys.filter((key) => key > 0).map((key) => [key, `${key}#${(state.made += 1)}`]));
    },
    ...more,
  });
  const base = {};
  return { state, ask: (...keys: number[]) => ask(base, keys), elsewhere: (key: number) => ask({}, [key]) };
}
const found = (pairs: Record<number, string>) =>
  new Map(Object.entries(pairs).map(([key, value]) => [Number(key), value]));

test("a value stands while its mark does; who asks while it is made waits for it", async () => {
  const { state, ask, elsewhere } = shelf();
  expect(await Promise.all([ask(1), ask(1)])).toEqual([found({ 1: "1#1" }), found({ 1: "1#1" })]);
  expect(await ask(1, 2)).toEqual(found({ 1: "1#1", 2: "2#2" }));
  state.mark = "b";
  expect(await ask(1)).toEqual(found({ 1: "1#3" }));
  expect(await elsewhere(1)).toEqual(found({ 1: "1#4" }));
});

test("a key without a value has none, and is not asked for again", async () => {
  const { state, ask } = shelf();
  expect(await ask(0)).toEqual(new Map());
  state.fails = true;
  expect(await ask(0)).toEqual(new Map());
});

test("what failed is made again by whoever asks next", async () => {
  const { state, ask } = shelf();
  state.fails = true;
  await expect(ask(1)).rejects.toThrow("the database is gone");
  state.fails = false;
  expect(await ask(1)).toEqual(found({ 1: "1#1" }));
});

test("above the most that is kept, what nobody asked for longest gives way", async () => {
  const { ask } = shelf({ most: 2 });
  for (const key of [1, 2, 1, 3]) await ask(key);
  expect(await ask(1)).toEqual(found({ 1: "1#1" }));
  expect(await ask(2)).toEqual(found({ 2: "2#4" }));
});

test("many values are made side by side, a few together", async () => {
  const parts: number[][] = [];
  const ask = markedCache<object, number, string>({
    base: (from) => from,
    marks: (_, keys) => new Map(keys.map((key) => [key, "a"])),
    make: async (_, keys) => {
      parts.push([...keys]);
      await Promise.resolve();
      return new Map(keys.map((key) => [key, `${key}`]));
    },
    atOnce: 4,
  });
  const base = {};
  const keys = Array.from({ length: 22 }, (_, i) => i + 1);
  expect([...(await ask(base, keys)).values()]).toEqual(keys.map(String));
  expect(parts.map((part) => part.length)).toEqual([6, 6, 6, 4]);
  expect([...(await ask(base, [1, 30, 31, 32, 33, 34])).keys()]).toEqual([1, 30, 31, 32, 33, 34]);
  expect(parts.slice(4)).toEqual([[30, 31, 32, 33, 34]]);
});
