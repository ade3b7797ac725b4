import { sql } from "kysely";
import { expect, test } from "vitest";
import { freshDatabase } from "../database/cluster.sample.ts";
import { named, phrase, type Sql } from "./conditions.ts";

const { db } = await freshDatabase();

const NAMES = [
  "王芳",
  "王小芳",
  "欧阳芳",
  "芳王",
  "Abel 王",
  "王 芳",
  "100%_王",
  "滨江店·1203-A",
  "𠮷野家",
  "",
  "ß芳",
];
const TYPED = [
  "王",
  "芳",
  "王芳",
  "小芳",
  "芳王",
  "阳芳",
  "a",
  "AB",
  "L 王",
  "江店",
  "栋",
  "%",
  "_王",
  "𠮷野",
  "王小芳",
  "1",
];

test("a name is found by the same parts as without the index of its letters", async () => {
  for (const typed of TYPED) {
    const found = (condition: (text: string) => Sql) =>
      sql<{
        name: string;
      }>`select name from unnest(${NAMES}::text[]) t (name) where ${condition(typed)}`.execute(db);
    expect([typed, (await found(named("t.name"))).rows]).toEqual([
      typed,
      (await found(phrase("t.name"))).rows,
    ]);
  }
});

test("the index of letters serves one letter and two", async () => {
  await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    for (const typed of ["王", "王芳"]) {
      const plan = await sql<{
        "QUERY PLAN": string;
      }>`explain select id from party where ${named("name")(typed)}`.execute(tx);
      expect(plan.rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("party_letters");
    }
  });
});
