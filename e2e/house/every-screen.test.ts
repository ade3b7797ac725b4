import { expect, test } from "vitest";
import { demoPerson, story } from "../browser.sample.ts";
import { openAll, READERS } from "../screens.sample.ts";

const here = await story();

test("people get React's small edition, whoever had the console built", async () => {
  const page = await (await fetch(`${here.base}/`)).text();
  const chunk = /\/sams(\/assets\/react-[\w-]+\.js)/.exec(page)?.[1];
  expect(await (await fetch(here.base + chunk)).text()).toContain("Minified React error");
});

test(
  "who may see all opens every screen without an error, light and dark, and who runs an enterprise on a phone",
  { timeout: 900_000 },
  async () => {
    await Promise.all(
      READERS.map(async ({ account, look }) =>
        openAll(here, await demoPerson(here.house, account), account, look),
      ),
    );
  },
);
