import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Need } from "../../../platform/kernel/call.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { changesOf } from "../../system/log/changes.rules.ts";
import "./record.css";

const SHOWN_S = 30;

type Props = {
  title: string;
  masked: string | null;
  need: Need;
  reveal: (reason: string) => Promise<{ value: string }>;
};

/** A number that is masked; whoever may, sees it whole for half a minute after saying why. It is kept nowhere. */
export function SecretText({ title, masked, need, reveal }: Props) {
  const refresh = useRefresh();
  const [whole, setWhole] = useState<string>();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!left) return setWhole(undefined);
    const tick = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(tick);
  }, [left]);
  if (!masked) return NONE;
  const ask = () =>
    askReason(
      { title: `查看完整${title}`, text: `内容显示 ${SHOWN_S} 秒，查看人和原因会记入日志。`, ok: "查看" },
      async (reason) => {
        const { value } = await reveal(reason);
        setWhole(value);
        setLeft(SHOWN_S);
        void refresh();
      },
    );
  return (
    <span className="secret">
      {whole ? (
        <button type="button" className="linkish" title="复制" onClick={() => void copy(whole)}>
          {whole}
        </button>
      ) : (
        masked
      )}
      {whole && <small className="dim">{left} 秒</small>}
      {!whole && may(need) && <IconButton icon="eye" size={14} small label={`查看完整${title}`} run={ask} />}
    </span>
  );
}

/** What happened to a record, newest first, with old and new values. */
export function RecordLog({ kind, id }: { kind: string; id: number }) {
  const { data, error, refetch } = useQuery(
    ask(recordHistory, { params: { kind, recordId: id }, query: { pageSize: 100 } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <Timeline
      emptyText="还没有记录"
      moments={data.list.map((line) => ({
        key: line.id,
        at: line.at,
        who: line.operatorName || "系统",
        what: line.action,
        note: (
          <>
            {line.summary}
            {changesOf(line.before, line.after).map((c) => (
              <span key={c.field} className="dim">
                {" "}
                {c.field}：{c.before} → {c.after}
              </span>
            ))}
          </>
        ),
      }))}
    />
  );
}
