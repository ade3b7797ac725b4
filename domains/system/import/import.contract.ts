import { z, type ZodType } from "zod";
import { call, type Call, type Permit } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { mappedColumns, sheetMapping } from "../../../platform/kernel/fields/sheet-mapping.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import { IMPORT_STATES, LONG_STATES } from "./import.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

export const importId = oneRecord;

/** A batch without the store that it belongs to. */
export const bareBatch = z.object({
  id: f.id,
  number: f.link("编号"),
  fileName: f.text("文件"),
  rowCount: f.number("行数"),
  errorCount: f.number("错误数"),
  state: f.status("状态", IMPORT_STATES),
  version: f.version,
});
/** The same as a list shows it. */
export const listedBatch = bareBatch.extend({
  createdName: f.person("操作人"),
  createdAt: f.instant("时间"),
});
const batch = listedBatch.extend({ villageName: f.text("门店") });

const mapping = sheetMapping.nullable();

/** A batch of a file that may be so long that a job takes it, with how far that is, 0 to 100. */
export const longBatch = batch.omit({ version: true }).extend({
  state: f.status("状态", LONG_STATES),
  progress: f.number("进度", { unit: "%" }),
});
/** What its calls answer: the state that it is in now. */
export const longReplies = {
  check: longBatch.pick({ id: true, state: true, errorCount: true }),
  commit: longBatch.pick({ id: true, state: true }),
};

const checked = z.object({ id: f.id });
const asSeen = z.object({ version: f.version });

type Of = { base: string; title: string; needs: Permit; target: string };
type More = {
  path?: string;
  summary?: string;
  needs?: Permit;
  money?: true;
  timeout?: number;
  perMinute?: number;
};
type OfBatch<R extends ZodType, B extends ZodType | undefined = undefined> = Call<
  typeof importId,
  undefined,
  B,
  R
>;

/** The calls of an importer one by one, each with what is its own; the usual ones together are `importCalls`. */
export function importFamily({ base, title, needs, target }: Of) {
  const one = { needs, target, params: importId };
  /** What is done with a batch, as whoever acts last saw it. */
  const act =
    (name: string, summary: string, usual: More = {}) =>
    <R extends ZodType, B extends ZodType = typeof asSeen>(reply: R, more: More & { body?: B } = {}) =>
      call({
        ...one,
        method: "POST",
        path: `${base}/:id/${name}`,
        summary,
        timeout: 300_000,
        body: asSeen as unknown as B,
        reply,
        ...usual,
        ...more,
      }) as OfBatch<R, B>;
  return {
    template: <Q extends ZodType | undefined = undefined>(query?: Q, more: More = {}) =>
      call({
        method: "GET",
        path: `${base}/template`,
        summary: `${title}导入模板`,
        needs,
        ...(query && { query }),
        ...more,
      }) as Call<undefined, Q, undefined, undefined>,
    /** A dry run: the whole file, which may take minutes to read, is checked and kept; nothing is made yet. */
    check: <B extends ZodType | undefined = undefined, R extends ZodType = typeof checked>(
      body?: B,
      more: More & { megabytes?: number; reply?: R } = {},
    ) => {
      const { megabytes = 10, ...rest } = more;
      return call({
        method: "POST",
        path: base,
        summary: `检查${title}导入文件`,
        needs,
        target,
        upload: { maxBytes: megabytes * 1024 * 1024, maxFiles: 1 },
        timeout: 300_000,
        perMinute: 30,
        ...(body && { body }),
        reply: checked as unknown as R,
        ...rest,
      }) as Call<undefined, undefined, B, R>;
    },
    list: <R extends ZodType, F extends z.ZodRawShape>(row: R, filters: F) =>
      call({
        method: "GET",
        path: base,
        summary: `${title}导入批次`,
        needs,
        query: pageQuery("createdAt").extend(filters),
        reply: pageReply(row),
      }),
    get: <S extends z.ZodRawShape>(reply: z.ZodObject<S>, more: More = {}) =>
      call({
        ...one,
        method: "GET",
        path: `${base}/:id`,
        summary: `${title}导入批次详情`,
        reply: reply.extend({ mapping }),
        ...more,
      }) as unknown as OfBatch<z.ZodObject<S & { mapping: typeof mapping }>>,
    /** Says from which of its columns each field of a file with headings of its own is read; it is checked anew. */
    columns: () => act("columns", `确定${title}文件的列`)(checked, { body: mappedColumns }),
    errors: <R extends ZodType>(reply: R) =>
      call({
        ...one,
        method: "GET",
        path: `${base}/:id/errors`,
        summary: `${title}导入错误`,
        reply,
      }) as OfBatch<R>,
    /** The file as it came, with every wrong cell marked; a long one, once it is taken, with what its rows have become. */
    errorFile: (more: More = {}) =>
      call({
        ...one,
        method: "GET",
        path: `${base}/:id/errorFile`,
        summary: `下载${title}标错文件`,
        ...more,
      }),
    recheck: act("check", `重新检查${title}文件`),
    // who presses either again, because the answer did not come, gets that of the first time
    commit: act("commit", `确认导入${title}`, { money: true }),
    undo: act("undo", `撤销${title}导入`, { money: true }),
  };
}

export const made = z.object({ id: f.id, made: z.number().int() });
const removed = z.object({ id: f.id, removed: z.number().int() });
const shared = (one: ReturnType<typeof importFamily>) => ({
  template: one.template(),
  errorFile: one.errorFile(),
  columns: one.columns(),
  commit: one.commit(made),
  undo: one.undo(removed),
});

/** The calls of an importer of one store's records; `village` is the sentence while no store is chosen. */
export function importCalls({ village = "请选择登记门店", ...of }: Of & { village?: string }) {
  const one = importFamily(of);
  return {
    ...shared(one),
    check: one.check(z.object({ villageId: z.coerce.number({ error: village }).pipe(f.id) })),
    list: one.list(batch, { villageIds: idList }),
    get: one.get(batch.extend({ errors: wrongCells })),
  };
}

/** The calls of an importer whose records belong to the enterprise and no store. */
export function wholeImportCalls(of: Of) {
  const one = importFamily(of);
  return {
    ...shared(one),
    check: one.check(),
    list: one.list(listedBatch, {}),
    get: one.get(listedBatch.extend({ errors: wrongCells })),
  };
}
export type WholeImportCalls = ReturnType<typeof wholeImportCalls>;
