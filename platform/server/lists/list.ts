import { sql, type RawBuilder } from "kysely";
import type { z, ZodType } from "zod";
import type { Call, Returned } from "../../kernel/call.ts";
import { notFound } from "../../kernel/refusal.ts";
import { pageEnd, plannedAnew } from "../database/prepared.ts";
import type { Read } from "../pipeline/act.ts";
import { villagesOf } from "../pipeline/scope.ts";
import { serveRead, type Served } from "../pipeline/serve.ts";
import { allOf, columnSql, type Column, type Sql } from "./conditions.ts";

type Out<S> = S extends ZodType ? z.output<S> : object;
type AskedOf<C> = C extends Call<infer P, infer Q, infer _B, infer _R> ? Out<P> & Out<Q> : never;
export type RowOf<C> = Returned<C> extends { list: readonly (infer Row)[] } ? Row : never;
type SumsOf<C> = Returned<C> extends { sums?: infer Sums } ? NonNullable<Sums> : never;
type Page = "pageNo" | "pageSize" | "sort" | "order" | "want" | "also";
type SortOf<C> = AskedOf<C> extends { sort?: infer Key } ? NonNullable<Key> & string : never;
/** The filter of a list: its query without page and order, and what its path names. */
export type FilterOf<C> = Omit<AskedOf<C>, Page>;

type May<T> = T | undefined | Promise<T | undefined>;
/** Told by what is asked for, where it is not always the same. */
type Told<C, T> = T | ((read: Read, asked: AskedOf<C>) => T);

export type Sort<C> = {
  by: Column;
  /** Joined only where this order is asked for. */
  join?: Told<C, Sql | Promise<Sql>>;
  /** Which way when nobody says; as the plan says, else down. */
  way?: "asc" | "desc";
  /** An index gives this order with the id as the second column, so nothing may be said of nulls. */
  indexed?: true;
  /** What people read grows while the column falls: days overdue by the due day. */
  opposite?: true;
};
/** An order of many columns, written out; up where nobody says, and with one direction only where it is told none. */
export type Written = { order: Sql | ((way: Sql, read: Read) => Sql); way?: "asc" | "desc"; join?: never };

/**
 * A list as the database makes it. Sums, order and conditions are over `from`; the columns are fetched once the page is
 * known, so what they join costs as many rows as are shown.
 */
export type Plan<C extends Call, Raw> = {
  /** The key of a row in `from`: `b.id`. */
  id: string;
  /** Figures of a row, where rows are groups of records by `id`; orders name them, `page` has them beside the id. */
  grouped?: Told<C, Sql>;
  /** Of these groups, those that are rows. */
  having?: Told<C, Sql>;
  /** What conditions and orders name: `bill b join village v on …`. */
  from: Told<C, Sql>;
  /** Of the caller's villages, or of those the filter names: the column that holds the village. */
  village?: string;
  /** Any other bounds of what the caller may see. */
  scope?: (read: Read, filter: Partial<FilterOf<C>>) => Sql | Promise<Sql>;
  /** What each filter asks of a row. One that has no value is not asked. */
  where: {
    [K in Exclude<keyof FilterOf<C>, "villageIds">]-?: (
      value: NonNullable<FilterOf<C>[K & keyof FilterOf<C>]>,
      read: Read,
      filter: Partial<FilterOf<C>>,
    ) => May<Sql>;
  };
  sort: Record<SortOf<C>, Column | Sort<C> | Written>;
  /** The order where nobody chose one: one of `sort`, or an order written out, or which of `sort` for what is asked. */
  order: SortOf<C> | Sql | ((asked: AskedOf<C>) => { sort: SortOf<C>; order: "asc" | "desc" });
  /** Which way orders go when nobody says; down. */
  way?: "asc";
  /** What follows a chosen order; the newest first. */
  tie?: Sql;
  /** The select list of a row. */
  columns: Told<C, RawBuilder<Raw>>;
  /** Joins the columns to `page`, which has the ids of the page: `join bill b on b.id = page.id …`. */
  join: Told<C, Sql>;
  /** Sums over the whole filter: their select list and what only they join. */
  sums?: { select: Told<C, RawBuilder<SumsOf<C>>>; join?: Told<C, Sql> };
  /** Count and sums as one statement, for a list that has a shorter way than counting row by row; or as they are kept. */
  totals?: (
    read: Read,
    asked: AskedOf<C>,
    where: Sql,
    /** No filter but those that the list walks along. */
    walked: boolean,
  ) => May<RawBuilder<{ total: number }> | { total: number }>;
  /** The plan of rows for any values is worse than one for these, though the database thinks otherwise; totals always are planned anew. */
  plannedAnew?: true;
  /** Where all rows are read, their columns are fetched for some hundreds at a time: what they join grows faster than they. */
  inBatches?: true;
  /**
   * Each village is walked in order only as far as the page needs, then the villages are merged: for lists whose orders
   * all have an index by village. Filters other than those along which is walked may leave few rows, far apart: these are
   * gathered and sorted.
   */
  walk?: {
    along: (asked: AskedOf<C>) => readonly (keyof FilterOf<C>)[];
    /**
     * Only the list's own order has such an index: with others, with other filters, and for somebody of many villages, whose rows are
     * among any newest ones, it is as if no walk were declared.
     */
    own?: true;
  };
} & (Raw extends RowOf<C>
  ? { rows?: (raws: Raw[], read: Read, asked: Partial<AskedOf<C>>) => RowOf<C>[] | Promise<RowOf<C>[]> }
  : { rows: (raws: Raw[], read: Read, asked: Partial<AskedOf<C>>) => RowOf<C>[] | Promise<RowOf<C>[]> });

