import { describe, expect, test } from "vitest";
import { POSTS } from "../demo/people.ts";
import { house as table } from "../screens.ts";
import { ROUTES } from "../platform/checks/specification/routes.ts";
import { demoPerson, DESK, PHONE, story } from "./browser.sample.ts";

const { house, base, open } = await story();
const screens = table.screens.filter((s) => s.kind !== "public");

/** The first set-up of a production house, which the specification leaves open. */
const OWN = new Set(["/setup"]);

test("every screen is a route of the specification, with its codes and title", () => {
  const routes = new Map(ROUTES.map((r) => [r[0], r]));
  for (const screen of table.screens.filter((s) => !OWN.has(s.path))) {
    const route = routes.get(screen.path);
    expect(route, screen.path).toBeDefined();
    expect(screen.title, screen.path).toBe(route![3]);
  }
});

/** What each window looks like; one pass through all screens in each. */
const LOOKS = [
  { name: "light", theme: "light", size: DESK },
  { name: "dark", theme: "dark", size: DESK },
  { name: "390 px", theme: "light", size: PHONE },
] as const;

const accounts = [...new Map(POSTS.map((p) => [p.role || p.superType, p.account])).values()];

describe.each(accounts)("as %s", (account) => {
  test(
    "every permitted screen opens without an error; the others are not there",
    { timeout: 600_000 },
    async () => {
      const as = await demoPerson(house, account);
      for (const { name, theme, size } of LOOKS) {
        const { page, context, errors } = await open({ as, theme, size });
        await page.goto(`${base}/workbench/WorkbenchPage`);
        const { secFuncList } = (await page.evaluate(
          (token) =>
            fetch("/user/info", { headers: { authorization: token } })
              .then((r) => r.json())
              .then((a) => a.data),
          as.token,
        )) as { secFuncList: { id: number }[] };
        const held = new Set(secFuncList.map((f) => f.id));
        for (const screen of screens) {
          errors.length = 0;
          await page.goto(base + screen.path);
          await page.waitForLoadState("networkidle");
          const where = `${screen.path} as ${account}, ${name}`;
          const permitted = !screen.codes.length || screen.codes.some((c) => held.has(c));
          if (!permitted) {
            expect(new URL(page.url()).pathname, where).toBe("/sams/404");
            continue;
          }
          expect(new URL(page.url()).pathname, where).toBe(`/sams${screen.path}`);
          expect(await page.title(), where).toBe(`${screen.title} - 智慧公寓`);
          const text = await page.innerText("body");
          expect(text, where).not.toMatch(/请求出现错误|加载失败|undefined|NaN|Invalid/);
          expect(errors, where).toEqual([]);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(over, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
        }
        await context.close();
      }
    },
  );
});
