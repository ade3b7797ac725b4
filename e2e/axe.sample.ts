import axe from "axe-core";
import type { Page } from "playwright-core";

const TRIES = 3;

/** Advice beyond the standard whose breach axe calls serious or critical. */
const ADVICE = [
  "accesskeys",
  "aria-dialog-name",
  "aria-text",
  "aria-treeitem-name",
  "frame-tested",
  "label-title-only",
  "tabindex",
];
/** What is judged: the standard and that advice. Less serious advice costs as much to look for and would be thrown away. */
const RULES = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
  rules: Object.fromEntries(ADVICE.map((rule) => [rule, { enabled: true }])),
};

/** What opens over a page, which is out of reach meanwhile and read by itself. */
export const COVER = "[role=dialog], .ant-drawer";

/**
 * What keeps somebody from reading or using what is shown now: each fault that axe calls serious or critical, one line
 * each. What is on its way is faint on purpose, and a list may be fetched anew at any moment: only what stays counts.
 * `colours`: of a page that was read in another theme already, only what the theme changes.
 */
export async function faultsOf(
  page: Page,
  { within, colours = false }: { within?: string; colours?: boolean } = {},
): Promise<string[]> {
  const covered = (await page.locator(`:is(${COVER}):visible`).count()) > 0;
  const at = within ?? (covered ? COVER : "body");
  for (let tries = 1; ; tries++) {
    const faults = await faultsNow(page, at, colours);
    if (!faults.length || tries === TRIES) return faults;
    await page.waitForTimeout(800);
  }
}

/** The same in light and, for the colours, in dark: of a window that follows the system's theme (`theme: "system"`). */
export async function faultsInBoth(page: Page): Promise<string[]> {
  const turn = async (to: "light" | "dark") => {
    await page.emulateMedia({ colorScheme: to });
    await page.locator(`html[data-theme=${to}]`).waitFor();
  };
  const light = await faultsOf(page);
  await turn("dark");
  const dark = await faultsOf(page, { colours: true });
  await turn("light");
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}

async function faultsNow(page: Page, within: string, colours: boolean): Promise<string[]> {
  const passing = [".skel", ".skel__rows", ".sheet--stale", ".ant-zoom-big", ".ant-slide-up"];
  const seen = passing.map((name) => `${name}:visible`).join(", ");
  await page.locator(seen).first().waitFor({ state: "detached" });
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([at, how]) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(at, {
        resultTypes: ["violations"],
        preload: false,
        ...how,
      });
      return violations
        .filter((v) => v.impact === "serious" || v.impact === "critical")
        .flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)} ${n.any[0]?.message ?? ""}`));
    },
    [within, colours ? { runOnly: ["color-contrast"] } : RULES] as const,
  );
}
