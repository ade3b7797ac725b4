import type { Insertable } from "kysely";
import type { z } from "zod";
import type { DB } from "../../../db/types.gen.ts";
import type { Call } from "../../kernel/call.ts";
import { changesOf } from "../../kernel/changes.ts";
import { removeAt, revise, stamp } from "../database/versioned.ts";
import type { Act, LogEntry, Read } from "../pipeline/act.ts";
import { inScope } from "../pipeline/scope.ts";
import { serve, serveRead, type Served } from "../pipeline/serve.ts";

type Switch = "enable" | "disable";
type Shown = { id: number; name: string; villageId: number; version: number; state?: string };

/** A record of a village whose calls are a family (kernel/records.ts), and what is its own beside them. */
export type PlainRecord<Row extends Shown, Body extends { villageId: number }> = {
  table: keyof DB;
  /** Kind of record in the log. */
  kind: string;
  /** What people call one: 公共区域. */
  title: string;
  /** The record as people see it; 404 for who may not. */
  shown: (read: Read, id: number) => Promise<Row>;
  /** The columns that a body fills. */
  columns: (body: Body) => object;
  /** Refuses what cannot be; `before` where it is changed. */
  check?: (act: Act, body: Body, before?: Row) => Promise<void>;
  /** Lays what hangs on it, once it is there. */
  lay?: (act: Act, row: { id: number; villageId: number }, body: Body) => Promise<void>;
  /** Refuses to delete what something else stands on. */
  hanging?: (act: Act, id: number) => Promise<void>;
  /** What the log tells of an edit: fields with their titles, and a row in words that a reader knows. */
  told: { shape: Record<string, z.ZodType>; of: (row: Row) => Record<string, unknown> };
  moves?: { next: (move: Switch, row: { status: never }) => string; label: (move: Switch) => string };
};

type Calls = { get: Call; add: Call; edit: Call; delete: Call; enable?: Call; disable?: Call };
type Given<Body> = { params: { id: number }; query: { version: number }; body: Body & { version: number } };

/** Serves a family of calls: in scope, as one has seen it, with a line in the log for every act. */
export function serveRecord<Row extends Shown, Body extends { villageId: number }>(
  calls: Calls,
  r: PlainRecord<Row, Body>,
): Served[] {
  const table = r.table as "publicArea";
  const note = (act: Act, row: Omit<Shown, "version">, action: string, entry: Partial<LogEntry> = {}) =>
    act.note({
      kind: r.kind,
      recordId: row.id,
      number: row.name,
      villageId: row.villageId,
      action,
      summary: `${action}${r.title} ${row.name}`,
      ...entry,
    });
  const does = (call: Call, work: (act: Act, given: Given<Body>) => Promise<unknown>) =>
    serve(call, (act, given) => work(act, given as never) as never);

  const switches = (["enable", "disable"] as const).flatMap((move) => {
    const call = calls[move];
    if (!call || !r.moves) return [];
    const { next, label } = r.moves;
    return does(call, async (act, { params: { id }, body: { version } }) => {
      const before = await r.shown(act, id);
      const state = next(move, { status: before.state! as never });
      await revise(act, table, { id, version }, { state, ...stamp(act) });
      const states = { before: { state: before.state }, after: { state } };
      await note(act, before, label(move), { summary: `${label(move)}${r.title}`, ...states });
      return { id };
    });
  });

  return [
    serveRead(calls.get, (read, given) => r.shown(read, (given.params as { id: number }).id) as never),

    does(calls.add, async (act, { body }) => {
      inScope(act.who, body.villageId);
      await r.check?.(act, body);
      const { updatedBy } = stamp(act);
      const row = await act.tx
        .insertInto(table)
        .values({ ...(r.columns(body) as Insertable<DB["publicArea"]>), createdBy: updatedBy, updatedBy })
        .returning(["id", "name", "villageId"])
        .executeTakeFirstOrThrow();
      await r.lay?.(act, row, body);
      await note(act, row, "新增");
      return { id: row.id };
    }),

    does(calls.edit, async (act, { params: { id }, body: { version, ...rest } }) => {
      const body = rest as unknown as Body;
      const before = await r.shown(act, id);
      inScope(act.who, body.villageId);
      await r.check?.(act, body, before);
      await revise(act, table, { id, version }, { ...(r.columns(body) as object), ...stamp(act) });
      await r.lay?.(act, { id, villageId: body.villageId }, body);
      // ids mean nothing to a reader: the log names places, people and kinds
      const after = await r.shown(act, id);
      const changes = changesOf(r.told.shape, r.told.of(before), r.told.of(after));
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