export type List<C extends Call> = {
  call: C;
  /** Rows, totals or both, as `want` says. */
  answer: (read: Read, asked: AskedOf<C>) => Promise<Returned<C>>;
  /** Scope and filters over `from`, for figures beside the list. */
  condition: (read: Read, filter: Partial<FilterOf<C>>) => Promise<Sql>;
  /** How many rows of a filter each condition holds. */
  counts: <K extends string>(
    read: Read,
    filter: Partial<FilterOf<C>>,
    each: Record<K, Sql>,
  ) => Promise<Record<K, number>>;
  /** How many rows of a filter have each value of a column that occurs, and `all`. */
  countsBy: (
    read: Read,
    filter: Partial<FilterOf<C>>,
    column: Column,
  ) => Promise<Record<string, number> & { all: number }>;
  /** Rows of these ids, in their order. The caller has checked the scope. */
  rowsOf: (read: Read, ids: readonly number[], asked?: Partial<AskedOf<C>>) => Promise<RowOf<C>[]>;
  /** The row of this id, where the caller may see it; 404 where not. */
  one: (read: Read, id: number) => Promise<RowOf<C>>;
  /** All rows of a filter as one statement, to be read through a cursor, and what makes rows of them. */
  every: (read: Read, asked: AskedOf<C>) => Promise<RawBuilder<unknown>>;
  made: (raws: unknown[], read: Read, asked: AskedOf<C>) => Promise<object[]>;
};

const lists = new Map<Call, List<Call>>();
/** The list that a call shows, where one is declared. */
export const listShownBy = (call: Call): List<Call> | undefined => lists.get(call);

const PAGE: ReadonlySet<string> = new Set<Page>(["pageNo", "pageSize", "sort", "order", "want", "also"]);
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length);
/** Whether no filter is set but some of these. */
export const asksOnly = (asked: object, filters: readonly unknown[]): boolean =>
  Object.entries(asked).every(([key, value]) => PAGE.has(key) || filters.includes(key) || isEmpty(value));
/** Up to so many villages it is worth while to look into each for its newest rows. */
export const FEW_VILLAGES = 20;
/** Rows up to which all that match are gathered and sorted, rather than walked to in order. */
const GATHERED = 20_000;

type Asked = Partial<Record<string, unknown>> & {
  pageNo: number;
  pageSize: number;
  want: "both" | "rows" | "totals";
  sort?: string;
  order?: "asc" | "desc";
  villageIds?: number[];
};

