import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../platform/console/button.tsx";
import { may } from "../../../platform/console/permits.ts";
import { Money } from "../../../platform/console/kinds.tsx";
import { openFile } from "../../../platform/console/upload.tsx";
import { ask } from "../../../platform/console/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/states.tsx";
import { WordTag } from "../../../platform/console/tag.tsx";
import { Timeline } from "../../../platform/console/timeline.tsx";
import { recordHistory } from "../../system/log/business-log.contract.ts";
import { roomPrices } from "../room/price.contract.ts";
import { PRICE_SOURCES, PRICE_UNITS } from "../room/words.rules.ts";
import type { RoomDetail } from "./detail.contract.ts";
import { Picture } from "./picture.panel.tsx";

/** Every price the room has had and will have. */
export function RoomPrices({ room }: { room: RoomDetail }) {
  const { data, error, refetch } = useQuery(ask(roomPrices, { params: { id: room.id } }));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (!data.length) return <Empty text="还没有定价" />;
  return (
    <div className="box rd__table">
      <table className="tbl">
        <thead>
          <tr>
            <th>生效日</th>
            <th className="num">标价</th>
            {may("#601") && <th className="num">底价</th>}
            <th>单位</th>
            <th>来源</th>
            <th>操作人</th>
          </tr>
        </thead>
        <tbody>
          {data.map((p) => (
            <tr key={p.effectiveDay} className={p.current ? "rd__current" : ""}>
              <td>
                {p.effectiveDay} {p.current && <span className="dim">当前</span>}
              </td>
              <td className="num">
                <Money fen={p.listPrice} strong={p.current} />
              </td>
              {may("#601") && (
                <td className="num">
                  <Money fen={p.lowestPrice} />
                </td>
              )}
              <td>{PRICE_UNITS[p.unit][0]}</td>
              <td>
                <WordTag words={PRICE_SOURCES} code={p.source} dot={false} />
              </td>
              <td>{p.createdName}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function RoomPictures({ room }: { room: RoomDetail }) {
  if (!room.pictures.length) return <Empty text="还没有图片：在房源列表中编辑房间可上传" />;
  return (
    <div className="rd__pics">
      {room.pictures.map((id, i) => (
        <button
          key={id}
          type="button"
          aria-label={`查看第 ${i + 1} 张图片`}
          onClick={() => void openFile(`/system/api/v3/file/${id}`)}
        >
          <Picture fileId={id} label={`第 ${i + 1} 张图片`} className="rd__pic--big" />
        </button>
      ))}
    </div>
  );
}

const STEP = 20;

export function RoomLog({ id }: { id: number }) {
  const [size, setSize] = useState(STEP);
  const { data, error, refetch } = useQuery(
    ask(recordHistory, { params: { kind: "room", recordId: id }, query: { pageSize: Math.min(200, size) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <Timeline
        moments={data.list.map((line) => ({
          key: line.id,
          at: line.at,
          who: line.operatorName,
          what: line.action,
          note: line.summary,
        }))}
      />
      {(data.total ?? 0) > data.list.length && size < 200 && (
        <Button look="text" run={() => setSize(size + STEP)}>
          更早的记录
        </Button>
      )}
    </>
  );
}
