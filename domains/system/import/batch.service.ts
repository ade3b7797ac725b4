import { sql, type Insertable, type RawBuilder, type Selectable } from "kysely";
import { NEXT_VERSION, asSeen } from "../../../platform/server/database/versioned.ts";
import type { DB, RenterImport } from "../../../db/types.gen.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import {
  among,
  amongWords,
  fromDay,
  holds,
  keyword,
  part,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { Mapping } from "../../../platform/server/sheets/headings.ts";
import type { StoredFile } from "../file/file.contract.ts";
import { commitRefusal, type ImportState } from "./import.rules.ts";

/** What every table of batches has; each belongs to the domain whose records it brings in. */
type Columns = Omit<RenterImport, "villageId" | "enterpriseId" | "state">;
type BatchTable = {
  [T in keyof DB]: T extends `${string}Import` ? (DB[T] extends Columns ? T : never) : never;
}[keyof DB];
/** A batch; tables of several stores have `villageIds`, the others `villageId` or neither. */
export type Batch = Omit<Selectable<Columns>, "mapping"> & {
  state: ImportState;
  mapping: Mapping | null;
  villageId?: number | null;
  villageIds?: number[];
};

/** Where the batches of a sheet are, and whose they are. */
export type Batches = {
  /** Its table, which is also what files and the log call a batch. */
  table: BatchTable;
  /** First letters of its numbers. */
  letters: string;
  needs: Permit;
  /** Columns that tell its batches from others of the same table. */
  own?: Record<string, string>;
  /** What its jobs are called, where several sheets whose files may be long share a table. */
  work?: string;
  /**
   * Whose its files are: of one store; of the stores that their rows name, until those are known of who sent them; of
   * the enterprise; or of who sent them alone.
   */
  whose: "village" | "villages" | "enterprise" | "sender";
  /** A sender's own file that names stores is theirs only while those are. */
  naming?: true;
  /** Columns of its own that a list shows. */
  listed?: readonly string[];
};
type Page = { pageNo: number; pageSize: number; want?: string | undefined; order?: string | undefined };
type Filters = {
  villageIds?: number[] | undefined;
  state?: readonly string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  keyword?: string | undefined;
};

/** Every table of batches can be written and read as the first of them. */
const into = ({ table }: Batches) => table as "renterImport";
const from = ({ table }: Batches) => `${table} as i` as "renterImport as i";
const all = (conditions: RawBuilder<unknown>[]) => sql<boolean>`(${sql.join(conditions, sql` and `)})`;

const owned = ({ own = {} }: Batches) =>
  Object.entries(own).map(([column, value]) => sql`${sql.ref(`i.${column}`)} = ${value}`);

/** True for the batches of a sheet that whoever acts may see. */
function visible({ who }: Read, of: Batches): RawBuilder<boolean> {
  const { whose, naming } = of;
  const sent = sql`i.created_by = ${who.operatorId}`;
  const within = sql`i.village_ids <@ ${[...who.villages]}::bigint[]`;
  const seen = {
    village: sql`i.village_id = ${anyOf(who.villages)}`,
    villages: sql`case when cardinality(i.village_ids) > 0 then ${within} else ${sent} end`,
    enterprise: sql`i.enterprise_id = ${who.enterpriseId}`,
    sender: sent,
  }[whose];
  return all([seen, ...(naming ? [within] : []), ...owned(of)]);
}

function asked({ who }: Read, { whose }: Batches, q: Filters): RawBuilder<boolean> {
  const within = whose === "village" ? among("i.villageId") : holds("i.villageIds");
  return all([
    sql`true`,
    ...(q.villageIds?.length ? [within(villagesOf(who, q.villageIds))] : []),
    ...(q.state?.length ? [amongWords("i.state")(q.state)] : []),
    ...(q.from ? [fromDay("i.createdAt")(q.from)] : []),
    ...(q.to ? [toDay("i.createdAt")(q.to)] : []),
    ...(q.keyword ? [keyword(part("i.number", "i.fileName"))(q.keyword)] : []),
  ]);
}

/** Batches with who sent them and their stores in words. */
const told = (read: Read, of: Batches) =>
  read.tx
    .selectFrom(from(of))
    .leftJoin("operator as o", "o.id", "i.createdBy")
    .select((eb) => eb.fn.coalesce("o.realName", eb.val("")).as("createdName"))
    .select(
      {
        village: sql<string>`(select v.name from village v where v.id = i.village_id)`,
        villages: sql<string>`coalesce((select string_agg(v.name, '、' order by v.id) from village v where v.id = any (i.village_ids)), '')`,
        enterprise: sql<string>`''`,
        sender: sql<string>`''`,
      }[of.whose].as("villageName"),
    )
    .where(visible(read, of));

