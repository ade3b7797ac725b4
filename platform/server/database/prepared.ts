import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import { PAGE_SIZES } from "../../kernel/paging.ts";
import { statementOf } from "./abandoned.ts";

/** From the third time on a text is worth its name: the server then neither parses nor plans it anew. */
const WORTH = 3;
/** Each name is kept by every connection; filters can be put together in more ways than anybody repeats. */
const MOST = 400;

const seen = new Map<string, number>();
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= MOST) return known;
  const times = (seen.get(text) ?? 0) + 1;
  if (times < WORTH) {
    if (seen.size > 5000) seen.clear();
    seen.set(text, times);
    return undefined;
  }
  seen.delete(text);
  const name = `r${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Stands before a query whose one plan for all values is worse than planning it anew, though the server thinks
 * otherwise: where it takes a list of all stores for a list of ten, or so leaves to one process what two would share.
 */
export const plannedAnew = sql.raw("/* planned for its values */ ");

const ENDING = /^\s*(commit|rollback)\b/i;
const REPEATED = /^\s*(select|with|insert|update|delete)\s/i;

/**
 * A connection that prepares what it is asked again and again. Planning a list costs the server more than fetching its
 * twenty rows, and the twenty-five statements of a payment a third of its time. The server still plans anew wherever a plan for all values would be worse than one for these.
 */
export class PreparingClient extends pg.Client {
  readonly place: pg.ClientConfig | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.place = config;
    // The pool listens while a connection is idle. One that breaks between two statements of an act fails the next of
    // them; without a listener it would end the whole server.
    this.on("error", () => {});
  }

  override query(...args: unknown[]): never {
    const [text, values] = args;
    if (typeof text === "string" && Array.isArray(values) && REPEATED.test(text)) {
      const name = nameOf(text);
      if (name) args.splice(0, 2, { name, text, values });
    }
    const run = () => (super.query as (...all: unknown[]) => never)(...args);
    // with a callback, or for a cursor, there is no promise; what ends a transaction is always done
    return typeof text === "string" && typeof args.at(-1) !== "function" && !ENDING.test(text)
      ? (statementOf(this as never, run) as never)
      : run();
  }
}

/** Sizes people can choose for a page (kernel/paging.ts): few enough to have a plan each. */
const SIZES: readonly number[] = PAGE_SIZES;

/**
 * The end of a list query. Written out where few values occur, so that the plan that is kept knows how little is
 * fetched: with a limit it does not know the server expects a tenth of the table, and plans anew each time instead.
 */
export const pageEnd = ({ pageNo, pageSize }: { pageNo: number; pageSize: number }): RawBuilder<unknown> =>
  pageNo === 1 && SIZES.includes(pageSize)
    ? sql`limit ${sql.lit(pageSize)}`
    : sql`limit ${pageSize} offset ${(pageNo - 1) * pageSize}`;
