import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { useAct, useRefresh } from "../../../platform/console/act.ts";
import { ActionButtons } from "../../../platform/console/actions.tsx";
import { Button } from "../../../platform/console/button.tsx";
import { Icon } from "../../../platform/console/icons.tsx";
import { reach } from "../../../platform/console/reach.ts";
import { ask } from "../../../platform/console/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/states.tsx";
import { WordTag } from "../../../platform/console/tag.tsx";
import { ImportErrors } from "./errors.panel.tsx";
import { useImportActs } from "./import-acts.panel.tsx";
import { commitRoomImport, roomImport } from "./import.contract.ts";
import { AT_ONCE, commitRefusal, IMPORT_STATES, READY_HOURS } from "./import.rules.ts";
import { Counts, Preview } from "./preview.panel.tsx";
import { Steps, stepOf } from "./steps.panel.tsx";

type Batch = Reply<typeof roomImport>;
const UNDER_WAY = new Set(["checking", "importing"]);

/** A file on its way: its errors, or what it would make, then how far it is and what was made. */
export function BatchPanel({ id, onAgain }: { id: number; onAgain: () => void }) {
  const { data, error, refetch } = useQuery({
    ...ask(roomImport, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && UNDER_WAY.has(state.data.state) ? 1000 : false),
  });
  const refresh = useRefresh();
  const under = data && UNDER_WAY.has(data.state);
  const before = useRef(under);
  useEffect(() => {
    // the list below, and every figure on other pages, has moved with it
    if (before.current && under === false) void refresh();
    before.current = under;
  }, [under, refresh]);
  if (error)
    return (
      <section className="card intake">
        <Broken error={error} retry={refetch} />
        <Button run={onAgain}>返回上传</Button>
      </section>
    );
  return (
    <section className="card intake" aria-live="polite">
      <Steps at={data ? stepOf(data.state) : 1} bad={data?.state === "failed"} />
      {data ? <Shown batch={data} onAgain={onAgain} /> : <RowsSkeleton rows={4} />}
    </section>
  );
}

function Shown({ batch, onAgain }: { batch: Batch; onAgain: () => void }) {
  const act = useAct();
  const acts = useImportActs()(batch).filter((a) => !a.why);
  const rooms = reach("/configuration/ApartmentManage");
  const why = batch.errorCount > 0 ? commitRefusal("failed") : commitRefusal(batch.state);
  const commit = () => act(commitRoomImport, { params: { id: batch.id }, body: {} });
  const open = batch.state === "ready" || batch.state === "failed";
  return (
    <>
      <div className="intake__bar">
        <WordTag words={IMPORT_STATES} code={batch.state} />
        <b>{batch.fileName}</b>
        <span className="dim">
          {batch.number} · {batch.rowCount.toLocaleString("en-US")} 行 · {batch.createdName}{" "}
          {timeInZone(batch.createdAt).slice(0, 16)}
        </span>
        <span className="grow" />
        <ActionButtons actions={acts} />
        <Button icon="upload" run={onAgain}>
          {batch.state === "failed" ? "重新上传" : "另传文件"}
        </Button>
        {open && (
          <Button look="main" why={why} run={commit}>
            确认导入
          </Button>
        )}
      </div>
      {batch.state === "failed" && <ImportErrors id={batch.id} version={`${batch.errorCount}`} />}
      {batch.state === "ready" && (
        <p className="explain__same">
          <Icon name="check" size={14} />
          没有发现错误，请与原表核对下列数量和合计；{READY_HOURS} 小时内确认有效
          {batch.rowCount > AT_ONCE && `，超过 ${AT_ONCE} 行在后台导入`}
        </p>
      )}
      {UNDER_WAY.has(batch.state) && (
        <div className="intake__progress" role="progressbar" aria-valuenow={batch.progress}>
          <span>{batch.state === "importing" ? "正在导入，可以离开此页" : "正在检查"}</span>
          <span className="bar">
            <i style={{ width: `${batch.progress}%` }} />
          </span>
          <b>{batch.progress}%</b>
        </div>
      )}
      {batch.state === "done" && (
        <p className="explain__same">
          <Icon name="check" size={14} />
          已全部导入
          {rooms && (
            <>
              ，<Link to={rooms}>查看房源列表</Link>
            </>
          )}
        </p>
      )}
      {batch.preview &&
        (batch.state === "ready" ? <Preview preview={batch.preview} /> : <Counted batch={batch} />)}
    </>
  );
}

const Counted = ({ batch }: { batch: Batch }) =>
  batch.preview && (batch.state === "done" || batch.state === "importing") ? (
    <Counts made={batch.preview.made} />
  ) : null;
