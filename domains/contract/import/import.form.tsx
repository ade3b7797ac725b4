import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { ask, download, send, upload } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { Batches } from "./batches.panel.tsx";
import { Found } from "./found.panel.tsx";
import {
  commitContractImport,
  contractImport,
  contractImportTemplate,
  dryRunContractImport,
} from "./import.contract.ts";
import { commitRefusal } from "./planned.rules.ts";
import "./import.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

const MOST_BYTES = 10 * 1024 * 1024;

/** 导入在租合同: a file is checked whole and compared in sums, then all of it comes in or nothing. Earlier batches below. */
export function OpeningImport({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const [takenOn, setTakenOn] = useState<string | undefined>(dayInZone(new Date()));
  const [batchId, setBatchId] = useState<number>();
  const [checking, setChecking] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const [key, setKey] = useState(freshKey);
  const { data: batch } = useQuery({
    ...ask(contractImport, { params: { id: batchId ?? 0 } }),
    enabled: batchId !== undefined,
    // while it is being taken it is looked at every second
    refetchInterval: ({ state }) => (state.data?.state === "importing" ? 1000 : false),
  });

  const check = async (file: File) => {
    setFailed(undefined);
    setBatchId(undefined);
    if (!/\.xlsx$/i.test(file.name)) return setFailed("请上传xlsx文件");
    if (file.size > MOST_BYTES) return setFailed("文件大小不能超过10M");
    setChecking(file.name);
    try {
      const { id } = await upload(dryRunContractImport, { files: [file], fields: { takenOn: takenOn! } });
      setBatchId(id);
      setKey(freshKey());
      await refresh();
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setChecking(undefined);
    }
  };
  const commit = async () => {
    const { state } = await send(commitContractImport, { body: { id: batchId! } }, { idempotencyKey: key });
    if (state === "done") toast(`已导入 ${batch?.rowCount ?? 0} 份合同`);
    else if (state === "failed") setFailed("检查之后数据有变化，没有导入任何合同，请看下面的错误");
    await refresh();
  };
  const why = checking ? "正在检查文件" : !batchId || !batch ? "请先选择文件" : commitRefusal(batch.state);

  const footer = (
    <Foot cancel={onClose} word="关闭">
      <Button look="main" why={why} run={commit}>
        确认导入{batch?.state === "ready" ? ` ${batch.rowCount} 份合同` : ""}
      </Button>
    </Foot>
  );
  return (
    <Drawer title="导入在租合同" width={960} modal footer={footer} onClose={onClose}>
      <div className="importing opening">
        <div className="opening__start">
          <label htmlFor="opening-day">接管日</label>
          <span className="opening__day">
            <DayInput id="opening-day" value={takenOn} onChange={setTakenOn} />
          </span>
          <Button icon="download" run={() => download(contractImportTemplate, {})}>
            下载模板
          </Button>
          <span className="dim">押金、欠费、预存款在接管日记为期初余额；有错误时不导入任何一行</span>
        </div>
        <File
          name={checking}
          off={takenOn ? undefined : "请先选择接管日"}
          onFile={(file) => void check(file)}
        />
        {failed && (
          <div className="form__alert" role="alert">
            <Icon name="warn" />
            {failed}
          </div>
        )}
        {batchId !== undefined && batch && <Found batch={batch} onLeave={onClose} />}
        <Batches openId={batchId} onOpen={setBatchId} />
      </div>
    </Drawer>
  );
}

function File({
  name,
  off,
  onFile,
}: {
  name: string | undefined;
  off: string | undefined;
  onFile: (file: globalThis.File) => void;
}) {
  const [over, setOver] = useState(false);
  const shut = Boolean(off) || name !== undefined;
  return (
    <label
      className={`drop ${over ? "drop--over" : ""} ${off ? "drop--off" : ""}`}
      aria-busy={name !== undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file && !shut) onFile(file);
      }}
    >
      {off ?? (name ? `正在检查 ${name} …` : "点击或拖入填好的 .xlsx，最多 5,000 行、10M")}
      <input
        className="sr"
        type="file"
        accept=".xlsx"
        disabled={shut}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) onFile(file);
        }}
      />
    </label>
  );
}
