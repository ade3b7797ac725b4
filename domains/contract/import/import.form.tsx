import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { SheetDrop, useChecking } from "../../../platform/console/files/checking.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { ask, download, send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { Batches } from "./batches.panel.tsx";
import { Found } from "./found.panel.tsx";
import type { ContractKind } from "../terms/kind.rules.ts";
import { OPENINGS } from "./import.contract.ts";
import { commitRefusal } from "../../system/import/import.rules.ts";
import "../drafting/drafting.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { today } from "../../../platform/console/session/operator.ts";

/** 导入在租合同 of a kind: a file is checked whole and compared in sums, then all of it comes in or nothing. Earlier batches below. */
export function OpeningImport({ kind, onClose }: { kind: ContractKind; onClose: () => void }) {
  const { calls, things } = OPENINGS[kind];
  const refresh = useRefresh();
  const [takenOn, setTakenOn] = useState<string | undefined>(today());
  const [batchId, setBatchId] = useState<number>();
  const [key, setKey] = useState(freshKey);
  const { data: batch } = useQuery({
    ...ask(calls.get, { params: { id: batchId ?? 0 } }),
    enabled: batchId !== undefined,
    // while it is being taken it is looked at every second
    refetchInterval: ({ state }) => (state.data?.state === "importing" ? 1000 : false),
  });

  const { name: checking, failed, setFailed, check } = useChecking(calls.check);
  const take = (file: File) => {
    setBatchId(undefined);
    return check(file, { takenOn: takenOn! }, async (id) => {
      setBatchId(id);
      setKey(freshKey());
      await refresh();
    });
  };
  const commit = async () => {
    const { state } = await send(calls.commit, { body: { id: batchId! } }, { idempotencyKey: key });
    if (state === "done") toast(`已导入 ${batch?.totals?.sum.contracts ?? 0} 份合同`);
    else if (state === "failed") setFailed("检查之后数据有变化，没有导入任何合同，请看下面的错误");
    await refresh();
  };
  const why = checking
    ? "正在检查文件"
    : !batchId || !batch
      ? "请先选择文件"
      : batch.mapping?.confirmed === false
        ? "请先核对文件的列"
        : commitRefusal(batch.state);

  const footer = (
    <Foot cancel={onClose} word="关闭">
      <Button look="main" why={why} run={commit}>
        确认导入{batch?.state === "ready" ? ` ${batch.totals?.sum.contracts ?? 0} 份合同` : ""}
      </Button>
    </Foot>
  );
  return (
    <Drawer title={`导入${things}`} width={960} modal footer={footer} onClose={onClose}>
      <div className="importing opening">
        <div className="opening__start">
          <label htmlFor="opening-day">接管日</label>
          <span className="opening__day">
            <DayInput id="opening-day" value={takenOn} onChange={setTakenOn} />
          </span>
          <Button icon="download" run={() => download(calls.template, {})}>
            下载模板
          </Button>
          <span className="dim">押金、欠费、预存款在接管日记为期初余额；有错误时不导入任何一行</span>
        </div>
        <SheetDrop
          text="点击或拖入填好的模板或自己的 .xlsx，最多 5,000 行、10M"
          off={takenOn ? undefined : "请先选择接管日"}
          busy={checking && `正在检查 ${checking} …`}
          onFile={take}
        />
        <FormAlert text={failed} />
        {batchId !== undefined && batch && <Found kind={kind} batch={batch} onLeave={onClose} />}
        <Batches kind={kind} openId={batchId} onOpen={setBatchId} />
      </div>
    </Drawer>
  );
}