/** A page of batches as a list shows them, the latest first. */
export async function batchRows(read: Read, of: Batches, q: Page & Filters) {
  const where = asked(read, of, q);
  const [list, counted] = await Promise.all([
    q.want === "totals"
      ? []
      : told(read, of)
          .select(["i.id", "i.number", "i.fileName", "i.rowCount", "i.errorCount", "i.state"])
          .select(["i.createdAt", "i.version"])
          .select((of.listed ?? []).map((column) => sql.ref(`i.${column}`).as(column)))
          .where(where)
          .orderBy("i.createdAt", q.order === "asc" ? "asc" : "desc")
          .orderBy("i.id", "desc")
          .limit(q.pageSize)
          .offset((q.pageNo - 1) * q.pageSize)
          .execute(),
    q.want === "rows"
      ? undefined
      : read.tx
          .selectFrom(from(of))
          .select((eb) => eb.fn.countAll<number>().as("n"))
          .where(visible(read, of))
          .where(where)
          .executeTakeFirstOrThrow(),
  ]);
  return { list, total: counted?.n ?? null };
}

/** One of them with everything that is kept of it. */
export async function batchRow(read: Read, of: Batches, id: number) {
  const row = await told(read, of).selectAll("i").where("i.id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function seenBatch<B extends Batch>(
  read: Read,
  of: Batches,
  id: number,
  lock = false,
): Promise<B> {
  const row = await read.tx
    .selectFrom(from(of))
    .selectAll()
    .where("i.id", "=", id)
    .where(visible(read, of))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row as unknown as B;
}

/** The batch, locked, as whoever acts last saw it, and ready for what is asked; `failed` is said of a file with errors. */
export async function batchFor<B extends Batch>(
  act: Act,
  of: Batches,
  id: number,
  version: number | undefined,
  state: "ready" | "done",
  failed?: string,
): Promise<B> {
  const batch = await seenBatch<B>(act, of, id, true);
  if (version !== undefined) asSeen(batch, version);
  if (batch.state === state) return batch;
  const why = state === "done" ? "只有已导入的批次可以撤销" : commitRefusal(batch.state, failed)!;
  throw new Refusal("notAllowed", why);
}

/** The sentence against a file that was taken before, while what it made stands: by those whose files one sees, or by anybody. */
export async function takenBefore(
  read: Read,
  of: Batches,
  sha256: string,
  byAnybody = false,
): Promise<string | undefined> {
  const twin = await read.tx
    .selectFrom(from(of))
    .innerJoin("operator as o", "o.id", "i.createdBy")
    .select(["i.number", "i.state", "i.updatedAt"])
    .where("i.sha256", "=", sha256)
    .where("i.state", "in", ["importing", "done"])
    .where(
      byAnybody
        ? sql<boolean>`o.enterprise_id is not distinct from ${read.who.enterpriseId}`
        : visible(read, of),
    )
    .executeTakeFirst();
  if (!twin) return undefined;
  if (twin.state !== "done") return `该文件正在导入（${twin.number}）`;
  const at = timeInZone(twin.updatedAt, read.settings.TIME_ZONE).slice(0, 16);
  return `该文件已于 ${at} 导入（${twin.number}）`;
}

/** How the enterprise last had a file of this kind with the same headings read. */
export async function mappedLast(
  read: Read,
  of: Batches,
  { titles }: Mapping,
): Promise<Pick<Mapping, "from" | "fixed"> | undefined> {
  const { rows } = await sql<Pick<Mapping, "from" | "fixed">>`
    select i.mapping->'from' "from", i.mapping->'fixed' fixed from ${sql.table(of.table)} i join operator o on o.id = i.created_by
    where i.mapping->'titles' = ${JSON.stringify(titles)}::jsonb and (i.mapping->>'confirmed')::boolean
      and o.enterprise_id is not distinct from ${read.who.enterpriseId} and ${all([sql`true`, ...owned(of)])}
    order by i.updated_at desc, i.id desc limit 1`.execute(read.tx);
  return rows[0];
}

/** Keeps a file and what was found in it. */
export async function keepBatch(act: Act, of: Batches, file: StoredFile, kept: object): Promise<number> {
  const [number] = await act.numbers(of.letters);
  const at = act.now.toISOString();
  const row = {
    number,
    fileId: file.id,
    fileName: file.name,
    sha256: file.sha256,
    ...of.own,
    ...kept,
    createdBy: act.who.operatorId,
    createdAt: at,
    updatedAt: at,
  } as unknown as Insertable<RenterImport>;
  const { id } = await act.tx.insertInto(into(of)).values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Answers the new version. */
export async function moveBatch(act: Act, of: Batches, id: number, to: { state: string }): Promise<number> {
  const { version } = await act.tx
    .updateTable(into(of))
    .set({ ...to, version: NEXT_VERSION, updatedAt: act.now.toISOString() })
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}
