import { expect } from "vitest";
import { POSTS } from "../demo/people.ts";
import { house as table } from "../screens.ts";
import type { Person } from "../platform/server/process/house.sample.ts";
import { COVER, faultsInBoth } from "./axe.sample.ts";
import { DESK, moveTo, PHONE, settling, type Story } from "./browser.sample.ts";
import { arrived, beyondReach, cutOn } from "./whole.sample.ts";

const screens = table.screens.filter((s) => s.kind !== "public");

/** What each window looks like: everybody goes through all screens in one of them. */
export const LOOKS = [
  { name: "light", theme: "system", size: DESK },
  { name: "dark", theme: "dark", size: DESK },
  { name: "390 px", theme: "light", size: PHONE },
] as const;

/** A window with a browser's bars over it, on a small notebook. */
const LOW = { width: DESK.width, height: 560 };

/** One of each post; the first may see all, the second all of an enterprise. */
export const accounts = [...new Map(POSTS.map((p) => [p.role || p.superType, p.account])).values()];
/**
 * Who reads each page whole, and the first record of its list: one on the desk, coming to each by its address, in light and in dark;
 * one on a phone.
 */
const [DESKTOP, PHONES] = accounts as [string, string];
export const READERS = [
  { account: DESKTOP, look: LOOKS[0] },
  { account: PHONES, look: LOOKS[2] },
] as const;

/** Comes by their addresses to the screens that are not for this person, loading the console anew each time. */
const clerk = POSTS.find((p) => p.role === "租赁顾问")!.account;

/** Opens one screen after the other in a window of its own, by its address or as a click in the menu does. */
export async function openAll(
  { base, open }: Story,
  as: Person,
  account: string,
  { name, theme, size }: (typeof LOOKS)[number],
) {
  const { page, context, errors } = await open({ as, theme, size });
  // an error that comes later is found on the next screen
  const settled = settling(page, 80);
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
  const reads = account === DESKTOP || account === PHONES;
  for (const screen of screens) {
    const where = `${screen.path} as ${account}, ${name}`;
    const permitted =
      (!screen.platform || superType === "0") &&
      (!screen.codes.length || screen.codes.some((c) => held.has(c)));
    const byAddress = account === DESKTOP || (account === clerk && !permitted);
    if (byAddress) await page.goto(base + screen.path);
    else await moveTo(page, screen.path);
    const soon = { message: where, timeout: 20_000 };
    await expect
      .poll(() => new URL(page.url()).pathname, soon)
      .toBe(permitted ? `/sams${screen.path}` : "/sams/404");
    if (!permitted) continue;
    await expect.poll(() => page.title(), soon).toBe(`${screen.title} - 智慧公寓`);
    const whole = async (what: string) => {
      await settled();
      await arrived(page);
      const text = await page.innerText("body");
      expect(text, what).not.toMatch(/请求出现错误|加载失败|undefined|NaN|Invalid/);
      expect(errors, what).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
      if (!reads) return;
      expect(await cutOn(page), what).toEqual([]);
      if (size !== DESK) return;
      expect(await faultsInBoth(page), what).toEqual([]);
      await page.setViewportSize(LOW);
      expect(await beyondReach(page), `${what} in a low window`).toEqual([]);
      await page.setViewportSize(DESK);
    };
    await whole(where);
    const record = page.locator(".sheet tbody :not(.acts-cell) > .linkish:visible").first();
    if (!reads || !(await record.isVisible())) continue;
    await record.click();
    const opened = async () =>
      new URL(page.url()).pathname !== `/sams${screen.path}` ||
      (await page.locator(`:is(${COVER}):visible`).count()) > 0;
    await expect.poll(opened, soon).toBe(true);
    await whole(`the first record of ${where}`);
    // what covers the page goes; a page of its own is left
    await page.keyboard.press("Escape");
  }
  await context.close();
}
