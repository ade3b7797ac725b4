import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, upload } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useImportActs } from "./acts.panel.tsx";
import { roomImport, roomImportErrors, uploadRoomImport } from "./import.contract.ts";
import { IMPORT_STATES, type ImportPreview } from "./preview.rules.ts";

type Batch = Reply<typeof roomImport>;

/** A batch: its errors by row and column, what it would make, how far it is, or what it made. */
export function BatchDrawer({ id }: { id: number }) {
  const actsOf = useImportActs();
  return (
    <Detail
      call={roomImport}
      sent={{ params: { id } }}
      width={960}
      title={(b) => b.number}
      tags={(b) => <WordTag words={IMPORT_STATES} code={b.state} />}
      facts={["fileName", "villageName", "rowCount", "errorCount", "made", "createdName", "createdAt"]}
      actions={(b) => actsOf(b)}
      tabs={[{ key: "content", title: "内容", view: (b) => <Content batch={b} /> }]}
      log="roomImport"
    />
  );
}

function Content({ batch }: { batch: Batch }) {
  // asked again every second while it is being taken; the whole drawer follows
  useQuery({
    ...ask(roomImport, { params: { id: batch.id } }),
    refetchInterval: batch.state === "importing" ? 1000 : false,
  });
  if (batch.state === "importing")
    return (
      <div
        className="imports__progress"
        role="progressbar"
        aria-valuenow={batch.progress}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${batch.progress}%` }} />
        <span>正在导入 {batch.progress}%，可以离开本页，稍后在列表中查看结果</span>
      </div>
    );
  if (batch.state === "failed") return <Errors id={batch.id} />;
  return (
    <>
      {batch.state === "done" && (
        <p>
          已导入。<Link to={pathTo("/configuration/ApartmentManage")}>查看房源列表</Link>
        </p>
      )}
      {batch.preview && <Preview preview={batch.preview} />}
    </>
  );
}

const SHOWN = 500;

function Errors({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(roomImportErrors, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={5} />;
  return (
    <>
      <p className="form__note imports__wrong">
        共 {data.total} 处错误，没有导入任何一行；改正后重新上传，或下载错误文件在其中改正
      </p>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th className="num">行</th>
              <th>列</th>
              <th>列名</th>
              <th>内容</th>
              <th>错误</th>
            </tr>
          </thead>
          <tbody>
            {data.list.slice(0, SHOWN).map((e, i) => (
              <tr key={i}>
                <td className="num">{e.row}</td>
                <td>{e.column}</td>
                <td>{e.header}</td>
                <td className="imports__value">{e.value}</td>
                <td className="imports__msg">{e.msg}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total > SHOWN && <p className="dim">只列出前 {SHOWN} 处，全部错误见错误文件</p>}
    </>
  );
}

const Preview = ({ preview }: { preview: ImportPreview }) => {
  const { made } = preview;
  return (
    <>
      <p>
        新建 {made.buildings} 个楼栋、{made.units} 个单元、{made.floors} 个楼层、
        <b>{made.apartments} 套房源</b>、{made.rooms} 个房间、
        {made.prices} 条价格
      </p>
      <h3>按门店合计（请与原表核对）</h3>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th>门店</th>
              <th className="num">房源</th>
              <th className="num">出租房间</th>
              <th className="num">标价合计</th>
            </tr>
          </thead>
          <tbody>
            {preview.villages.map((v) => (
              <tr key={v.id}>
                <td>{v.name}</td>
                <td className="num">{v.apartments.toLocaleString("en-US")}</td>
                <td className="num">{v.rooms.toLocaleString("en-US")}</td>
                <td className="num">
                  <Money fen={v.listPrice} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>楼栋</h3>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th>门店</th>
              <th>楼栋</th>
              <th className="num">楼层</th>
              <th className="num">房源</th>
              <th className="num">出租房间</th>
            </tr>
          </thead>
          <tbody>
            {preview.buildings.map((b) => (
              <tr key={`${b.village} ${b.name}`}>
                <td>{b.village}</td>
                <td>
                  {b.name} {b.isNew && <StatusTag tone="green">新建</StatusTag>}
                </td>
                <td className="num">{b.floors}</td>
                <td className="num">{b.apartments}</td>
                <td className="num">{b.rooms}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>前 {preview.rows.length} 行</h3>
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              <th className="num">行</th>
              <th>门店</th>
              <th>位置</th>
              <th>出租方式</th>
              <th>房间</th>
              <th className="num">建筑面积</th>
              <th className="num">标价</th>
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((r) => (
              <tr key={r.row}>
                <td className="num">{r.row}</td>
                <td>{r.village}</td>
                <td>{r.place}</td>
                <td>{r.mode}</td>
                <td>{r.rooms}</td>
                <td className="num">{r.area}</td>
                <td className="num">
                  <Money fen={r.listPrice} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

/** Takes a file by click or drop and has it checked; what was found opens beside the list. */
export function Upload({
  villageId,
  onChecked,
}: {
  villageId: number | undefined;
  onChecked: (id: number) => void;
}) {
  const refresh = useRefresh();
  const [name, setName] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file || name) return;
    setFailed(undefined);
    if (!/\.xlsx$/i.test(file.name)) return setFailed("请上传xlsx文件");
    if (file.size > 10 * 1024 * 1024) return setFailed("文件大小不能超过10M");
    setName(file.name);
    try {
      const { id } = await upload(uploadRoomImport, {
        files: [file],
        ...(villageId && { fields: { villageId: String(villageId) } }),
      });
      await refresh();
      onChecked(id);
    } catch (error) {
      setFailed(sentence(error));
    } finally {
      setName(undefined);
    }
  };
  return (
    <>
      <label
        className={`drop imports__drop ${over ? "drop--over" : ""}`}
        aria-busy={name !== undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        {name ? `正在检查 ${name} …` : "点击或拖入填好的 .xlsx，最多 10,000 行、10M"}
        <input
          className="sr"
          type="file"
          accept=".xlsx"
          disabled={name !== undefined}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
      {failed && (
        <div className="form__alert imports__failed" role="alert">
          <Icon name="warn" />
          {failed}
        </div>
      )}
    </>
  );
}
