import fs from "node:fs";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { command } from "../server/process/command.ts";
import { ROOT } from "../server/process/settings.ts";
import { inFewColours } from "./few-colours.ts";
import { CHROMIUM, FLAGS } from "./runner/browser.ts";

type Shot = {
  /** Below docs/manual/pictures, without its ending. */
  file: string;
  path: string;
  /** What is seen when the page is ready. */
  ready: string;
  phone?: boolean;
  open?: (page: Page) => Promise<void>;
};

const first = (page: Page, selector: string) => page.locator(selector).first().click();

/** Opens what stands first in the list of the page. */
const openFirst = (page: Page) => first(page, ".sheet tbody tr.ant-table-row .linkish");

/**
 * The pictures of docs/manual that show a screen of the demonstration as its company's administrator sees it; what people
 * do step by step is kept by the stories (`keepPicture`).
 */
const SHOTS: Shot[] = [
  { file: "workbench", path: "/workbench/WorkbenchPage", ready: "text=今日房态" },
  { file: "phone", path: "/workbench/WorkbenchPage", ready: "text=今日数据", phone: true },
  {
    file: "display",
    path: "/workbench/WorkbenchPage",
    ready: "text=今日房态",
    open: async (page) => {
      await first(page, ".me");
      await page.getByText("显示设置").click();
      await page.waitForTimeout(500);
    },
  },
  { file: "messages", path: "/msgManage/manageHome", ready: ".sheet" },
  { file: "villages", path: "/configuration/apartment", ready: "text=合计" },
  {
    file: "board",
    path: "/configuration/apartment",
    // the store that was open last stands there at once
    ready: ':text("合计"), .rb__all',
    open: async (page) => {
      if (!(await page.locator(".rb__all").count()))
        await page.getByRole("button", { name: "滨江店" }).click();
      await page.locator(".rb__all").first().waitFor();
      await page.waitForTimeout(1200);
    },
  },
  {
    file: "contract",
    path: "/contract/RenterContractPage",
    ready: ".sheet",
    open: (page) => page.locator(".sheet").getByText(/^HT2/).first().click(),
  },
  { file: "bills", path: "/accountManage/BillListManage", ready: ".sheet" },
  { file: "bills-by-village", path: "/accountManage/BillListManageByVillage", ready: "text=合计" },
  { file: "refunds", path: "/accountManage/RefundManage?tab=all", ready: ".sheet", open: openFirst },
  { file: "claims", path: "/accountManage/CorporateFlow", ready: ".sheet" },
  { file: "takings", path: "/accountManage/SubmissionManage?tab=all", ready: ".sheet", open: openFirst },
  { file: "invoices", path: "/accountManage/InvoiceManage?tab=all", ready: ".sheet" },
  { file: "posting", path: "/accountManage/PostState", ready: "text=点击月份查看" },
  { file: "third-party", path: "/accountManage/ThirdPartIncomeSheet", ready: ".sheet" },
  { file: "budget", path: "/accountManage/BudgetManage", ready: ".sheet", open: openFirst },
  { file: "archive", path: "/contract/ArchiveManagePage", ready: ".sheet" },
  { file: "books", path: "/report/FinancePage", ready: "text=期末资金" },
  { file: "counter", path: "/accountManage/addBillFlow", ready: "text=分配试算" },
  { file: "owing", path: "/report/owingReport", ready: ".sheet" },
  {
    file: "modules",
    path: "/system/AuditModule",
    ready: "text=账单作废审批",
    open: (page) => page.getByText("账单作废审批").click(),
  },
  { file: "authority", path: "/system/AuthorityManagement", ready: "text=dianzhang01" },
];

const board = SHOTS.find((shot) => shot.file === "board")!;
/** Those of the README, larger. */
const FRONT: Shot[] = [
  { file: "workbench", path: "/workbench/WorkbenchPage", ready: "text=今日房态" },
  board,
  { file: "dashboard", path: "/workbench/overview2", ready: "text=出租率" },
  { file: "bills", path: "/accountManage/BillListManage", ready: ".sheet" },
  { file: "posting", path: "/accountManage/PostState", ready: "text=点击月份查看" },
];

async function sign(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/sams/user/login`);
  await page.locator("input:not([type=checkbox])").first().fill("qinghe01");
  await page.locator("input[type=password]").fill("demo2026");
  await page.keyboard.press("Enter");
  await page.waitForURL(/workbench/);
}

/** `npm run pictures -- http://127.0.0.1:8080`: takes them anew, from a demonstration that runs there. */
await command(import.meta, async ([base = "http://127.0.0.1:8080"]) => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS] });
  try {
    const context = await browser.newContext({ locale: "zh-CN", timezoneId: "Asia/Shanghai" });
    await context.addInitScript(() =>
      localStorage.setItem("sig__look", JSON.stringify({ value: "light", until: null })),
    );
    const page = await context.newPage();
    const take = async (shot: Shot, folder: string, width: number, height: number) => {
      await page.setViewportSize({ width, height });
      await page.goto(`${base}/sams${shot.path}`);
      await page.locator(shot.ready).first().waitFor();
      await page.waitForTimeout(1000);
      await shot.open?.(page);
      await page.waitForTimeout(900);
      fs.writeFileSync(
        path.join(ROOT, "docs", folder, `${shot.file}.png`),
        inFewColours(await page.screenshot()),
      );
    };
    await take(
      { file: "login", path: "/user/login", ready: "input[type=password]" },
      "manual/pictures",
      1280,
      720,
    );
    await sign(page, base);
    for (const shot of SHOTS)
      await take(shot, "manual/pictures", shot.phone ? 390 : 1280, shot.phone ? 760 : 720);
    for (const shot of FRONT) await take(shot, "pictures", 1440, 900);
  } finally {
    // one that stays open would keep a failed run from ending
    await browser.close();
  }
});
