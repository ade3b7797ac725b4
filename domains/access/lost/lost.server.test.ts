import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { listLost, lostAt } from "./lost.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const clerk = await house.person({ name: "店员", permits: ["54.query"] });
const boss = await house.person({ name: "管家长", superType: "1" });
const giver = await house.person({ name: "人事", permits: ["46.edit", "46.query"] });
await house.person({ name: "出纳", permits: ["26.query"] });
const asked = (path: string, as = clerk) => house.did(lostAt, { as }, { body: { path } });

test("a known path tells its function and who can give it, administrators first", async () => {
  const told = await asked("/accountManage/BillListManage");
  expect(told.page).toEqual({
    title: "账单管理",
    functions: [{ code: 26, name: "账单管理", held: false, enabled: true }],
  });
  const names = told.ask.map((person) => person.name);
  expect(names).toContain("管家长");
  expect(names).toContain("人事");
  expect(names.indexOf("管家长")).toBeLessThan(names.indexOf("人事"));
  expect(names).not.toContain("出纳");
  expect(told.ask.find((person) => person.name === "管家长")!.role).toBe("企业管理员");
  // nobody is sent to themselves
  expect((await asked("/report/owingReport", giver)).ask.map((p) => p.name)).not.toContain("人事");
});

test("a function that is held, one of several, and one that was switched off are told apart", async () => {
  expect((await asked("/service/RepairServiceManage")).page!.functions[0]).toMatchObject({ held: true });
  const many = await asked("/accountManage/RefundManage");
  expect(many.page!.functions.map((f) => f.code)).toEqual([108, 244]);
  await pool.query("update function_node set enabled = false where key = '122'");
  expect((await asked("/valueAdded/Cleaning")).page!.functions[0]).toMatchObject({ enabled: false });
  await pool.query("update function_node set enabled = true where key = '122'");
});

test("what the product does not know is said to be unknown; what is no path is refused", async () => {
  expect((await asked("/nothing/at/all")).page).toBeNull();
  for (const path of ["nothing", "/a?b=1", `/${"x".repeat(100)}`, "/a b"])
    expect((await house.ask(lostAt, { as: clerk }, { body: { path } })).status).toBe(400);
});

test("each asking is counted by day and path, without a name, and leaves no line in the operation log", async () => {
  const before = await pool.query("select count(*)::int n from operation_log");
  for (let i = 0; i < 3; i++) await asked("/old/link");
  const { list, total } = await house.did(listLost, { as: boss }, { query: { keyword: "old/" } });
  expect({ list, total }).toMatchObject({
    list: [{ path: "/old/link", title: "", times: 3, days: 1 }],
    total: 1,
  });
  const { rows } = await pool.query("select * from lost_page where path = '/old/link'");
  expect(Object.keys(rows[0]).toSorted()).toEqual(["day", "known", "last_at", "path", "times"]);
  const after = await pool.query("select count(*)::int n from operation_log");
  expect(after.rows).toEqual(before.rows);
});

test("the list is asked for days, both included", async () => {
  await pool.query(
    "insert into lost_page (day, path, known) select day, '/some/days', false from unnest('{2026-01-09,2026-01-10,2026-01-11,2026-01-12}'::date[]) day",
  );
  const days = async (from: string, to: string) => {
    const query = { keyword: "some/days", ...(from && { from }), ...(to && { to }) };
    return (await house.did(listLost, { as: boss }, { query })).list.map((row) => row.days);
  };
  expect(await days("2026-01-10", "2026-01-11")).toEqual([2]);
  expect(await days("2026-01-10", "")).toEqual([3]);
  expect(await days("", "2026-01-10")).toEqual([2]);
  expect(await days("2026-01-13", "")).toEqual([]);
});

test("made-up paths fill nothing: above 500 on a day they are counted together", async () => {
  await pool.query(
    "insert into lost_page (day, path, known) select (select max(day) from lost_page), '/made/' || n, false from generate_series(1, 500) n",
  );
  await asked("/made/up");
  await asked("/made/up/too");
  const { rows } = await pool.query(
    "select path, times from lost_page where path in ('/made/up', '/made/up/too', '/…')",
  );
  expect(rows).toEqual([{ path: "/…", times: 2 }]);
  expect((await asked("/accountManage/InvoiceManage")).page!.title).toBe("发票管理");
  const known = await pool.query("select times from lost_page where path = '/accountManage/InvoiceManage'");
  expect(known.rows).toEqual([{ times: 1 }]);
});
