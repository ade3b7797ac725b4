import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { roomBoard } from "../../domains/listing/board/board.contract.ts";
import { choose, demoPerson, DESK, fromAvatar, PHONE, story } from "../browser.sample.ts";

/** The room board as the people of a store use it: by keyboard, in many rooms at once, on paper, on a phone. */
const { house, base, open } = await story({ rooms: 240 });
const manager = await demoPerson(house, "dianzhang01");
const { pool } = house.database;
const today = dayInZone(new Date());
const { rows: stores } = await pool.query<{ id: number; name: string }>(
  "select id, name from village order by id limit 1",
);
const store = stores[0]!;
const board = (query = "") => `${base}/configuration/apartment?villageId=${store.id}${query}`;
const tiles = (page: Page) => page.locator(".rb__board [data-id]");
const focused = (page: Page) =>
  page.evaluate(() => Number((document.activeElement as HTMLElement)?.dataset["id"]));

/** Rooms of the store as they stand today, from the top of the board down. */
async function roomsThat(condition: string): Promise<{ id: number; name: string }[]> {
  const { rows } = await pool.query<{ id: number; name: string }>(
    `select r.id, r.name from room_status_at($1::date, $1::date, array[$2]::bigint[]) s join room r on r.id = s.room_id
     where ${condition} order by r.place`,
    [today, store.id],
  );
  return rows;
}

