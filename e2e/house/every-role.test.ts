import { expect, test } from "vitest";
import { house as table } from "../../screens.ts";
import { demoPerson, settling, story } from "../browser.sample.ts";
import { accounts, LOOKS, openAll, READERS } from "../screens.sample.ts";

const here = await story();
const { house, base, open } = here;

/** What a public page needs in its address to show something. */
const ASKED: Record<string, string> = { "/service/AppH5Page": "?id=", "/user/register-result": "?ask=1" };

test.each(LOOKS)(
  "every public page opens without a log-in, $name",
  { timeout: 300_000 },
  async ({ theme, size }) => {
    const { page, context, errors } = await open({ theme, size });
    const settled = settling(page, 80);
    const { rows } = await house.database.pool.query<{ id: number }>(
      "select id from h5_page where kind = 'page'",
    );
    for (const { path, title } of table.screens.filter((s) => s.kind === "public")) {
      const asked = ASKED[path] ?? "";
      await page.goto(`${base}${path}${asked}${asked === "?id=" ? rows[0]!.id : ""}`);
      await expect.poll(() => page.innerText("body"), { message: path }).not.toBe("");
      await settled();
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

/** Those who do not read each page whole (every-screen). */
const posts = accounts
  .slice(READERS.length)
  .map((account, i) => ({ account, look: LOOKS[(i + 1) % LOOKS.length]! }));

test.each(posts)(
  "as $account every permitted screen opens without an error; the others are not there",
  { timeout: 600_000 },
  async ({ account, look }) => openAll(here, await demoPerson(house, account), account, look),
);
