import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { CHROMIUM, FLAGS } from "../platform/checks/runner/browser.ts";
import type { Place } from "./place.ts";
import { median } from "./rounds.ts";

export type PageMeasure = { interactiveMs: number[]; median: number; worst: number; scriptKb: number };

/** CPU four times slower, 10 Mbps, 40 ms: an old office computer on an ordinary line. */
const SLOW = { cpu: 4, bytes: (10 * 1024 * 1024) / 8, latency: 40 };

type Opening = { path: string; token?: string; ready: string; slow: boolean };

/** A browser still opens windows of its own when it says it is ready; on two cores they would be measured with the page. */
const SETTLED_MS = 1500;

/**
 * Notes, inside the page and on its own clock, when `ready` can be seen and the main thread is free enough to answer.
 * Asked from outside, the asking itself would cost a slow page a tenth of its time.
 */
function watch(ready: string): void {
  const look = () => {
    const found = document.querySelector(ready);
    if (!found?.checkVisibility()) requestAnimationFrame(look);
    else setTimeout(() => Object.assign(window, { usableAt: performance.now() }), 0);
  };
  look();
}

/** Opens a page with a cold cache; answers milliseconds from the start of the navigation until it is usable, and kilobytes of script on the wire. */
async function openCold(browser: Browser, base: string, how: Opening): Promise<{ ms: number; kb: number }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "zh-CN" });
  if (how.token) await signIn(context, base, how.token);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await page.waitForTimeout(SETTLED_MS);
  if (how.slow) {
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOW.cpu });
    await cdp.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: SLOW.latency,
      downloadThroughput: SLOW.bytes,
      uploadThroughput: SLOW.bytes,
    });
  }
  const scripts = new Set<string>();
  let bytes = 0;
  cdp.on("Network.responseReceived", (e) => {
    if (e.type === "Script") scripts.add(e.requestId);
  });
  cdp.on("Network.loadingFinished", (e) => {
    if (scripts.has(e.requestId)) bytes += e.encodedDataLength;
  });
  await page.addInitScript(watch, how.ready);
  await page.goto(`${base}/sams${how.path}`, { waitUntil: "commit" });
  const usable = await page.waitForFunction(() => (window as { usableAt?: number }).usableAt, undefined, {
    polling: 200,
    timeout: 60_000,
  });
  const ms = (await usable.jsonValue())!;
  await context.close();
  return { ms, kb: bytes / 1024 };
}

/** As the login leaves a browser: the token kept by the page and in its cookie. */
async function signIn(context: BrowserContext, base: string, token: string): Promise<void> {
  await context.addCookies([{ name: "hzsk_token", value: token, url: `${base}/sams/` }]);
  await context.addInitScript(
    (t) => localStorage.setItem("sig__token", JSON.stringify({ value: t, until: null })),
    token,
  );
}

async function measure(base: string, how: Opening, rounds: number): Promise<PageMeasure> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  const times: number[] = [];
  let kb = 0;
  try {
    for (let i = 0; i < rounds; i++) {
      const opened = await openCold(browser, base, how);
      times.push(Math.round(opened.ms));
      kb = opened.kb;
    }
  } finally {
    await browser.close();
  }
  return {
    interactiveMs: times,
    median: median(times),
    worst: Math.max(...times),
    scriptKb: Math.round(kb * 10) / 10,
  };
}

export const measureLogin = (place: Place, rounds: number) =>
  measure(place.base, { path: "/user/login", ready: "button[type=submit]", slow: true }, rounds);
export const measureFirstList = async (place: Place, rounds: number) =>
  measure(
    place.base,
    {
      path: "/accountManage/BillListManage",
      token: await place.token("dianzhang01"),
      ready: "tbody tr.ant-table-row td",
      slow: true,
    },
    rounds,
  );

export type BoardMeasure = {
  rooms: number;
  readyMs: number[];
  median: number;
  worst: number;
  frameMs: { p99: number; worst: number };
};

/** The room board of a store of about 5,000 rooms: until tiles stand, and the frames of a scroll through all of it. */
export async function measureBoard(place: Place, rounds: number): Promise<BoardMeasure> {
  const { rows } = await place.database.pool.query<{ village_id: number; n: number }>(
    "select village_id, count(*)::int n from room where is_leaf group by 1 order by abs(count(*) - 5000) limit 1",
  );
  const token = await place.token("admin2026");
  const how = {
    path: `/configuration/apartment?villageId=${rows[0]!.village_id}`,
    token,
    ready: "[data-tile], .tile",
    slow: false,
  };
  const { interactiveMs, median: middle, worst } = await measure(place.base, how, rounds);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await signIn(context, place.base, token);
  const page = await context.newPage();
  await page.goto(`${place.base}/sams${how.path}`);
  await page.waitForSelector(how.ready);
  const frames = await page.evaluate(async () => {
    const tile = document.querySelector("[data-tile], .tile")!;
    let box: Element | null = tile;
    while (
      box &&
      (box.scrollHeight <= box.clientHeight + 10 || getComputedStyle(box).overflowY === "visible")
    )
      box = box.parentElement;
    const scroller = box ?? document.scrollingElement!;
    const gaps: number[] = [];
    let last = performance.now();
    for (let i = 0; i < 300; i++) {
      scroller.scrollTop += 120;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      gaps.push(now - last);
      last = now;
    }
    return gaps.toSorted((a, b) => a - b);
  });
  await browser.close();
  const frameMs = {
    p99: Math.round(frames[Math.floor(frames.length * 0.99)]!),
    worst: Math.round(frames.at(-1)!),
  };
  return { rooms: rows[0]!.n, readyMs: interactiveMs, median: middle, worst, frameMs };
}
