import { expect, test } from "vitest";
import { wrongName } from "./names.ts";
import { expectNone, filesOf } from "./tree.ts";

test("every file is called by what it holds", () => {
  const offenders = filesOf().flatMap((path) => {
    const why = wrongName(path);
    return why ? [`${path}: ${why}`] : [];
  });
  expectNone(offenders, "These names do not belong in the house");
});

test("good names pass", () => {
  for (const path of [
    "domains/finance/finance.md",
    "domains/finance/bill/bill.contract.ts",
    "domains/finance/bill/bills.page.tsx",
    "domains/finance/late-fee/late-fee.rules.test.ts",
    "domains/finance/bill/bill.form.test.tsx",
    "domains/listing/board/board.css",
    "platform/console/list/list.tsx",
    "platform/kernel/day.test.ts",
    "platform/server/postgres/postgres.sample.ts",
    "platform/checks/row-types.ts",
    "db/types.gen.ts",
    "db/migrations/0042-bill.sql",
    "index.html",
    "docs/screens.gen.md",
  ])
    expect(wrongName(path), path).toBeUndefined();
});

test("bad names do not", () => {
  const wrong = {
    "platform/server/utils.ts": "“utils” says nothing",
    "platform/console/index.ts": "“index” says nothing",
    "platform/helpers/list.ts": "“helpers” says nothing",
    "domains/finance/bill/bill-constants.ts": "“bill-constants” says nothing",
    "domains/finance/bill/types.ts": "“types” says nothing",
    "domains/billing/bill/bill.server.ts": "there is no domain billing",
    "domains/finance/bill/parts/bill.panel.tsx": "a noun's folder is flat",
    "domains/finance/Bill/bill.server.ts": "a noun is written in small letters",
    "domains/finance/bill/billList.page.tsx": "a file is called noun.role.ts",
    "domains/finance/bill/bill.ts": "a file is called noun.role.ts",
    "domains/finance/bill/bill.hooks.ts": "a file is called noun.role.ts",
    "domains/finance/bill/bills.page.ts": "a page ends in .tsx",
    "domains/finance/bill/bill.rules.tsx": "a rules ends in .ts",
    "domains/finance/README.md": "only finance.md stands beside the nouns",
    "platform/console/DataList.tsx": "a file is written in small letters",
    "platform/console/list.hooks.ts": ".hooks is no role",
    "platform/server/process/rest.ts": "“rest” does not say what is inside",
    "domains/finance/bill/around.queries.ts": "“around” does not say what is inside",
  };
  for (const [path, why] of Object.entries(wrong)) expect(wrongName(path), path).toContain(why);
});
