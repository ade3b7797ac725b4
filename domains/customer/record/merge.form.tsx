import { useQuery } from "@tanstack/react-query";
import { useState, type CSSProperties, type ReactNode } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { ReasonInput } from "../../../platform/console/inputs/inputs.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Choices, type Compared } from "./merge-choices.form.tsx";
import "./record.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** Which record stays and which becomes its alias. */
export type Merging = { keepId: number; goneId?: number | undefined; onClose: () => void };

type Of<F extends string, R extends Compared<F>> = {
  /** What can be chosen, with its words. */
  fields: Partial<Record<F, string>>;
  read: (id: number) => Promise<R>;
};

/** Two records of one customer and what is chosen of them so far. */
export function useMerging<F extends string, R extends Compared<F>>(
  { fields, read }: Of<F, R>,
  start: Merging,
) {
  const [ids, setIds] = useState({ keep: start.keepId, gone: start.goneId });
  const [taken, setTaken] = useState<readonly F[]>();
  const one = (id: number | undefined) => ({
    queryKey: ["merging", id],
    queryFn: () => read(id!),
    enabled: id !== undefined,
  });
  const [kept, other] = [useQuery(one(ids.keep)), useQuery(one(ids.gone))];
  const keep = kept.data;
  const gone = ids.gone === undefined ? undefined : other.data;
  const all = Object.keys(fields) as F[];
  // what the kept record lacks comes from the other, unless somebody chose otherwise
  const take =
    taken ?? (keep && gone ? all.filter((field) => !keep.values[field] && gone.values[field]) : []);
  return {
    ids,
    keep,
    gone,
    take,
    fields,
    choose: (next: typeof ids) => {
      setIds(next);
      setTaken(undefined);
    },
    setTake: (field: F, fromGone: boolean) =>
      setTaken(fromGone ? [...take, field] : take.filter((f) => f !== field)),
    error: kept.error ?? other.error,
    retry: () => Promise.all([kept.refetch(), other.refetch()]),
    onClose: start.onClose,
  };
}

type Body<F> = {
  keepId: number;
  keepVersion: number;
  goneId: number;
  goneVersion: number;
  take: F[];
  reason: string;
};
type Props<F extends string, R extends Compared<F>> = {
  title: string;
  merging: ReturnType<typeof useMerging<F, R>>;
  source: Source;
  placeholder: string;
  /** Why these two are not one. */
  refusal: string | undefined;
  error?: Error | null;
  /** What comes along. */
  children?: ReactNode;
  /** Sends it; nothing answered means that it was not done. */
  merge: (body: Body<F>) => Promise<unknown>;
};

/** 合并: two records of one customer, the kept values chosen field by field. */
export function MergeDrawer<F extends string, R extends Compared<F>>({ merging: m, ...p }: Props<F, R>) {
  const [, set] = useAddress();
  const [reason, setReason] = useState<string>();
  const { ids, keep, gone } = m;
  const why = !gone
    ? "请选择被并入的记录"
    : (p.refusal ?? ((reason?.trim().length ?? 0) < 2 ? "请填写原因（2-200字）" : undefined));
  const merge = async () => {
    const done = await p.merge({
      keepId: keep!.id,
      keepVersion: keep!.version,
      goneId: gone!.id,
      goneVersion: gone!.version,
      take: [...m.take],
      reason: reason!.trim(),
    });
    if (!done) return;
    m.onClose();
    set({ id: ids.keep });
  };
  const error = m.error ?? p.error;
  return (
    <Drawer
      title={p.title}
      width={720}
      modal
      onClose={m.onClose}
      footer={
        <Foot cancel={m.onClose}>
          <Button look="main" why={why} run={merge}>
            合并
          </Button>
        </Foot>
      }
    >
      <div className="form" style={{ "--label": "108px" } as CSSProperties}>
        <p className="fi--wide dim">
          被并入的记录不再单独显示，其合同、账单和流水不改动，在保留的记录下都能查到。合并后不能拆分。
        </p>
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">被并入的记录</span>
          <div className="fi__in row">
            <RecordSelect
              value={ids.gone}
              source={p.source}
              placeholder={p.placeholder}
              style={{ flex: 1 }}
              onChange={(id) => m.choose({ ...ids, gone: id })}
            />
            <Button
              icon="refresh"
              why={ids.gone ? undefined : "请选择被并入的记录"}
              run={() => m.choose({ keep: ids.gone!, gone: ids.keep })}
            >
              互换
            </Button>
          </div>
        </label>
        {error && <Broken error={error} retry={m.retry} />}
        {!keep && !error && <RowsSkeleton rows={6} />}
        {keep && <Choices fields={m.fields} keep={keep} gone={gone} take={m.take} onChange={m.setTake} />}
        {p.refusal ? (
          <p className="notice s-red fi--wide" role="alert">
            {p.refusal}
          </p>
        ) : (
          p.children
        )}
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">合并原因</span>
          <div className="fi__in">
            <ReasonInput value={reason} onChange={setReason} />
          </div>
        </label>
      </div>
    </Drawer>
  );
}
