import { z, type ZodType } from "zod";
import { call, type Call, type Declared, type Method, type Need, type Permit } from "./call.ts";
import { exportOf, type Exporting } from "./export.ts";
import { id, version, versionInQuery } from "./field.ts";
import { pageReply } from "./paging.ts";

/** Names the record in the path. */
export const oneRecord = z.object({ id: z.coerce.number().pipe(id) });
const made = z.object({ id });
const asSeen = z.object({ version });
const seenInQuery = z.object({ version: versionInQuery });
type Made = typeof made;
type One = typeof oneRecord;

type Of = {
  /** `/room/api/v3/publicArea` */
  path: string;
  /** Page code: who may `6.add` adds. */
  code: number;
  /** What people call one: 公共区域. */
  title: string;
  /** Kind of record, for the logs. */
  target: string;
};
type More = { summary?: string; needs?: Permit | readonly Permit[]; beyondVillages?: boolean };

/**
 * The calls that every plain record has: listed, exported, shown, added, edited as one has seen it, deleted, enabled and
 * disabled. What is special about a record is a line of `callsAt` beside them.
 */
export function recordCalls({ path, code, title, target }: Of) {
  const named = { params: oneRecord, target };
  const one = `${path}/:id`;
  const switched =
    (to: "enable" | "disable", verb: string) =>
    <R extends ZodType = Made>(more: More & { reply?: R } = {}) =>
      call({
        method: "PUT",
        path: `${one}/${to}`,
        summary: `${verb}${title}`,
        needs: `${code}.${to}`,
        ...named,
        body: asSeen,
        reply: made as unknown as R,
        ...more,
      }) as Call<One, undefined, typeof asSeen, R>;
  return {
    list: <Q extends ZodType, R extends ZodType, S extends ZodType = z.ZodUndefined>(
      query: Q,
      row: R,
      { sums, ...more }: More & { sums?: S } = {},
    ) =>
      call({
        method: "GET",
        path,
        summary: `${title}列表`,
        needs: `${code}.query`,
        query,
        reply: pageReply(row, sums),
        ...more,
      }) as Call<undefined, Q, undefined, ReturnType<typeof pageReply<R, S>>>,
    export: (list: Call, more: Partial<Exporting> = {}) =>
      exportOf({ type: target, title, needs: `${code}.export`, list, ...more }),
    get: <R extends ZodType>(reply: R, more: More = {}) =>
      call({
        method: "GET",
        path: one,
        summary: `${title}详情`,
        needs: `${code}.get`,
        params: oneRecord,
        reply,
        ...more,
      }) as Call<One, undefined, undefined, R>,
    add: <B extends ZodType, R extends ZodType = Made>(body: B, more: More & { reply?: R } = {}) =>
      call({
        method: "POST",
        path,
        summary: `新增${title}`,
        needs: `${code}.add`,
        target,
        body,
        reply: made as unknown as R,
        ...more,
      }) as Call<undefined, undefined, B, R>,
    /** The body with the version that one has seen. */
    edit: <S extends z.ZodRawShape, R extends ZodType = Made>(
      body: z.ZodObject<S>,
      more: More & { reply?: R } = {},
    ) =>
      call({
        method: "PUT",
        path: one,
        summary: `修改${title}`,
        needs: `${code}.edit`,
        ...named,
        body: body.safeExtend({ version } as never),
        reply: made as unknown as R,
        ...more,
      }) as unknown as Call<One, undefined, z.ZodObject<S & { version: typeof version }>, R>,
    delete: (more: More = {}) =>
      call({
        method: "DELETE",
        path: one,
        summary: `删除${title}`,
        needs: `${code}.delete`,
        ...named,
        query: seenInQuery,
        reply: z.null(),
        ...more,
      }) as Call<One, typeof seenInQuery, undefined, z.ZodNull>,
    enable: switched("enable", "启用"),
    disable: switched("disable", "停用"),
  };
}

type Schema = ZodType | undefined;
/** The record that an address names by `:id`. */
type Named<Tail> = Tail extends `${string}:id${string}` ? One : undefined;

/**
 * The calls below one path, a line and what is special about each:
 *
 *     const bills = callsAt("/billing/api/v3/bill", "bill");
 *     const voidBill = bills.post("/:id/void", "作废账单", "#2602", { money: true, body, reply });
 *
 * `:id` names the record; what is written is logged of the `target`.
 */
export function callsAt<Base extends string>(base: Base, target?: string) {
  const by =
    (method: Method) =>
    <
      Tail extends string,
      R extends Schema = undefined,
      B extends Schema = undefined,
      Q extends Schema = undefined,
      P extends Schema = Named<`${Base}${Tail}`>,
    >(
      tail: Tail,
      summary: string,
      needs: Need,
      more: Declared<P, Q, B, R>,
    ): Call<P, Q, B, R> => {
      const path = `${base}${tail}`;
      const named = path.includes(":id") ? { params: oneRecord as unknown as P } : {};
      const logged = target !== undefined && method !== "GET" && more.effect !== "read" ? { target } : {};
      return call<P, Q, B, R>({ method, path, summary, needs, ...named, ...logged, ...more });
    };
  return { get: by("GET"), post: by("POST"), put: by("PUT"), delete: by("DELETE") };
}
