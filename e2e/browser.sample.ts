import path from "node:path";
import { afterAll, expect, onTestFailed } from "vitest";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { CHROMIUM, FLAGS } from "../platform/checks/runner/browser.ts";
import { testHouse, type Person, type TestHouse } from "../platform/server/process/house.sample.ts";
import { ROOT } from "../platform/server/process/settings.ts";
import { DEMO_KEY, demoCompany } from "../demo/demo.sample.ts";

/** Keeps a picture of the page when the running test fails: what a person would have seen. Call it in `beforeEach`. */
export const pictureOnFailure = (pageNow: () => Page): void =>
  onTestFailed(async ({ task }) => {
    const name = `${task.name.replace(/[^\w\u4e00-\u9fff]+/g, "-").slice(0, 80)}.png`;
    await pageNow().screenshot({ path: path.join(ROOT, "test-results", name) });
  });

export type Size = { width: number; height: number };
export const DESK: Size = { width: 1280, height: 800 };
export const PHONE: Size = { width: 390, height: 844 };

export type Story = {
  house: TestHouse;
  base: string;
  /** A window of its own: nobody's, or that of a signed-in person. Errors on its console are collected. */
  open: (how?: {
    as?: Person;
    size?: Size;
    /** `system`: as the browser says, light unless it is told otherwise. */
    theme?: "light" | "dark" | "system";
  }) => Promise<{ page: Page; context: BrowserContext; errors: string[] }>;
  /** Through the login page, as a person of the demo company. */
  signIn: (page: Page, account: string, password?: string) => Promise<void>;
};

/** Chooses from the menu below the avatar. */
export const fromAvatar = async (page: Page, label: string): Promise<void> => {
  // a menu on its way out would take the click for itself
  await expect.poll(() => page.locator(".ant-dropdown:visible").count()).toBe(0);
  await page.locator("button.me").click();
  await page.getByRole("menuitem", { name: label, exact: true }).click();
};

/** One browser for all stories of a worker, which ends with it; each story has windows of its own. */
let running: Promise<Browser> | undefined;

/** The real server with the real console over a small demo company, and a browser. Call it at the top of a story. */
export async function story(
  options: { rooms?: number; settings?: Record<string, string> } = {},
): Promise<Story> {
  const house = await testHouse({
    poolSize: 10,
    console: `${ROOT}/dist/console`,
    work: true,
    settings: { ...DEMO_KEY, ...options.settings },
    template: await demoCompany(options.rooms ?? 120),
  });
  await house.app.listen({ host: "127.0.0.1", port: Number(options.settings?.["PORT"] ?? 0) });
  const address = house.app.server.address();
  const base = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/sams`;
  running ??= chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  const browser = await running;
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));

  const open: Story["open"] = async ({ as, size = DESK, theme = "light" } = {}) => {
    const context = await browser.newContext({
      viewport: size,
      locale: "zh-CN",
      timezoneId: "Asia/Shanghai",
      reducedMotion: "reduce",
    });
    const kept = { look: theme, ...(as && { token: as.token }) };
    await context.addInitScript((values) => {
      for (const [key, value] of Object.entries(values))
        if (!localStorage.getItem(`sig__${key}`))
          localStorage.setItem(`sig__${key}`, JSON.stringify({ value, until: null }));
    }, kept);
    // what the content policy refuses is an error too; the browser itself is silent about some of it
    await context.addInitScript(() =>
      addEventListener("securitypolicyviolation", (event) =>
        console.error(`refused by the content policy: ${event.effectiveDirective} ${event.sourceFile}`),
      ),
    );
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    return { page, context, errors };
  };
  const signIn: Story["signIn"] = async (page, account, password = "demo2026") => {
    await page.goto(`${base}/user/login`);
    await page.getByLabel("账号", { exact: true }).fill(account);
    await page.getByLabel("密码", { exact: true }).fill(password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/workbench/WorkbenchPage");
  };
  return { house, base, open, signIn };
}

/** Waits until the page has had all it asked for, and has asked for nothing more for a moment (milliseconds). */
export function settling(page: Page, moment = 200): () => Promise<void> {
  let waiting = 0;
  let quietSince = Date.now();
  const end = () => {
    waiting--;
    quietSince = Date.now();
  };
  page.on("request", () => waiting++);
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return async () => {
    quietSince = Date.now();
    while (waiting > 0 || Date.now() - quietSince < moment) await page.waitForTimeout(25);
  };
}

/**
 * Chooses from a menu that a click opens. On a busy machine a page that is still being put together may close it again;
 * then it is opened once more, as a person would.
 */
export async function choose(openMenu: () => Promise<void>, item: Locator): Promise<void> {
  for (let tries = 1; ; tries++) {
    await openMenu();
    try {
      return await item.click({ timeout: 5_000 });
    } catch (error) {
      if (tries === 4) throw error;
    }
  }
}

/** A person of the demo company by account, signed in without the login page. */
export async function demoPerson(house: TestHouse, account: string): Promise<Person> {
  const { hashOf, newToken } = await import("../platform/server/pipeline/session.ts");
  const operator = await house.database.db
    .selectFrom("operator")
    .select("id")
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  const token = newToken();
  await house.database.db
    .insertInto("loginSession")
    .values({
      operatorId: operator.id,
      tokenHash: hashOf(token),
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    .execute();
  return { operatorId: operator.id, token };
}
