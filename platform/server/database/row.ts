import type { RawBuilder, Selectable } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Read } from "../pipeline/act.ts";

type Of<T extends keyof DB> = Selectable<DB[T]>;
/** What must be so; nothing equals null. */
type By<T> = { [K in keyof T]?: T[K] | RawBuilder<NonNullable<T[K]>> | null };

const asked = <T extends keyof DB>(
  { tx }: Pick<Read, "tx">,
  table: T,
  columns: readonly string[],
  by: By<Of<T>>,
) =>
  Object.entries(by).reduce(
    (query, [column, value]) => query.where(column as "id", "=", value as number),
    tx.selectFrom(table as "room").select(columns as "id"[]),
  );

/** Some columns of the one row in which all of `by` is so; nothing where there is none. */
export const aRow = <T extends keyof DB, C extends keyof Of<T> & string>(
  read: Pick<Read, "tx">,
  table: T,
  columns: readonly C[],
  by: By<Of<T>>,
) => asked(read, table, columns, by).executeTakeFirst() as unknown as Promise<Pick<Of<T>, C> | undefined>;

/** The same of a row that is known to be there; fails where it is not. */
export const theRow = <T extends keyof DB, C extends keyof Of<T> & string>(
  read: Pick<Read, "tx">,
  table: T,
  columns: readonly C[],
  by: By<Of<T>>,
) => asked(read, table, columns, by).executeTakeFirstOrThrow() as unknown as Promise<Pick<Of<T>, C>>;
