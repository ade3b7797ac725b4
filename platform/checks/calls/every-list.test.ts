import { describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import { demoCompany } from "../../../demo/demo.sample.ts";
import { rowShape, shapeOf, sortable } from "../../console/list/list-schema.ts";
import type { Call } from "../../kernel/call.ts";
import { dayInZone } from "../../kernel/day.ts";
import { type Kind, metaOf } from "../../kernel/field.ts";
import { type FilterMeta, filterOf } from "../../kernel/filter.ts";
import { testHouse } from "../../server/process/house.sample.ts";

/**
 * Every list over the demo company: it counts and adds up what it shows, its pages are one order, each order is one of what is
 * shown with the empty at the end, each filter leaves exactly the rows that say so themselves, each text finds its record, and a
 * record says the same in its detail. Where a filter asks for something that stands in no column, it leaves no more rows than there were.
 */
const house = await testHouse({ template: await demoCompany(120, "2026-11-20") });
const boss = await house.person({ superType: "1" });

/** Rows that are read of a list: of a longer one its rows are judged, and not how many there are. */
const MOST = 400;
/** Asked about something that has to be named, or of the platform alone. */
const ASKS_FOR_MORE = [
  "/system/api/v3/registerApplication",
  "/system/api/v3/outbox",
  "/billing/api/v3/posting/entries",
  "/room/api/v3/roomStatus",
  "/report/api/v3/overview/ranking",
  "/report/api/v3/overview/moved",
  "/report/api/v3/overview/ending",
  "/report/api/v3/indicatorTarget/sheet",
];
/** Orders that are not those of their column. */
const ORDERED_OTHERWISE: Record<string, string> = {
  "/billing/api/v3/bill daysOverdue": "what is not due yet is less than what is, and says nothing",
  "/billing/api/v3/reconcile diff": "by the size of the difference",
  "/billing/api/v3/merchantAccount kind": "as kinds are listed everywhere",
  "/room/api/v3/floor number": "building by building",
  "/report/api/v3/journal postedAt": "as entries were numbered; the demo company books the past afterwards",
  "/report/api/v3/budget/indicatorComplete reached": "indicator by indicator, the worse first",
  "/report/api/v3/budget/villageComplete/rows villageName":
    "store by store, the indicators of each as they are nested",
  "/system/api/v3/announcement/getList publishAt": "what is pinned stays on top",
  "/system/api/v3/job title": "jobs have one order",
};
/** Dictionaries stand group by group. */
const ofGroups = /^\/system\/api\/v3\/dic\//;
/** Sums that are not those of the rows. */
const SUMMED_OTHERWISE: Record<string, string> = {
  "/customer/api/v3/commission amount": "what is void is not owed",
  "/billing/api/v3/bill/byVillage longest": "the longest of all",
  "/billing/api/v3/bill/byVillage rate": "the rate of the whole",
  "/billing/api/v3/refund/byVillage waiting": "the mean of the whole",
  "/billing/api/v3/budget reached": "the rate of the whole",
};
type Row = Record<string, unknown> & { id: number };
type Holds = (row: Row, value: string) => boolean;
const owes: Holds = ({ arrears }, value) => (value === "yes") === Number(arrears) > 0;
/** What a row says of a filter in another way than by the word itself. */
const SAID: Record<string, Holds | "in no column"> = {
  "/customer/api/v3/renter arrears": owes,
  "/customer/api/v3/company arrears": owes,
  "/customer/api/v3/merchant arrears": owes,
  "/system/api/v3/template contractKind": (row, kind) =>
    row["contractKind"] === null || row["contractKind"] === kind,
  "/billing/api/v3/flow unallocated": (row, value) => (value === "true") === Number(row["unallocated"]) > 0,
  // a row is a place in the list
  "/report/api/v3/budget/indicatorComplete villageIds": "in no column",
  // of what is not sent yet, the day it was made
  "/customer/api/v3/push from": "in no column",
  // 逾期 and 未开票 are no tags of a row
  "/billing/api/v3/bill tag": "in no column",
  // of each bill or refund, not of a store's
  "/billing/api/v3/bill/byVillage amountFrom": "in no column",
  "/billing/api/v3/refund/byVillage amountFrom": "in no column",
};
/** Without it a list shows one kind of what it has. */
const DEFAULTED = ["tab", "/contract/api/v3/contract kind", "/report/api/v3/owing mode"];
/** The lists of companies' and of merchants' contracts are of one kind. */
const isOfOneKind = /^\/contract\/api\/v3\/contract\/\w+$/;
/** What a record says otherwise in its detail. */
const TOLD_OTHERWISE: Record<string, string> = {
  "/room/api/v3/apartment rooms": "the rooms themselves instead of how many there are",
  "/room/api/v3/apartment source": "the word's code, for the form",
  "/billing/api/v3/bankLine hint": "of one line more is tried than of a page of them",
  "/billing/api/v3/bankLine suggestion": "of one line more is tried than of a page of them",
};
type Asked = Record<string, string>;
/** Asked for one store, whose rows are nested below it. */
const OF_ONE: Record<string, Asked> = {
  "/report/api/v3/budget/villageComplete/rows": { villageIds: "1" },
};

type Answer = { list: Row[]; total: number | null; sums?: Record<string, number | null> | null };

async function told(url: string): Promise<unknown> {
  const answer = await house.app.inject({ method: "GET", url, headers: { authorization: boss.token } });
  expect(answer.statusCode, `${url} ${answer.body.slice(0, 200)}`).toBe(200);
  return answer.json().data as unknown;
}
const page = (c: Call, asked: Asked) =>
  told(`${c.path}?${new URLSearchParams({ ...OF_ONE[c.path], ...asked })}`) as Promise<Answer>;
const one = (c: Call, id: number) => told(c.path.replace(/:\w+$/, String(id))) as Promise<object>;
/** The rows up to `MOST`, in the order of their pages. */
async function all(c: Call, asked: Asked = {}): Promise<Answer & { whole: boolean }> {
  const rows: Row[] = [];
  for (let pageNo = 1; ; pageNo++) {
    const found = await page(c, { ...asked, pageNo: String(pageNo), pageSize: "200" });
    rows.push(...found.list);
    const whole = found.list.length < 200;
    if (whole || rows.length >= MOST) return { ...found, list: rows, whole };
  }
}

const lists = house.served
  .map((s) => s.call)
  .filter((c) => {
    const names = c.query ? shapeOf(c.query) : {};
    return c.method === "GET" && !c.path.includes(":") && "want" in names && "list" in shapeOf(c.reply);
  })
  .filter((c) => !ASKS_FOR_MORE.includes(c.path));

const idsOf = (rows: readonly Row[]) => rows.map((row) => row.id);
const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
const isEmpty = (value: unknown) => value === null || value === undefined || value === "";
const asDay = (value: unknown): string | null =>
  typeof value !== "string" || !value ? null : value.length > 10 ? dayInZone(new Date(value)) : value;

/** The column that a filter is about: of its own name, or of its title and one of the kinds. */
function columnOf(shape: ReturnType<typeof rowShape>, key: string, title: string, kinds: readonly Kind[]) {
  if (key in shape) return key;
  return Object.keys(shape).find((at) => {
    const meta = metaOf(shape[at]!);
    return meta?.title === title && kinds.includes(meta.kind);
  });
}

/** The first of the records that a row names. */
const NAMED = { kind: "record", title: "" } as unknown as FilterMeta;
type Case = { asked: Asked; holds: ((row: Row) => boolean) | undefined };

/** What is tried of a filter, with what each row that is left has to say; nothing where no row has a value. */
function casesOf(c: Call, key: string, filter: FilterMeta, rows: readonly Row[]): Case[] {
  const shape = rowShape(c);
  const said = SAID[`${c.path} ${key}`];
  const each = (values: readonly string[], holds: Holds | undefined): Case[] =>
    values.map((value) => ({
      asked: { [key]: value },
      holds:
        said === "in no column" || !(said ?? holds)
          ? undefined
          : (row) => (said ?? holds)!(row, value) as boolean,
    }));
  switch (filter.kind) {
    case "choice": {
      if (!("words" in filter)) return [];
      const at = columnOf(shape, key, filter.title, ["status", "tags"]);
      const kind = at && metaOf(shape[at]!)?.kind;
      const holds: Holds | undefined =
        at && kind !== "money" && kind !== "number"
          ? (row, value) =>
              [row[at]].flat().some((one) => String(one) === value || one === filter.words[value]![0])
          : undefined;
      return each(
        Object.keys(filter.words).filter((word) => word !== "all"),
        holds,
      );
    }
    case "flag": {
      const at = columnOf(shape, key, filter.title, ["flag"]);
      return each(["true"], at ? (row) => row[at] === true : undefined);
    }
    case "village":
    case "record": {
      const at = key.replace(/Ids$/, "Id");
      const value = said ? undefined : rows.map((row) => row[at]).find((one) => typeof one === "number");
      return value === undefined ? [] : each([String(value)], (row, asked) => String(row[at]) === asked);
    }
    case "days":
    case "money":
    case "range": {
      if (key !== filter.from) return [];
      const kinds: Kind[] = filter.kind === "days" ? ["day", "instant", "month"] : ["money", "number"];
      const at = columnOf(shape, key.replace(/From$/, ""), filter.title, kinds);
      if (!at || said === "in no column") return [];
      const of = (row: Row) => (filter.kind === "days" ? asDay(row[at]) : row[at]) as never;
      const values = [...new Set(rows.map(of).filter((value) => !isEmpty(value)))].toSorted((a, b) =>
        a < b ? -1 : 1,
      );
      const middle = values[values.length >> 1];
      if (middle === undefined) return [];
      const known = (row: Row) => !isEmpty(of(row));
      // a month is asked for by its first day
      const sent = /^\d{4}-\d{2}$/.test(middle) ? `${middle as string}-01` : String(middle);
      return [
        { asked: { [filter.from]: sent }, holds: (row) => known(row) && of(row) >= middle },
        { asked: { [filter.to]: sent }, holds: (row) => known(row) && of(row) <= middle },
      ];
    }
    default:
      return [];
  }
}

/** Columns of texts that a keyword is looked up in, by what its box says. */
function wordsFor({ title }: FilterMeta, shape: ReturnType<typeof rowShape>): string[] {
  const kinds: Kind[] = ["text", "link", "person", "room", "phone"];
  return Object.keys(shape).filter((key) => {
    const meta = metaOf(shape[key]!);
    return meta && kinds.includes(meta.kind) && title.includes(meta.title);
  });
}
const detailOf = ({ path }: Call): Call | undefined =>
  house.served
    .map((one) => one.call)
    .find(
      (one) =>
        one.method === "GET" &&
        one.path.startsWith(`${path}/:`) &&
        !one.path.slice(path.length + 2).includes("/"),
    );

describe.each(lists.map((c) => [c.path, c] as const))("%s", (path, c) => {
  const shape = rowShape(c);

  test("counts and adds up what it shows, page by page and apart", async () => {
    const { list, total, sums, whole } = await all(c);
    expect(new Set(idsOf(list)).size).toBe(list.length);
    const small = [await page(c, { pageSize: "7" }), await page(c, { pageSize: "7", pageNo: "2" })];
    expect(small.flatMap((one) => idsOf(one.list))).toEqual(idsOf(list.slice(0, 14)));
    const [rows, totals] = [await page(c, { want: "rows" }), await page(c, { want: "totals" })];
    expect(idsOf(rows.list)).toEqual(idsOf(list.slice(0, 20)));
    expect([totals.total, totals.sums ?? null]).toEqual([total, sums ?? null]);
    if (!whole) return expect(total).toBeGreaterThanOrEqual(MOST);
    expect(total).toBe(list.length);
    for (const [key, sum] of Object.entries(sums ?? {})) {
      if (!(key in shape) || `${path} ${key}` in SUMMED_OTHERWISE) continue;
      expect(sum ?? 0, key).toBeCloseTo(
        list.reduce((all, row) => all + Number(row[key] ?? 0), 0),
        6,
      );
    }
  });

  test("has each order both ways, what is empty at the end", async () => {
    const base = await all(c);
    for (const key of sortable(c)) {
      const [up, down] = [
        await all(c, { sort: key, order: "asc" }),
        await all(c, { sort: key, order: "desc" }),
      ];
      if (base.whole)
        for (const { list } of [up, down]) expect(sorted(idsOf(list)), key).toEqual(sorted(idsOf(base.list)));
      const kind = shape[key] && metaOf(shape[key])?.kind;
      if (!kind || `${path} ${key}` in ORDERED_OTHERWISE || ofGroups.test(path)) continue;
      for (const [{ list }, sign] of [
        [up, 1],
        [down, -1],
      ] as const) {
        const values = list.map((row) => row[key] as never);
        const known = values.filter((value) => !isEmpty(value));
        expect(values.slice(0, known.length), `${key} ${sign}`).toEqual(known);
        if (known.every((value) => typeof value === "number") || ["day", "month", "instant"].includes(kind))
          expect(known, `${key} ${sign}`).toEqual(
            known.toSorted((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0)),
          );
      }
      if (base.whole && typeof up.list[0]?.[key] === "string")
        expect(
          up.list.map((row) => row[key]).filter((value) => !isEmpty(value)),
          key,
        ).toEqual(
          down.list
            .map((row) => row[key])
            .filter((value) => !isEmpty(value))
            .toReversed(),
        );
    }
  });

  test("leaves by each filter the rows that say so themselves", async () => {
    const base = await all(c);
    for (const [key, schema] of Object.entries(shapeOf(c.query))) {
      if (key === "kind" && isOfOneKind.test(path)) continue;
      const defaulted = DEFAULTED.includes(key) || DEFAULTED.includes(`${path} ${key}`);
      // records that a page names without a filter of their own
      const filter = filterOf(schema as ZodType) ?? (/Id$/.test(key) && key in shape ? NAMED : undefined);
      for (const { asked, holds } of filter ? casesOf(c, key, filter, base.list) : []) {
        const found = await all(c, asked);
        const said = `${JSON.stringify(asked)}: ${found.total}`;
        if (!holds || defaulted) {
          if (!defaulted) expect(found.total ?? 0, said).toBeLessThanOrEqual(base.total ?? Infinity);
          continue;
        }
        expect(
          found.list.filter((row) => !holds(row)).map((row) => row.id),
          said,
        ).toEqual([]);
        if (base.whole)
          expect(sorted(idsOf(found.list)), said).toEqual(sorted(idsOf(base.list.filter(holds))));
      }
    }
  });

  test("finds a record by each text that its box names", async () => {
    const { list } = await all(c);
    for (const [key, schema] of Object.entries(shapeOf(c.query))) {
      const filter = filterOf(schema as ZodType);
      for (const at of filter?.kind === "keyword" ? wordsFor(filter, shape) : []) {
        const row = list.find(
          (one) => typeof one[at] === "string" && one[at] && !String(one[at]).includes("*"),
        );
        if (!row) continue;
        const text = String(row[at]).slice(0, 50);
        expect(idsOf((await all(c, { [key]: text })).list), `${at} ${text}`).toContain(row.id);
      }
    }
  });

  test("says of a record what its detail says", async () => {
    const detail = detailOf(c);
    if (!detail || (detail.query && !detail.query.safeParse({}).success)) return;
    const { list } = await all(c);
    for (const i of new Set([0, 1, 2, list.length >> 1, list.length - 1])) {
      const row = list[i];
      if (!row) continue;
      const whole = await one(detail, row.id);
      // what costs extra stands in neither
      const both = Object.keys(row).filter(
        (key) => key in whole && row[key] !== null && !(`${path} ${key}` in TOLD_OTHERWISE),
      );
      const of = (from: object) => Object.fromEntries(both.map((key) => [key, (from as Row)[key]]));
      expect(of(whole), String(row.id)).toEqual(of(row));
    }
  });
});
