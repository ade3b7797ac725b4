import { sql, type RawBuilder } from "kysely";
import pg from "pg";
import { PAGE_SIZES } from "../../kernel/paging.ts";
import { statementOf } from "./abandoned.ts";

/** From the third time on a text is worth its name: the server then neither parses nor plans it anew. */
const WORTH = 3;
/** So many are kept by each connection, the latest used: filters can be put together in more ways than anybody repeats. */
const MOST = 300;
/** So many texts are known by how often they were asked; one with thousands of values is never asked again. */
const KNOWN = 5000;
const LONGEST = 20_000;

const known = new Map<string, { times: number; name: string }>();
let named = 0;

/** The name of a text that is asked again and again; what nobody has asked for longest is forgotten first. */
function nameOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const one = known.get(text) ?? { times: 0, name: "" };
  known.delete(text);
  known.set(text, one);
  if (known.size > KNOWN) known.delete(known.keys().next().value!);
  if (++one.times < WORTH) return undefined;
  return (one.name ||= `r${++named}`);
}

/**
 * Stands before a query whose one plan for all values is worse than planning it anew, though the server thinks
 * otherwise: where it takes a list of all stores for a list of ten, or so leaves to one process what two would share.
 */
export const plannedAnew = sql.raw("/* planned for its values */ ");

/**
 * One of some ids, in an act that is done over and over: the plan that is kept looks each of them up by its index. With an array of its
 * own length the server thinks a few ids cheaper than that plan, and plans anew each time.
 */
export const lookedUp = (ids: readonly number[]): RawBuilder<number> =>
  sql<number>`any(array(select unnest(${ids as number[]}::bigint[])))`;

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

  /** What the server keeps for this connection, the longest unused first. */
  readonly #kept = new Set<string>();

  override query(...args: unknown[]): never {
    const [text, values] = args;
    let room: Promise<unknown> | undefined;
    if (typeof text === "string" && Array.isArray(values) && REPEATED.test(text)) {
      const name = nameOf(text);
      if (name) {
        args.splice(0, 2, { name, text, values });
        this.#kept.delete(name);
        this.#kept.add(name);
        if (this.#kept.size > MOST) room = this.#forget(this.#kept.keys().next().value!);
      }
    }
    const ask = () => (super.query as (...all: unknown[]) => never)(...args);
    const run = () => (room ? (room.then(ask) as never) : ask());
    // with a callback, or for a cursor, there is no promise; what ends a transaction is always done
    return typeof text === "string" && typeof args.at(-1) !== "function" && !ENDING.test(text)
      ? (statementOf(this as never, run) as never)
      : run();
  }

  /** Lets the server forget a statement; within an act that has failed it cannot, and keeps it. */
  async #forget(name: string): Promise<void> {
    this.#kept.delete(name);
    const { parsedStatements: parsed } = (this as unknown as { connection: Parsed }).connection;
    // one that could not be parsed is not there to be forgotten, and asking for it would end the transaction
    if (!parsed[name]) return;
    const gone = await super.query(`deallocate ${name}`).catch(() => undefined);
    if (gone) delete parsed[name];
  }
}
/** The driver's own list of the statements that the server has for a connection. */
type Parsed = { parsedStatements: Record<string, string> };

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
