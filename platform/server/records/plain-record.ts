import { z } from "zod";
import type { DB } from "../../../db/types.gen.ts";
import type { Call } from "../../kernel/call.ts";
import { changesOf } from "../../kernel/fields/changes.ts";
import { metaOf } from "../../kernel/field.ts";
import { type Switched, switchMoves } from "../../kernel/switched.ts";
import { removeAt, revise, stamp } from "../database/versioned.ts";
import type { Act, LogEntry, Read } from "../pipeline/act.ts";
import { inScope } from "../pipeline/scope.ts";
import { serve, serveRead, type Served } from "../pipeline/serve.ts";

type Shown = { id: number; name: string; villageId: number; version: number; state?: string };
type Typed = { villageId?: number };

/** A record of a village whose calls are a family (kernel/records.ts), and what is its own beside them. */
export type PlainRecord<Row extends Shown, Body extends Typed> = {
  table: keyof DB;
  /** What people call one: 公共区域. */
  title: string;
  /** The record as people see it; 404 for who may not. */
  shown: (read: Read, id: number) => Promise<Row>;
  /** Parts of the body that are no columns of the table; `lay` puts them where they belong. */
  apart?: readonly (keyof Body & string)[];
  /** Refuses what cannot be; `before` where it is changed. */
  check?: (act: Act, body: Body, before?: Row) => Promise<void>;
  /** Lays what hangs on it, once it is there. */
  lay?: (act: Act, row: { id: number; villageId: number }, body: Body) => Promise<void>;
  /** Refuses to delete what something else stands on. */
  hanging?: (act: Act, id: number) => Promise<void>;
};

type Calls = { get?: Call; add: Call; edit: Call; delete: Call; enable?: Call; disable?: Call };
type Given<Body> = { params: { id: number }; query: { version: number }; body: Body & { version: number } };
type Shape = Record<string, z.ZodType>;
const shapeOf = (schema: z.ZodType | undefined) =>
  (schema instanceof z.ZodObject ? schema.shape : {}) as Shape;

/**
 * What the log tells of an edit: the titled fields of the record as people see it. Ids mean nothing to a reader: places,
 * people and kinds stand there by their names, and files by their number.
 */
function toldOf({ get, edit }: Calls) {
  const kindOf = (schema: z.ZodType) => metaOf(schema)?.kind;
  const shape = Object.fromEntries(
    Object.entries(shapeOf(get?.reply ?? edit.body)).filter(([, schema]) => kindOf(schema) !== "instant"),
  );
  const files = Object.keys(shape).filter((key) => kindOf(shape[key]!) === "file");
  const words = (row: Record<string, unknown>) => ({
    ...row,
    ...Object.fromEntries(files.map((key) => [key, `${(row[key] as unknown[]).length} 张`])),
  });
  return (before: object, after: object) => changesOf(shape, words({ ...before }), words({ ...after }));
}

type Told = { kind: string; title: string };
const noteOf =
  ({ kind, title }: Told) =>
  (act: Act, row: Omit<Shown, "version">, action: string, entry: Partial<LogEntry> = {}) =>
    act.note({
      kind,
      recordId: row.id,
      number: row.name,
      villageId: row.villageId,
      action,
      summary: `${action}${title} ${row.name}`,
      ...entry,
    });

/** Every field of a body is a column of its name; one that was left open is empty. */
const columnsOf = (call: Call, body: object, apart: readonly string[] = []) =>
  Object.fromEntries(
    Object.keys(shapeOf(call.body))
      .filter((key) => key !== "version" && !apart.includes(key))
      .map((key) => [key, (body as Record<string, unknown>)[key] ?? null]),
  );

/**
 * Lays a new record down with its line in the log, as its form or a row of a sheet says; `more` are columns that nobody
 * types. In a village out of scope it is not found.
 */
export async function addRecord<Row extends Shown, Body extends Typed>(
  act: Act,
  call: Call,
  r: PlainRecord<Row, Body>,
  body: Body,
  more: object = {},
): Promise<{ id: number }> {
  inScope(act.who, body.villageId!);
  await r.check?.(act, body);
  const { updatedBy } = stamp(act);
  const row = await act.tx
    .insertInto(r.table as "publicArea")
    .values({ ...columnsOf(call, body, r.apart), ...more, createdBy: updatedBy, updatedBy } as never)
    .returning(["id", "name", "villageId"])
    .executeTakeFirstOrThrow();
  await r.lay?.(act, row, body);
  await noteOf({ kind: call.target!, title: r.title })(act, row, "新增");
  return { id: row.id };
}

/** Serves a family of calls: in scope, as one has seen it, with a line in the log for every act. */
export function serveRecord<Row extends Shown, Body extends Typed>(
  calls: Calls,
  r: PlainRecord<Row, Body>,
): Served[] {
  const table = r.table as "publicArea";
  const note = noteOf({ kind: calls.add.target!, title: r.title });
  const does = (call: Call, work: (act: Act, given: Given<Body>) => Promise<unknown>) =>
    serve(call, (act, given) => work(act, given as never) as never);
  const changesIn = toldOf(calls);

  const switches = (["enable", "disable"] as const).flatMap((move) => {
    const call = calls[move];
    if (!call) return [];
    return does(call, async (act, { params: { id }, body: { version } }) => {
      const before = await r.shown(act, id);
      const state = switchMoves.next(move, { status: before.state as Switched });
      await revise(act, table, { id, version }, { state, ...stamp(act) });
      const label = switchMoves.label(move);
      const states = { before: { state: before.state }, after: { state } };
      await note(act, before, label, { summary: `${label}${r.title}`, ...states });
      return { id };
    });
  });

  return [
    ...(calls.get
      ? [serveRead(calls.get, (read, { params }) => r.shown(read, (params as { id: number }).id) as never)]
      : []),

    does(calls.add, (act, { body }) => addRecord(act, calls.add, r, body)),

    does(calls.edit, async (act, { params: { id }, body: { version, ...rest } }) => {
      const body = rest as unknown as Body;
      const before = await r.shown(act, id);
      const { villageId = before.villageId } = body;
      inScope(act.who, villageId);
      await r.check?.(act, body, before);
      await revise(act, table, { id, version }, { ...columnsOf(calls.edit, body, r.apart), ...stamp(act) });
      await r.lay?.(act, { id, villageId }, body);
      const after = await r.shown(act, id);
      const changes = changesIn(before, after);
      if (changes) await note(act, after, "修改", changes);
      return { id };
    }),

    does(calls.delete, async (act, { params: { id }, query: { version } }) => {
      const row = await r.shown(act, id);
      await r.hanging?.(act, id);
      await removeAt(act, table, { id, version });
      await note(act, row, "删除");
      return null;
    }),

    ...switches,
  ];
}
