import { expect, test } from "vitest";
import { addressOf, reachedBy, reachOf } from "./changed.ts";
import { sourceOf } from "../imports.ts";
import { filesOf, textOf } from "../tree.ts";

const files: Record<string, string> = {
  "domains/listing/room/room.contract.ts": "export const rooms = 1;",
  "domains/listing/room/room.queries.ts": "export const rows = 1;",
  "domains/listing/room/room.server.ts": 'import "./room.contract.ts"; import "./room.queries.ts";',
  "domains/listing/room/rooms.page.tsx": 'import "./room.contract.ts"; import "./room.panel.tsx";',
  "domains/listing/room/room.panel.tsx": "export const Panel = 1;",
  "domains/listing/room/room.rules.ts": "export const rule = 1;",
  "domains/listing/room/room.rules.test.ts": 'import "./room.rules.ts";',
  "domains/listing/room/room.server.test.ts": 'import "./room.contract.ts";',
  "domains/finance/bill/bill.server.test.ts": 'import "./bill.contract.ts";',
  "domains/finance/bill/bill.contract.ts": "export const bills = 1;",
  "domains/finance/bill/bill.server.ts": 'import "./bill.contract.ts";',
  "domains/finance/bill/bill.job.ts": 'import "./late.service.ts";',
  "domains/finance/bill/late.service.ts": "export const late = 1;",
  "domains/finance/bill/late.server.test.ts": 'import "./bill.contract.ts";',
  "screens/house.ts":
    'export const house = [{ path: "/configuration/room", load: () => import("../domains/listing/room/rooms.page.tsx") }];',
  "e2e/rooms.test.ts": 'await page.goto("/configuration/room");',
  "e2e/finance/bills.test.ts": 'await page.goto("/accountManage/BillListManage");',
};
const house = {
  sources: Object.entries(files).map(([path, text]) => sourceOf(path, text)),
  text: (path: string) => files[path]!,
  made: (path: string) => (path === "db/routines/listing/room_status.sql" ? ["room_status_at"] : []),
  users: (names: readonly string[]) =>
    names.includes("room_status_at") ? ["domains/listing/room/room.queries.ts"] : [],
};
const reached = (...changed: string[]) =>
  reachedBy(changed, house).filter((path) => !path.startsWith("platform/checks/"));

test("a rule reaches its tests, a query the tests of the calls that use it, a panel the stories of its page", () => {
  const room = "domains/listing/room/room";
  expect(reached(`${room}.rules.ts`)).toEqual([`${room}.rules.test.ts`]);
  expect(reached(`${room}.queries.ts`)).toEqual([`${room}.server.test.ts`]);
  expect(reached(`${room}.panel.tsx`)).toEqual(["e2e/rooms.test.ts"]);
  expect(reached("db/routines/listing/room_status.sql")).toEqual([`${room}.server.test.ts`]);
  expect(reached("docs/console.md")).toEqual([]);
});

test("what a job does reaches the tests of its noun", () => {
  const bill = "domains/finance/bill";
  expect(reached(`${bill}/late.service.ts`)).toEqual([
    `${bill}/bill.server.test.ts`,
    `${bill}/late.server.test.ts`,
  ]);
});

test("checks about the whole house that take a moment come along", () => {
  expect(reachedBy([], house)).toContain("platform/checks/walls.test.ts");
});

test(
  "of the tree as it stands every screen's page has its address, a change of it its stories, a migration its tests",
  { timeout: 60_000 },
  () => {
    const screens = filesOf().filter((path) => path.startsWith("screens/"));
    const pages = screens.flatMap((path) =>
      sourceOf(path, textOf(path))
        .imports.filter(({ to, lazy }) => lazy && to.endsWith(".page.tsx"))
        .map(({ to }) => [to, addressOf(textOf(path), to)] as const),
    );
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter(([, address]) => !address?.startsWith("/"))).toEqual([]);
    expect(new Set(pages.map(([, address]) => address)).size).toBe(new Set(pages.map(([to]) => to)).size);
    const reaches = reachOf();
    expect(reaches(["domains/finance/bill-list/bills.page.tsx"])).toContain("e2e/finance/bills.test.ts");
    expect(reaches(["db/migrations/0017-esign.sql"])).toContain(
      "domains/contract/esign/esign.server.test.ts",
    );
    // bills_due is made of bill_due
    expect(reaches(["db/migrations/0134-bill-due.sql"])).toContain(
      "domains/finance/bill-list/by-village.server.test.ts",
    );
  },
);
