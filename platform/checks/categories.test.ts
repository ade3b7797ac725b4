import { expect, test } from "vitest";
import { metaOf } from "../kernel/field.ts";
import { testHouse } from "../server/process/house.sample.ts";
import { leavesOf } from "./calls/leaves.ts";

const house = await testHouse();

/** What tells how something stands. Everything else sorts records: a kind, a way, a source, a channel. */
const STATE =
  /状态$|^(入住|健康|启用|实名|密钥|对账|房态|收款账户|标记|核验|验签|品相|结果|阶段|黑名单|颜色)$/;
/** The level of a black list entry: a warning or a ban. */
const isState = (title: string, words: readonly string[]) => STATE.test(title) || words.includes("禁止签约");

test("colour means state: words that only sort records have none", () => {
  const fields = house.served.flatMap(({ call }) =>
    (call.reply ? leavesOf(call.reply, call.path) : []).flatMap(({ at, schema }) => {
      const { title, words } = metaOf(schema) ?? {};
      return title && words ? [{ at, title, words: Object.values(words) }] : [];
    }),
  );
  expect(fields.length).toBeGreaterThan(200);
  const coloured = fields.filter(
    ({ title, words }) =>
      words.some(([, tone]) => tone !== "grey") &&
      !isState(
        title,
        words.map(([text]) => text),
      ),
  );
  expect(coloured.map(({ at, title }) => `${title} (${at})`)).toEqual([]);
});
