import { expect, test } from "vitest";
import { sourceOf } from "./imports.ts";
import { DOMAINS } from "./house.ts";
import { expectNone, filesOf, isCode, isGenerated, textOf } from "./tree.ts";
import { circles, impurities, nounOrderOf, throughWalls } from "./walls.ts";

const sources = filesOf()
  .filter((path) => isCode(path) && !isGenerated(path))
  .map((path) => sourceOf(path, textOf(path)));

const glossaries = new Map(
  filesOf()
    .filter((path) => DOMAINS.some((domain) => path === `domains/${domain}/${domain}.md`))
    .map((path) => [path.split("/")[1]!, textOf(path)]),
);
const orders = new Map(
  [...glossaries].flatMap(([domain, text]) => {
    const nouns = nounOrderOf(text);
    return nouns ? [[domain, nouns] as const] : [];
  }),
);

test("no import goes through a wall", () =>
  expectNone(throughWalls(sources, orders), "These imports go through a wall"));

test("imports run in no circle", () =>
  expectNone(circles(sources), "These files import each other in a circle"));

test("rules know no clock, no randomness and no I/O", () =>
  expectNone(impurities(sources), "Rules are pure: today and chance are arguments"));

const why = (path: string, ...imported: string[]) =>
  throughWalls([sourceOf(path, imported.map((to) => `import "${to}";`).join("\n"))]).map(
    (line) => line.split(": ")[1],
  );
const bill = "domains/finance/bill/bill";

test("the walls stop what they should", () => {
  const console = "console files never import server files";
  const server = "server files never import console files";
  const shared = "contract and rules import only the kernel, zod and other contracts and rules";
  const meet = "domains meet only at contract, rules and service";
  expect(why(`${bill}.form.tsx`, "./bill.server.ts", "../../../platform/server/http.ts", "pg")).toEqual([
    console,
    console,
    console,
  ]);
  expect(why("platform/console/list.tsx", "../server/http.ts", "../../db/types.gen.ts")).toEqual([
    console,
    console,
  ]);
  expect(why(`${bill}.job.ts`, "./bill.panel.tsx", "../../../platform/console/list.tsx", "antd")).toEqual([
    server,
    server,
    server,
  ]);
  expect(why(`${bill}.rules.ts`, "./bill.service.ts", "dayjs")).toEqual([shared, shared]);
  expect(why(`${bill}.contract.ts`, "../../../platform/checks/tree.ts")).toEqual([shared]);
  expect(why("platform/kernel/day.ts", "dayjs", "../server/http.ts")).toHaveLength(2);
  expect(why(`${bill}.server.ts`, "../../listing/room/room.server.ts")).toEqual([meet]);
  expect(why(`${bill}s.page.tsx`, "../../listing/room/room.panel.tsx")).toEqual([meet]);
  expect(why(`${bill}.service.ts`, "../../contract/lease/lease.service.ts")).toEqual([
    "finance may not depend on contract, which stands to its right",
  ]);
  expect(why("platform/server/http.ts", `../../${bill}.contract.ts`)).toEqual(["platform knows no domain"]);
});

test("and let through what they should", () => {
  expect(
    why(
      `${bill}.form.tsx`,
      "./bill.contract.ts",
      "./bill.rules.ts",
      "antd",
      "../../listing/room/room.contract.ts",
    ),
  ).toEqual([]);
  expect(
    why(
      `${bill}.server.ts`,
      "./bill.service.ts",
      "kysely",
      "node:crypto",
      "../../listing/room/room.service.ts",
    ),
  ).toEqual([]);
  expect(
    why(`${bill}.rules.ts`, "zod", "../../../platform/kernel/fen.ts", "../../access/role/role.contract.ts"),
  ).toEqual([]);
  expect(why(`${bill}.server.test.ts`, "../../contract/lease/lease.sample.ts", "./bills.page.tsx")).toEqual(
    [],
  );
  expect(why(`${bill}.sample.ts`, "../../listing/room/room.sample.ts")).toEqual([]);
  expect(why("server.ts", `./${bill}.server.ts`)).toEqual([]);
});

test("nouns of a domain depend only on those to their left", () => {
  const order = new Map([["finance", ["bill", "flow"]]]);
  const inOrder = (path: string, to: string) =>
    throughWalls([sourceOf(path, `import "${to}";`)], order).map((line) => line.split(": ")[1]);
  const flow = "domains/finance/flow/flow";
  expect(inOrder(`${flow}.panel.tsx`, "../bill/bill.panel.tsx")).toEqual([]);
  expect(inOrder(`${bill}.panel.tsx`, "../flow/flow.panel.tsx")).toEqual([
    "bill may not depend on flow, which stands to its right in finance",
  ]);
  expect(inOrder(`${flow}.server.ts`, "../refund/refund.service.ts")).toEqual([
    "refund is missing in the order of nouns of finance",
  ]);
  expect(inOrder(`${bill}.sample.ts`, "../flow/flow.sample.ts")).toEqual([]);
  expect(nounOrderOf("# Finance\n\nOrder of nouns: bill · flow\n")).toEqual(["bill", "flow"]);
});

test("every way to import is seen, and comments are not", () => {
  const text = [
    'import type { A } from "../../../platform/server/a.ts";',
    'export { b } from "../../../platform/server/b.ts";',
    'const c = () => import("../../../platform/server/c.ts");',
    'type D = import("../../../platform/server/d.ts").D;',
    '// import "../../../platform/server/e.ts";',
    'const 房 = "房态"; /* import("../../../platform/server/f.ts") */',
  ].join("\n");
  const seen = throughWalls([sourceOf(`${bill}.form.tsx`, text)]).map((line) => line.split(" imports ")[0]);
  expect(seen).toEqual([1, 2, 3, 4].map((n) => `${bill}.form.tsx:${n}`));
});

test("a circle is named once, and a page that loads later closes none", () => {
  const a = sourceOf("platform/server/a.ts", 'import "./b.ts";');
  const b = sourceOf("platform/server/b.ts", 'import type { A } from "./a.ts";');
  const lazy = sourceOf("platform/server/b.ts", 'void import("./a.ts");');
  expect(circles([a, b])).toEqual(["platform/server/a.ts → platform/server/b.ts → platform/server/a.ts"]);
  expect(circles([a, lazy])).toEqual([]);
});

test("impure rules are found, words about them are not", () => {
  const rules = (code: string) => impurities([sourceOf(`${bill}.rules.ts`, code)]);
  expect(rules("const a = 1;\nconst t = new Date();")).toEqual([`${bill}.rules.ts:2 new Date`]);
  expect(rules('import { x } from "node:fs"; Date.now(); Math.random();')).toHaveLength(3);
  expect(
    rules(
      "// new Date() is no business of ours\nexport const overdue = (due: string, today: string) => due < today;",
    ),
  ).toEqual([]);
});
