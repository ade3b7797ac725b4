import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Drawer } from "../../../platform/console/drawer.tsx";
import { ReasonInput } from "../../../platform/console/inputs.tsx";
import { useAddress } from "../../../platform/console/page.ts";
import { send } from "../../../platform/console/request.ts";
import { RecordSelect } from "../../../platform/console/selects.tsx";
import type { Source } from "../../../platform/console/source.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import type { FirmCalls } from "./firm.contract.ts";
import { FIRM_TITLE, MERGEABLE, mergeableOf, type Mergeable } from "./words.rules.ts";
import "../party/party.css";

/** What the form reads of a record of either kind. */
export type Compared = { id: number; version: number; homeVillageName: string } & Record<Mergeable, string>;

type Props = {
  calls: FirmCalls;
  source: Source;
  /** Reads a record as the form compares it. */
  read: (id: number) => Promise<Compared>;
  keepId: number;
  goneId?: number | undefined;
  onClose: () => void;
};

/** 合并: two records of one firm, the kept values chosen field by field; first it says what comes along. */
export function MergeForm({ calls, source, read, onClose, ...start }: Props) {
  const act = useAct();
  const [, set] = useAddress();
  const title = FIRM_TITLE[calls.kind];
  const [ids, setIds] = useState({ keep: start.keepId, gone: start.goneId });
  const [taken, setTaken] = useState<readonly Mergeable[]>();
  const [reason, setReason] = useState<string>();
  const one = (id: number | undefined) => ({
    queryKey: [calls.base, "merging", id],
    queryFn: () => read(id!),
    enabled: id !== undefined,
  });
  const [kept, other] = [useQuery(one(ids.keep)), useQuery(one(ids.gone))];
  const preview = useQuery({
    queryKey: [calls.mergePreview.path, ids],
    queryFn: ({ signal }) =>
      send(calls.mergePreview, { body: { keepId: ids.keep, goneId: ids.gone! } }, { signal }),
    enabled: ids.gone !== undefined,
  });
  const keep = kept.data;
  const gone = ids.gone === undefined ? undefined : other.data;
  const fields = mergeableOf(calls.kind);
  // what the kept record lacks comes from the other, unless somebody chose otherwise
  const take = taken ?? (keep && gone ? fields.filter((f) => !keep[f] && gone[f]) : []);
  const why = !gone
    ? "请选择被并入的记录"
    : (preview.data?.refusal ?? ((reason?.trim().length ?? 0) < 2 ? "请填写原因（2-200字）" : undefined));
  const choose = (next: typeof ids) => {
    setIds(next);
    setTaken(undefined);
  };
  const merge = async () => {
    const done = await act(
      calls.merge,
      {
        body: {
          keepId: keep!.id,
          keepVersion: keep!.version,
          goneId: gone!.id,
          goneVersion: gone!.version,
          take: [...take],
          reason: reason!.trim(),
        },
      },
      { done: "已合并" },
    );
    if (!done) return;
    onClose();
    set({ id: done.id });
  };
  const error = kept.error ?? other.error ?? preview.error;
  return (
    <Drawer
      title={`合并${title}`}
      width={720}
      modal
      onClose={onClose}
      footer={
        <>
          <Button look="main" why={why} run={merge}>
            合并
          </Button>
          <Button run={onClose}>取消</Button>
        </>
      }
    >
      <div className="form">
        <p className="fi--wide dim">
          被并入的记录成为别名，它的合同、账单和流水保持原样，在保留的记录下都能查到。合并后不能拆开。
        </p>
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">被并入的记录</span>
          <div className="fi__in row">
            <RecordSelect
              value={ids.gone}
              source={source}
              placeholder="按名称、完整信用代码、联系人搜索"
              style={{ flex: 1 }}
              onChange={(id) => choose({ ...ids, gone: id })}
            />
            <Button
              icon="refresh"
              why={ids.gone ? undefined : "请选择被并入的记录"}
              run={() => choose({ keep: ids.gone!, gone: ids.keep })}
            >
              互换
            </Button>
          </div>
        </label>
        {error && <Broken error={error} retry={() => Promise.all([kept.refetch(), other.refetch()])} />}
        {!keep && !error && <RowsSkeleton rows={6} />}
        {keep && (
          <Choices
            fields={fields}
            keep={keep}
            gone={gone}
            take={take}
            onChange={(field, fromGone) =>
              setTaken(fromGone ? [...take, field] : take.filter((f) => f !== field))
            }
          />
        )}
        {preview.data && <Along found={preview.data} />}
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

type Found = Awaited<ReturnType<typeof send<FirmCalls["mergePreview"]>>>;

/** What of the record that goes will be found under the one kept. */
const Along = ({ found }: { found: Found }) =>
  found.refusal ? (
    <p className="notice s-red fi--wide" role="alert">
      {found.refusal}
    </p>
  ) : (
    <p className="fi--wide" role="status">
      合并后可在保留的记录下查到：合同 {found.contracts} 份、账单 {found.bills} 笔、流水 {found.flows}{" "}
      笔；联系人 {found.contacts} 个、发票抬头 {found.titles} 个、银行账户 {found.accounts} 个、附件{" "}
      {found.papers} 个一并转入，重复的不转。
    </p>
  );

/** Field by field: the value that stays. Equal values need no choice. */
function Choices(p: {
  fields: readonly Mergeable[];
  keep: Compared;
  gone: Compared | undefined;
  take: readonly Mergeable[];
  onChange: (field: Mergeable, fromGone: boolean) => void;
}) {
  const { keep, gone } = p;
  return (
    <div className="box fi--wide">
      <table className="tbl merge">
        <thead>
          <tr>
            <th>字段</th>
            <th>保留的记录 · {keep.homeVillageName}</th>
            <th>被并入的记录{gone && ` · ${gone.homeVillageName}`}</th>
          </tr>
        </thead>
        <tbody>
          {p.fields.map((field) => {
            const values = [keep[field], gone?.[field] ?? ""];
            const chosen = p.take.includes(field) ? 1 : 0;
            const free = gone !== undefined && values[0] !== values[1] && Boolean(values[1]);
            return (
              <tr key={field}>
                <td className="dim">{MERGEABLE[field]}</td>
                {values.map((value, i) => (
                  <td key={i}>
                    <label className={free && chosen !== i ? "off" : ""}>
                      {free && (
                        <input
                          type="radio"
                          name={`take-${field}`}
                          checked={chosen === i}
                          onChange={() => p.onChange(field, i === 1)}
                        />
                      )}
                      {value || "—"}
                    </label>
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