/** Declares how the list of a call is made: filter, order, columns and sums once, for rows, totals, countings and export. */
export function listOf<C extends Call, Raw extends object>(call: C, plan: Plan<C, Raw>): List<C> {
  const told = <T>(part: Told<C, T>, read: Read, asked: unknown): T =>
    typeof part === "function"
      ? (part as (read: Read, asked: AskedOf<C>) => T)(read, asked as AskedOf<C>)
      : part;
  const where = plan.where as Record<string, (value: unknown, read: Read, filter: object) => May<Sql>>;
  const sorts = plan.sort as Record<string, Column | Sort<C> | Written>;
  const id = sql.ref(plan.id);

  /** What the filter asks, without the villages. */
  async function asks(read: Read, filter: object): Promise<Sql[]> {
    const given = Object.entries(filter).filter(
      ([key, value]) => !PAGE.has(key) && key !== "villageIds" && !isEmpty(value),
    );
    const found = await Promise.all(
      given.map(async ([key, value]) => {
        // rows that somebody ticked, of an export
        if (key === "picked") return sql`${id} = any(${value as number[]}::bigint[])`;
        const condition = where[key];
        if (!condition) throw new Error(`${call.path}: no condition for ${key}`);
        return condition(value, read, filter);
      }),
    );
    const scope = await plan.scope?.(read, filter as never);
    return [...(scope ? [scope] : []), ...found.filter((one) => one !== undefined)];
  }
  const villages = (read: Read, filter: { villageIds?: number[] }) => villagesOf(read.who, filter.villageIds);
  const inVillages = (read: Read, filter: object): Sql[] =>
    plan.village
      ? [sql`${sql.ref(plan.village)} = any(${villages(read, filter) as number[]}::bigint[])`]
      : [];
  const condition = async (read: Read, filter: object) =>
    allOf([...inVillages(read, filter), ...(await asks(read, filter))]);

  /** The order as asked for, or the list's own. */
  function chosen(asked: Asked): { key?: string; way?: string | undefined } {
    if (asked.sort) return { key: asked.sort, way: asked.order };
    if (typeof plan.order === "string") return { key: plan.order };
    if (typeof plan.order !== "function") return {};
    const { sort, order } = plan.order(asked as never);
    return { key: sort, way: order };
  }
  async function orderOf(read: Read, asked: Asked) {
    const { key, way: wanted } = chosen(asked);
    const entry: Column | Sort<C> | Written = key === undefined ? { order: plan.order as Sql } : sorts[key]!;
    if (typeof entry === "object" && "order" in entry) {
      const { order } = entry;
      const way = sql.raw(wanted ?? entry.way ?? "asc");
      const written = typeof order === "function" ? order(way, read) : order;
      return { order: written, join: sql``, by: id, way: sql`desc` };
    }
    const sort: Sort<C> = typeof entry === "string" || !("by" in entry) ? { by: entry as Column } : entry;
    const down = (wanted ?? sort.way ?? plan.way ?? "desc") === "desc";
    const way = sql.raw(down === (sort.opposite ?? false) ? "asc" : "desc");
    const by = columnSql(sort.by);
    return {
      by,
      way,
      join: sort.join ? await told(sort.join, read, asked) : sql``,
      order: sort.indexed
        ? sql`${by} ${way}, ${id} ${way}`
        : sql`${by} ${way} nulls last, ${plan.tie ?? sql`${id} desc`}`,
    };
  }

  const gathered = async (read: Read, asked: Asked, conditions: Sql, end: Sql) => {
    const { order, join } = await orderOf(read, asked);
    const [figures, group] = plan.grouped
      ? [
          sql`, ${told(plan.grouped, read, asked)}`,
          sql`group by 1 ${plan.having ? sql`having ${told(plan.having, read, asked)}` : sql``}`,
        ]
      : [sql``, sql``];
    return sql`select ${id} id ${figures} from ${told(plan.from, read, asked)} ${join} where ${conditions} ${group}
      order by ${order} ${end}`;
  };
  /** No filter is set but those along which the list is walked. */
  function alongWalk(asked: Asked): boolean {
    return asksOnly(asked, ["villageIds", ...(plan.walk?.along(asked as never) ?? [])]);
  }
  async function walked(read: Read, asked: Asked): Promise<Sql> {
    const conditions = await asks(read, asked);
    const scope = villages(read, asked) as number[];
    const { by, way } = await orderOf(read, asked);
    const from = told(plan.from, read, asked);
    const all = allOf([...inVillages(read, asked), ...conditions]);
    if (!alongWalk(asked)) {
      const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
        explain (format json) select from ${from} where ${all}`.execute(read.tx);
      if (rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"] < GATHERED)
        return sql`select id from (with hit as materialized (select ${id} id, ${by} place from ${from} where ${all})
          select id from hit order by place ${way}, id ${way} ${pageEnd(asked)}) hits`;
    }
    return sql`select t.id from unnest(${scope}::bigint[]) village(id) cross join lateral (
        select ${id} id, ${by} place from ${from}
        where ${allOf([sql`${sql.ref(plan.village!)} = village.id`, ...conditions])}
        order by ${by} ${way}, ${id} ${way} ${pageEnd({ pageNo: 1, pageSize: asked.pageNo * asked.pageSize })}) t
      order by t.place ${way}, t.id ${way} ${pageEnd(asked)}`;
  }

  /** `ids` answers the ids of a page in their order. */
  const rowsFrom = (read: Read, asked: object, ids: Sql) => sql<Raw>`
    with page as materialized (select ids.*, row_number() over () place from (${ids}) ids)
    select ${told(plan.columns, read, asked)} from page ${told(plan.join, read, asked)} order by page.place`;
  const made = async (raws: Raw[], read: Read, asked: object) =>
    (plan.rows ? await plan.rows(raws as never, read, asked as never) : raws) as RowOf<C>[];

  async function page(read: Read, asked: Asked): Promise<RowOf<C>[]> {
    const walks = plan.walk?.own
      ? !asked.sort && villages(read, asked).length <= FEW_VILLAGES && alongWalk(asked)
      : plan.walk;
    const ids = walks
      ? await walked(read, asked)
      : await gathered(read, asked, await condition(read, asked), pageEnd(asked));
    if (plan.plannedAnew) {
      // which rows these are is planned for the values; what stands in them is the same for all
      const { rows } = await sql<{ id: number }>`${plannedAnew} ${ids}`.execute(read.tx);
      const found = rows.map((row) => row.id);
      return list.rowsOf(read, found, asked as never);
    }
    const { rows } = await rowsFrom(read, asked, ids).execute(read.tx);
    return made(rows, read, asked);
  }

  async function totals(read: Read, asked: Asked) {
    const conditions = await condition(read, asked);
    const sums = plan.sums ? sql`, ${told(plan.sums.select as Told<C, Sql>, read, asked)}` : sql``;
    const join = plan.sums?.join ? told(plan.sums.join, read, asked) : sql``;
    const counted =
      (await plan.totals?.(read, asked as never, conditions, alongWalk(asked))) ??
      sql<{
        total: number;
      }>`select count(${plan.grouped ? sql`distinct ${id}` : sql`*`}) total ${sums} from ${told(plan.from, read, asked)} ${join} where ${conditions}`;
    // all rows of the filter are read: how many these are, and whether two processes should, only its values tell
    const { total, ...rest } =
      "execute" in counted
        ? (await sql<{ total: number }>`${plannedAnew} ${counted}`.execute(read.tx)).rows[0]!
        : counted;
    return { total, sums: Object.keys(rest).length ? rest : undefined };
  }

  const list: List<C> = {
    call,
    answer: async (read, query) => {
      const asked = query as unknown as Asked;
      const [rows, all] = await Promise.all([
        asked.want === "totals" ? [] : page(read, asked),
        asked.want === "rows" ? undefined : totals(read, asked),
      ]);
      return { list: rows, total: all?.total ?? null, sums: all?.sums ?? null } as unknown as Returned<C>;
    },
    condition,
    counts: async (read, filter, each) => {
      const counted = Object.entries<Sql>(each).map(
        ([key, held]) => sql`(count(*) filter (where ${held}))::int ${sql.ref(key)}`,
      );
      const { rows } = await sql<never>`select ${sql.join(counted)} from ${told(plan.from, read, filter)}
        where ${await condition(read, filter)}`.execute(read.tx);
      return rows[0]!;
    },
    countsBy: async (read, filter, column) => {
      const { rows } = await sql<{
        value: string;
        n: number;
      }>`select ${columnSql(column)} value, count(*)::int n
        from ${told(plan.from, read, filter)} where ${await condition(read, filter)} group by 1`.execute(
        read.tx,
      );
      const all = rows.reduce((sum, { n }) => sum + n, 0);
      return { all, ...Object.fromEntries(rows.map(({ value, n }) => [value, n])) };
    },
    rowsOf: async (read, ids, asked: object = {}) => {
      if (!ids.length) return [];
      const these = sql`select unnest(${ids as number[]}::bigint[]) id`;
      return made((await rowsFrom(read, asked, these).execute(read.tx)).rows, read, asked);
    },
    one: async (read, one) => {
      const found = sql`select ${id} id from ${told(plan.from, read, {})}
        where ${await condition(read, {})} and ${id} = ${one}`;
      const [row] = await made((await rowsFrom(read, {}, found).execute(read.tx)).rows, read, {});
      if (!row) throw notFound();
      return row;
    },
    every: async (read, query) => {
      const asked = query as unknown as Asked;
      const ids = await gathered(read, asked, await condition(read, asked), sql``);
      return plan.inBatches ? ids : rowsFrom(read, asked, ids);
    },
    made: async (raws, read, asked) => {
      const ids = (raws as { id: number }[]).map((raw) => raw.id);
      return (
        plan.inBatches
          ? await list.rowsOf(read, ids, asked)
          : await made(raws as Raw[], read, asked as object)
      ) as object[];
    },
  };
  lists.set(call, list as unknown as List<Call>);
  return list;
}

export const serveList = <C extends Call>(list: List<C>): Served =>
  serveRead(list.call, (read, given) => {
    const { params, query } = given as unknown as { params: object; query: object };
    return list.answer(read, { ...params, ...query } as AskedOf<C>);
  });
