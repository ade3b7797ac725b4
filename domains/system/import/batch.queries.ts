import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { from, visible, type Batches, type ImportState } from "./batch.service.ts";
import type { ImportCalls } from "./import.contract.ts";

type Query = z.output<ImportCalls["list"]["query"]>;
type Page = Pick<Query, "pageNo" | "pageSize" | "want" | "order">;

/** Batches as they are shown, with who brought them. */
const shown = (read: Read, of: Batches) =>
  read.tx
    .selectFrom(from(of))
    .leftJoin("operator as o", "o.id", "i.createdBy")
    .select(["i.id", "i.number", "i.fileName", "i.rowCount", "i.errorCount"])
    .select((eb) => eb.ref("i.state").$castTo<ImportState>().as("state"))
    .select((eb) => eb.fn.coalesce("o.realName", eb.val("")).as("createdName"))
    .select(["i.createdAt", "i.version"])
    .where(visible(read, of));
const inStores = (read: Read, of: Batches) =>
  shown(read, of).innerJoin("village as v", "v.id", "i.villageId").select("v.name as villageName");

const counting = (read: Read, of: Batches) =>
  read.tx
    .selectFrom(from(of))
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where(visible(read, of));

type Found<R> = { execute: () => Promise<R[]> };
type Counted = { executeTakeFirstOrThrow: () => Promise<{ n: number }> };

async function paged<R>(q: Page, rows: Found<R>, count: Counted) {
  const [list, counted] = await Promise.all([
    q.want === "totals" ? [] : rows.execute(),
    q.want === "rows" ? undefined : count.executeTakeFirstOrThrow(),
  ]);
  return { list, total: counted?.n ?? null };
}

/** Batches of stores, the latest first. */
export function batchRows(read: Read, of: Batches, q: Query) {
  const villages = villagesOf(read.who, q.villageIds);
  return paged(
    q,
    inStores(read, of)
      .where("i.villageId", "=", anyOf(villages))
      .orderBy("i.createdAt", q.order ?? "desc")
      .orderBy("i.id", "desc")
      .limit(q.pageSize)
      .offset((q.pageNo - 1) * q.pageSize),
    counting(read, of).where("i.villageId", "=", anyOf(villages)),
  );
}

/** Batches that belong to no store, the latest first. */
export const rowsWithoutStore = (read: Read, of: Batches, q: Page) =>
  paged(
    q,
    shown(read, of)
      .orderBy("i.createdAt", q.order ?? "desc")
      .orderBy("i.id", "desc")
      .limit(q.pageSize)
      .offset((q.pageNo - 1) * q.pageSize),
    counting(read, of),
  );

const withErrors = <R extends { errors: unknown }>(row: R | undefined) => {
  if (!row) throw notFound();
  return { ...row, errors: wrongCells.parse(row.errors) };
};

/** One of them with what is wrong in it. */
export const batchRow = async (read: Read, of: Batches, id: number) =>
  withErrors(await inStores(read, of).select("i.errors").where("i.id", "=", id).executeTakeFirst());
export const rowWithoutStore = async (read: Read, of: Batches, id: number) =>
  withErrors(await shown(read, of).select("i.errors").where("i.id", "=", id).executeTakeFirst());