test("the keyboard alone finds a room, walks the wall, picks rooms and opens one; closing leads back to its tile", async () => {
  const { page, errors } = await open({ as: manager });
  await page.goto(board());
  await tiles(page).first().waitFor();
  const sought = (await roomsThat("s.occupancy = 'occupied'"))[0]!;
  const door = (await page.locator(`[data-id="${sought.id}"]`).getAttribute("aria-label"))!.split(" ")[0]!;
  await page.keyboard.press("/");
  await page.keyboard.type(door);
  await expect.poll(() => page.locator(".rb__hits").innerText()).toContain("/");
  await page.getByRole("button", { name: "下一个" }).click();
  await page.getByLabel("查找房间").press("Escape");
  const start = await focused(page);
  expect(start).toBeGreaterThan(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => focused(page)).not.toBe(start);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => focused(page)).toBe(start);

  const bar = page.getByRole("region", { name: "批量操作" });
  await page.keyboard.press("Space");
  await bar.getByText("已选 1 间").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await bar.getByText("已选 2 间").waitFor();
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });

  const at = await focused(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**room=${at}**`);
  const drawer = page.getByRole("dialog", { name: /^房间 / });
  await drawer.getByRole("tab", { name: "账单" }).click();
  await drawer.getByText(/待收 \d+ 笔，合计/).waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe(at);
  expect(errors).toEqual([]);
});

test("rooms that cannot take an act are named before anything is done; the others take it", async () => {
  const { page, errors } = await open({ as: manager });
  const [free] = await roomsThat(
    "s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_from is null",
  );
  const [lived] = await roomsThat("s.occupancy = 'occupied'");
  await page.goto(board());
  for (const id of [free!.id, lived!.id])
    await page.locator(`[data-id="${id}"]`).click({ modifiers: ["Control"] });
  await page
    .getByRole("region", { name: "批量操作" })
    .getByRole("button", { name: "封房", exact: true })
    .click();
  const refused = page.getByRole("dialog", { name: /1 间房不符合/ });
  await refused.waitFor();
  const blocks = () =>
    pool.query("select count(*)::int n from occupancy_row where kind = 'block' and room_id = $1", [free!.id]);
  expect((await blocks()).rows).toEqual([{ n: 0 }]);
  await refused.getByRole("button", { name: "从所选中去掉" }).click();
  await page
    .getByRole("region", { name: "批量操作" })
    .getByRole("button", { name: "封房", exact: true })
    .click();
  const form = page.getByRole("dialog", { name: /封房/ });
  await choose(
    () => form.getByLabel("封房原因").click(),
    page.locator(".ant-select-item-option").filter({ hasText: "维修" }),
  );
  await form.getByRole("button", { name: "封房", exact: true }).click();
  await expect.poll(async () => (await blocks()).rows).toEqual([{ n: 1 }]);
  await page.locator(`[data-id="${free!.id}"].c-maintenance`).waitFor();
  expect(errors).toEqual([]);
});

test("days dragged on a free room open the contract with room, days and list price", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 900 } });
  const [free] = await roomsThat(
    "s.occupancy = 'vacant' and s.condition = 'rentable' and s.next_from is null",
  );
  const { rows } = await pool.query<{ price: number }>(
    "select list_price price from room_price where room_id = $1 and effective_day <= $2 order by effective_day desc limit 1",
    [free!.id, today],
  );
  const drag = async () => {
    await page.goto(board("&view=calendar&occ=vacant&cond=rentable"));
    const row = page.locator(".rb__calrow").filter({ hasText: free!.name }).first();
    const box = (await row.boundingBox())!;
    await page.mouse.move(box.x + 420, box.y + 14);
    await page.mouse.down();
    await page.mouse.move(box.x + 620, box.y + 14, { steps: 5 });
    await page.mouse.up();
  };
  await drag();
  const bar = page.getByRole("region", { name: "所选日期" });
  await bar.getByRole("button", { name: "一年" }).click();
  await bar.getByText(/36[56] 天/).waitFor();
  await bar.getByRole("button", { name: "新签企业合同" }).waitFor();
  await bar.getByRole("button", { name: "新签合同" }).click();
  await page.waitForURL("**/contract/RenterContractPage?*");
  const sent = new URL(page.url()).searchParams;
  expect(sent.get("roomId")).toBe(String(free!.id));
  expect(sent.get("rent")).toBe(String(rows[0]!.price));
  await expect.poll(() => page.getByLabel("起租日").inputValue()).toBe(sent.get("start"));
  await expect.poll(() => page.getByLabel("结束日期").inputValue()).toBe(sent.get("end"));
  const yuan = (rows[0]!.price / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  await page.locator(`input[value="${yuan}"]`).first().waitFor();

  await drag();
  await bar.getByRole("button", { name: "预订", exact: true }).click();
  await page.waitForURL("**/configuration/BookingManagement?*");
  await page.getByRole("dialog").getByText(free!.name).first().waitFor();
  expect(errors).toEqual([]);
});

test("two days beside each other: sums are those of the boards, a cell shows the rooms it counts", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 1000 } });
  const before = addDays(today, -60);
  await page.goto(board(`&vs=${before}`));
  const matrix = page.locator("table").filter({ hasText: `${before} ↓` });
  await matrix.waitFor();
  const shown = async (day?: string) => {
    const { fields, rows } = await house.did(
      roomBoard,
      { as: manager },
      { query: { villageId: store.id, day } },
    );
    return Map.groupBy(rows, (row) => String(row[fields.indexOf("occupancy")]));
  };
  const [then, now] = [await shown(before), await shown()];
  const words = (await matrix.locator("thead th").allInnerTexts()).slice(1, -1);
  const last = async (row: string) =>
    Number(await matrix.locator("tr").filter({ hasText: row }).last().locator("td").last().innerText());
  expect(words.length).toBeGreaterThan(1);
  const whole = [...now.values()].reduce((sum, rows) => sum + rows.length, 0);
  expect(await last("合计")).toBe(whole);
  // the row of 空置 adds up to the first day's, its column to the second's
  const vacantRow = matrix.locator("tbody tr").filter({ has: page.locator("th", { hasText: /^空置$/ }) });
  expect(Number(await vacantRow.locator("td").last().innerText())).toBe(then.get("vacant")?.length ?? 0);
  const foot = await matrix.locator("tfoot td").allInnerTexts();
  expect(Number(foot[words.indexOf("空置")])).toBe(now.get("vacant")?.length ?? 0);

  const cell = matrix.locator("tbody button").first();
  const count = Number(await cell.innerText());
  await cell.click();
  await expect.poll(() => tiles(page).count()).toBe(count);
  await expect.poll(() => page.locator(".tile.moved").count()).toBe(count);
  expect(errors).toEqual([]);
});

test("on paper every room stands, in light, under the store's name and day; the whole screen is the board's", async () => {
  const { page, context, errors } = await open({ as: manager, theme: "dark" });
  await context.addInitScript(() => {
    const asked = window as unknown as { printed?: { tiles: number; theme: string | undefined } };
    window.print = () => {
      asked.printed = {
        tiles: document.querySelectorAll(".rb__board [data-id]").length,
        theme: document.documentElement.dataset["theme"],
      };
    };
  });
  await page.goto(board());
  await tiles(page).first().waitFor();
  const all = (await roomsThat("true")).length;
  await page.getByRole("button", { name: "打印" }).click();
  const printed = () => page.evaluate(() => (window as unknown as { printed?: object }).printed);
  await expect.poll(printed).toEqual({ tiles: all, theme: "light" });
  await page.emulateMedia({ media: "print" });
  await page.getByRole("heading", { name: `${store.name} 房态图 ${today}` }).waitFor();
  await expect.poll(() => page.getByRole("navigation").first().isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");

  await page.getByRole("button", { name: "全屏", exact: true }).click();
  await page.getByRole("button", { name: "退出全屏" }).click();
  await page.getByRole("button", { name: "全屏", exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test("for weak eyes each state has its character; on a phone nothing sticks out and a room opens", async () => {
  const weak = await open({ as: manager, size: DESK });
  await weak.page.goto(board());
  await fromAvatar(weak.page, "显示设置");
  await weak.page.getByRole("dialog", { name: "显示设置" }).getByRole("switch", { name: "色弱模式" }).click();
  await weak.page.keyboard.press("Escape");
  await tiles(weak.page).first().waitFor();
  expect(await weak.page.evaluate(() => document.documentElement.dataset["weak"])).toBe("true");
  const marks = await weak.page.locator(".rb__board .tile .no i").allInnerTexts();
  expect(marks.length).toBeGreaterThan(10);
  for (const mark of marks) expect("空订待租期逾退洁修停自").toContain(mark);

  const { page, errors } = await open({ as: manager, size: PHONE });
  await page.goto(board());
  await tiles(page).first().waitFor();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await wide()).toBeLessThanOrEqual(0);
  await tiles(page).first().click();
  await page.getByRole("dialog", { name: /^房间 / }).waitFor();
  expect(await wide()).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});
