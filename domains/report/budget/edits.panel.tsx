import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { useUnsaved } from "../../../platform/console/screens/page.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { type Unit } from "../budget-indicator/source.rules.ts";
import { typeableValue, typedValue } from "../budget-indicator/value.rules.ts";
import { type BudgetGrid, saveCells } from "./budget.contract.ts";

/** Interval of the automatic save. */
const SAVE_MS = 5000;

type Kept = { value: number | null; version: number };
export type Edit = {
  typed: string;
  value: number | null;
  /** What was typed is no value; nothing is saved while there is such a cell. */
  wrong?: string | undefined;
  /** Somebody else has changed it meanwhile. */
  late?: string | undefined;
};
export type Typed = { indicatorId: number; unit: Unit; month: number; typed: string };
export const cellKey = (indicatorId: number, month: number) => `${indicatorId} ${month}`;

export type Edits = ReturnType<typeof useEdits>;

/** What is typed into a draft: kept by itself every few seconds and on leaving, taken back step by step. */
export function useEdits(grid: BudgetGrid, editable: boolean) {
  const refresh = useRefresh();
  const base = useRef(new Map<string, Kept>());
  const [edits, setEdits] = useState<ReadonlyMap<string, Edit>>(new Map());
  const [saving, setSaving] = useState(false);
  const [savedAt, setSavedAt] = useState<string>();
  const past = useRef<Map<string, number | null>[]>([]);
  const [steps, setSteps] = useState(0);
  const units = useMemo(() => new Map(grid.rows.map((r) => [r.id, r.unit])), [grid]);
  const latest = useRef(edits);
  latest.current = edits;
  const busy = useRef(false);

  // what the server says stands, but for cells that are being typed into
  const known = useRef<BudgetGrid>(undefined);
  if (known.current !== grid) {
    known.current = grid;
    const next = new Map(
      grid.cells.map((c) => [cellKey(c.indicatorId, c.month), { value: c.value, version: c.version }]),
    );
    for (const key of edits.keys()) {
      const kept = base.current.get(key);
      if (kept) next.set(key, kept);
      else next.delete(key);
    }
    base.current = next;
  }
  const keptAt = useCallback((key: string): Kept => base.current.get(key) ?? { value: null, version: 0 }, []);
  const valueAt = (indicatorId: number, month: number): number | null => {
    const edit = edits.get(cellKey(indicatorId, month));
    return edit && !edit.wrong ? edit.value : keptAt(cellKey(indicatorId, month)).value;
  };

  const put = (typed: readonly Typed[], step = true) => {
    const next = new Map(latest.current);
    const before = new Map<string, number | null>();
    for (const { indicatorId, unit, month, typed: text } of typed) {
      const key = cellKey(indicatorId, month);
      const was = latest.current.get(key);
      before.set(key, was && !was.wrong ? was.value : keptAt(key).value);
      const read = typedValue(unit, text);
      if ("msg" in read) next.set(key, { typed: text, value: null, wrong: read.msg });
      else if (read.value === keptAt(key).value) next.delete(key);
      else next.set(key, { typed: text, value: read.value });
    }
    if (step) {
      past.current.push(before);
      setSteps(past.current.length);
    }
    latest.current = next;
    setEdits(next);
  };
  /** Typing on in a cell is one step with what was typed before. */
  const typing = useRef<string>(undefined);
  const type = (one: Typed) => {
    const key = cellKey(one.indicatorId, one.month);
    put([one], typing.current !== key);
    typing.current = key;
  };
  const lay = (typed: readonly Typed[]) => {
    typing.current = undefined;
    put(typed);
  };
  const undo = () => {
    const before = past.current.pop();
    if (!before) return;
    typing.current = undefined;
    setSteps(past.current.length);
    put(
      [...before].map(([key, value]) => {
        const [indicatorId, month] = key.split(" ").map(Number) as [number, number];
        const unit = units.get(indicatorId)!;
        return { indicatorId, unit, month, typed: typeableValue(unit, value, true) };
      }),
      false,
    );
  };

  const wrong = [...edits.values()].filter((e) => e.wrong).length;
  const late = [...edits].filter(([, e]) => e.late);
  const save = useCallback(async (): Promise<boolean> => {
    const all = [...latest.current];
    if (busy.current || all.some(([, e]) => e.wrong)) return false;
    const some = all.filter(([, e]) => !e.late);
    if (!some.length) return true;
    busy.current = true;
    setSaving(true);
    try {
      const cells = some.map(([key, edit]) => {
        const [indicatorId, month] = key.split(" ").map(Number) as [number, number];
        return { indicatorId, month, value: edit.value, version: keptAt(key).version };
      });
      const done = await send(saveCells, { params: { id: grid.id }, body: { cells } });
      const next = new Map(latest.current);
      const sent = new Map(some);
      for (const c of done.saved) {
        const key = cellKey(c.indicatorId, c.month);
        base.current.set(key, { value: c.value, version: c.version });
        // what was typed since stays, against what stands now
        if (next.get(key)?.typed === sent.get(key)?.typed) next.delete(key);
      }
      for (const c of done.conflicts) {
        const key = cellKey(c.indicatorId, c.month);
        base.current.set(key, { value: c.value, version: c.version });
        const edit = next.get(key);
        if (edit) next.set(key, { ...edit, late: c.msg });
      }
      latest.current = next;
      setEdits(next);
      setSavedAt(new Date().toTimeString().slice(0, 8));
      return !done.conflicts.length;
    } catch (failure) {
      const marked = new Map(latest.current);
      if (failure instanceof Refusal)
        for (const { field, msg } of failure.fields) {
          const key = some[Number(/^cells\.(\d+)/.exec(field)?.[1] ?? NaN)]?.[0];
          const edit = key && marked.get(key);
          if (edit) marked.set(key, { ...edit, wrong: msg });
        }
      latest.current = marked;
      setEdits(marked);
      showFailure(failure);
      return false;
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }, [grid.id, keptAt]);

  useEffect(() => {
    if (!editable) return;
    const timer = setInterval(() => void save(), SAVE_MS);
    return () => {
      clearInterval(timer);
      void save();
    };
  }, [editable, save]);
  useUnsaved(edits.size > 0);

  /** Ends a conflict: what stands is taken, or what was typed goes over it. */
  const settle = (mine: boolean) => {
    const next = new Map(latest.current);
    for (const [key, edit] of late)
      if (mine) next.set(key, { ...edit, late: undefined });
      else next.delete(key);
    latest.current = next;
    setEdits(next);
  };
  /** Saves all there is, and shows what follows from it. */
  const finish = async () => {
    const done = await save();
    await refresh();
    return done && latest.current.size === 0;
  };
  return {
    edits,
    valueAt,
    keptAt,
    type,
    lay,
    undo,
    steps,
    wrong,
    late: late.map(([, e]) => e.late!),
    settle,
    saving,
    savedAt,
    finish,
  };
}
