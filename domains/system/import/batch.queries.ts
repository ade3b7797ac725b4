import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { wrongCells } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { from, visible, type Batches, type ImportState } from "./batch.service.ts";
import type { ImportCalls } from "./import.contract.ts";

type Query = z.output<ImportCalls["list"]["query"]>;

/** Batches as they are shown, with their store and who brought them. */
const shown = (read: Read, of: Batches) =>
  read.tx
    .selectFrom(from(of))
    .innerJoin("village as v", "v.id", "i.villageId")
    .leftJoin("operator as o", "o.id", "i.createdBy")
    .select(["i.id", "i.number", "i.fileName", "v.name as villageName", "i.rowCount", "i.errorCount"])
    .select((eb) => eb.ref("i.state").$castTo<ImportState>().as("state"))
    .select((eb) => eb.fn.coalesce("o.realName", eb.val("")).as("createdName"))
    .select(["i.createdAt", "i.version"])
    .where(visible(read, of));

/** Batches, the latest first. */
export async function batchRows(read: Read, of: Batches, q: Query) {
  const villages = villagesOf(read.who, q.villageIds);
  const counting = read.tx
    .selectFrom(from(of))
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where(visible(read, of))
    .where("i.villageId", "=", anyOf(villages));
  const [list, counted] = await Promise.all([
    q.want === "totals"
      ? []
      : shown(read, of)
          .where("i.villageId", "=", anyOf(villages))
          .orderBy("i.createdAt", q.order ?? "desc")
          .orderBy("i.id", "desc")
          .limit(q.pageSize)
          .offset((q.pageNo - 1) * q.pageSize)
          .execute(),
    q.want === "rows" ? undefined : counting.executeTakeFirstOrThrow(),
  ]);
  return { list, total: counted?.n ?? null };
}

/** One of them with what is wrong in it. */
export async function batchRow(read: Read, of: Batches, id: number) {
  const row = await shown(read, of).select("i.errors").where("i.id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, errors: wrongCells.parse(row.errors) };
}
