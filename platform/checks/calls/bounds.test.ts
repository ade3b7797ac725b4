import { expect, test } from "vitest";
import { AMOUNT_MAX } from "../../kernel/fen.ts";
import { metaOf } from "../../kernel/field.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { type Leaf, leavesOf } from "./leaves.ts";

const house = await testHouse();

const leaves = house.served.flatMap(({ call }) =>
  (["params", "query", "body"] as const).flatMap((part) =>
    call[part] ? leavesOf(call[part], `${call.method} ${call.path} ${part}`) : [],
  ),
);
const takes = ({ schema }: Leaf, value: unknown) => schema.safeParse(value).success;

test("whatever takes a day, a month or a moment takes none outside the years of the business", () => {
  const dated = ["2026-03-01", "2026-03", "2026-03-01T10:00:00+08:00"].flatMap((sound) =>
    leaves
      .filter((leaf) => takes(leaf, sound) && !takes(leaf, "2026-99-99") && !takes(leaf, "abcdefgh"))
      .flatMap((leaf) =>
        ["0030", "1899", "2200", "9999"]
          .filter((year) => takes(leaf, sound.replace("2026", year)))
          .map((year) => `${leaf.at} takes ${year}`),
      ),
  );
  expect(dated).toEqual([]);
});

test("whatever is told as a day, a month or a moment is read by their kinds", () => {
  const loose = leaves.filter(
    (leaf) =>
      ["day", "month", "instant"].includes(metaOf(leaf.schema)?.kind ?? "") && takes(leaf, "abcdefgh"),
  );
  expect(loose.map((leaf) => leaf.at)).toEqual([]);
});

test("no amount that is written is above the largest", () => {
  const boundless = leaves.filter(
    (leaf) =>
      leaf.at.includes(" body") && metaOf(leaf.schema)?.kind === "money" && takes(leaf, AMOUNT_MAX + 1),
  );
  expect(boundless.map((leaf) => leaf.at)).toEqual([]);
});
