import { expect, test } from "vitest";
import { demoPerson, story } from "../browser.sample.ts";
import { accounts, LOOKS, openAll } from "../screens.sample.ts";

const here = await story();

test("people get React's small edition, whoever had the console built", async () => {
  const page = await (await fetch(`${here.base}/`)).text();
  const chunk = /\/sams(\/assets\/react-[\w-]+\.js)/.exec(page)?.[1];
  expect(await (await fetch(here.base + chunk)).text()).toContain("Minified React error");
});

test(
  "who may see all opens every screen without an error, light, dark and on a phone",
  { timeout: 900_000 },
  async () => {
    const as = await demoPerson(here.house, accounts[0]!);
    const windows = LOOKS.filter(({ theme }) => theme !== "dark");
    await Promise.all(windows.map((look) => openAll(here, as, accounts[0]!, look)));
  },
);
