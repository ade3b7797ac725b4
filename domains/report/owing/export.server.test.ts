import { expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { march2026 } from "../../finance/check/march.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { exportCollection } from "../collection/collection.contract.ts";
import { exportOwing } from "./owing.contract.ts";

const house = await testHouse();
const { a, b } = await march2026(house);
const permits = ["114.query", "114.export", "99.query", "99.export"];
const lead = await house.person({ permits, villages: [a.villageId, b.villageId] });
const onlyB = await house.person({ permits, villages: [b.villageId] });
const file = async (as: Person, path: string, query: Record<string, string>) => {
  const { statusCode, rawPayload } = await house.app.inject({
    method: "GET",
    url: path,
    headers: { authorization: as.token },
    query,
  });
  return statusCode === 200 ? rowsOf(rawPayload) : [[statusCode]];
};

test("the arrears as they stand on the screen: columns in order, the filter in words, the sums below", async () => {
  const rows = await file(lead, exportOwing.path, {
    day: "2026-03-19",
    mode: "party",
    ages: "d30,d90",
    amountFrom: "10000",
    columns: "partyName,phone,owed,d30,d90,maxDays",
    usage: "催收",
  });
  expect(rows[0]![0]).toContain(
    "截至日 2026-03-19；汇总方式 按客户；账龄 1-30 天、61-90 天；欠费金额起 100.00",
  );
  expect(rows.slice(1)).toEqual([
    ["客户", "手机", "欠费合计", "1-30 天", "61-90 天", "最长逾期（天）"],
    ["李四", "138****5678", 2800, 2800, 0, 18],
    ["王五", "138****5678", 500, 0, 500, 73],
    ["合计", undefined, 3300, 2800, 500],
  ]);
});

test("rows that were ticked leave alone", async () => {
  const { id } = await house.database.db
    .selectFrom("party")
    .select("id")
    .where("name", "=", "王五")
    .executeTakeFirstOrThrow();
  const query = { day: "2026-03-19", columns: "partyName,owed", usage: "催收", picked: String(id) };
  const rows = await file(lead, exportOwing.path, query);
  expect(rows.slice(2)).toEqual([
    ["王五", 500],
    ["合计", 500],
  ]);
});

test("the takings of March, with their sum; a store out of sight is not in the file", async () => {
  const query = { from: "2026-03-01", to: "2026-03-31", columns: "day,total,fee" };
  const rows = await file(lead, exportCollection.path, query);
  expect(rows.slice(2).map((row) => row.slice(1))).toEqual([
    [1500, 0],
    [2000, 10],
    [6350, 38.1],
    [11500, 0],
    [21350, 48.1],
  ]);
  const less = await file(onlyB, exportCollection.path, query);
  expect(less.at(-1)!.slice(1)).toEqual([10000, 0]);
});

test("who may read but not export gets no file", async () => {
  const reader = await house.person({ permits: ["114.query"], villages: [a.villageId] });
  expect(await file(reader, exportOwing.path, { usage: "催收" })).toEqual([[403]]);
});
