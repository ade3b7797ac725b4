import { expect, test } from "vitest";
import { POSTS } from "../demo/people.ts";
import { house as table } from "../screens.ts";
import type { Person } from "../platform/server/process/house.sample.ts";
import { faultsOf } from "./axe.sample.ts";
import { demoPerson, DESK, PHONE, settling, story } from "./browser.sample.ts";
import { cutOn } from "./whole.sample.ts";

const { house, base, open } = await story();
const screens = table.screens.filter((s) => s.kind !== "public");

test("people get React's small edition, whoever had the console built", async () => {
  const page = await (await fetch(`${base}/`)).text();
  const chunk = /\/sams(\/assets\/react-[\w-]+\.js)/.exec(page)?.[1];
  expect(await (await fetch(base + chunk)).text()).toContain("Minified React error");
});

/** What each window looks like: who may see all goes through all screens in each, everybody else in one of them. */
const LOOKS = [
  { name: "light", theme: "light", size: DESK },
  { name: "dark", theme: "dark", size: DESK },
  { name: "390 px", theme: "light", size: PHONE },
] as const;

const accounts = [...new Map(POSTS.map((p) => [p.role || p.superType, p.account])).values()];

/** What a public page needs in its address to show something. */
const ASKED: Record<string, string> = { "/service/AppH5Page": "?id=", "/user/register-result": "?ask=1" };

test.each(LOOKS)(
  "every public page opens without a log-in, $name",
  { timeout: 120_000 },
  async ({ theme, size }) => {
    const { page, context, errors } = await open({ theme, size });
    const { rows } = await house.database.pool.query<{ id: number }>(
      "select id from h5_page where kind = 'page'",
    );
    for (const { path, title } of table.screens.filter((s) => s.kind === "public")) {
      const asked = ASKED[path] ?? "";
      await page.goto(`${base}${path}${asked}${asked === "?id=" ? rows[0]!.id : ""}`);
      await expect.poll(() => page.innerText("body"), { message: path }).not.toBe("");
      await page.waitForLoadState("networkidle");
      expect(new URL(page.url()).pathname).toBe(`/sams${path}`);
      expect(await page.title(), path).toMatch(/.+ - 智慧公寓$/);
      if (path.startsWith("/user") || path.startsWith("/portal"))
        expect(await page.title()).toBe(`${title} - 智慧公寓`);
      expect(await page.innerText("body"), path).not.toMatch(/请求出现错误|加载失败|undefined|NaN|Invalid/);
      expect(errors, path).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
    }
    await context.close();
  },
);

/** Who comes to every screen by its address, loading the console anew each time: one who may see all, and one who may not. */
const clerk = POSTS.find((p) => p.role === "租赁顾问")!.account;
const byAddress = new Map([
  [accounts[0]!, "light"],
  [clerk, LOOKS[accounts.indexOf(clerk) % LOOKS.length]!.name],
]);

/** Opens one screen after the other in a window of its own: by its address, or as a click in the menu does. */
async function openAll(as: Person, account: string, { name, theme, size }: (typeof LOOKS)[number]) {
  const { page, context, errors } = await open({ as, theme, size });
  const settled = settling(page);
  await page.goto(`${base}/workbench/WorkbenchPage`);
  await settled();
  const { secFuncList, superType } = (await page.evaluate(
    (token) =>
      fetch("/user/info", { headers: { authorization: token } })
        .then((r) => r.json())
        .then((a) => a.data),
    as.token,
  )) as { secFuncList: { id: number }[]; superType: string };
  const held = new Set(secFuncList.map((f) => f.id));
  for (const screen of screens) {
    const where = `${screen.path} as ${account}, ${name}`;
    if (name === byAddress.get(account)) await page.goto(base + screen.path);
    else
      await page.evaluate((to) => {
        history.pushState({}, "", to);
        dispatchEvent(new PopStateEvent("popstate", { state: {} }));
      }, `/sams${screen.path}`);
    const permitted =
      (!screen.platform || superType === "0") &&
      (!screen.codes.length || screen.codes.some((c) => held.has(c)));
    const soon = { message: where, timeout: 20_000 };
    await expect
      .poll(() => new URL(page.url()).pathname, soon)
      .toBe(permitted ? `/sams${screen.path}` : "/sams/404");
    if (!permitted) continue;
    await expect.poll(() => page.title(), soon).toBe(`${screen.title} - 智慧公寓`);
    await settled();
    const text = await page.innerText("body");
    expect(text, where).not.toMatch(/请求出现错误|加载失败|undefined|NaN|Invalid/);
    expect(errors, where).toEqual([]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
    if (account !== accounts[0]) continue;
    expect(await cutOn(page), where).toEqual([]);
    // every page that there is, read once in light and once in dark
    if (size === DESK) expect(await faultsOf(page), where).toEqual([]);
  }
  await context.close();
}

test.each(accounts)(
  "as %s every permitted screen opens without an error; the others are not there",
  { timeout: 300_000 },
  async (account) => {
    const as = await demoPerson(house, account);
    const at = accounts.indexOf(account);
    const looks = at ? [LOOKS[at % LOOKS.length]!] : LOOKS;
    await Promise.all(looks.map((look) => openAll(as, account, look)));
  },
);
