import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { READ_STATES, type ReadState } from "./announcement.rules.ts";
import { listReaders, readersExport } from "./announcement.contract.ts";

const MOST = 200;
const TABS = [
  { key: "all", title: "全部" },
  ...Object.entries(READ_STATES).map(([key, [title]]) => ({ key, title })),
];
const COLUMNS = ["name", "departments", "readState", "readAt", "confirmedAt"];
const moment = (at: string | null) => (at ? timeInZone(at).slice(0, 16) : "—");

/** Who has read an announcement, who has confirmed it, and who has not. */
export function ReadersDrawer({ of, onClose }: { of: { id: number; title: string }; onClose: () => void }) {
  const [on, setOn] = useState("all");
  const params = { id: of.id };
  const filter = on === "all" ? {} : { readState: on as ReadState };
  const { data, error, refetch } = useQuery(
    ask(listReaders, { params, query: { ...filter, pageSize: MOST } }),
  );
  return (
    <Drawer
      title={`阅读情况：${of.title}`}
      width={760}
      modal
      tools={
        <Button
          icon="download"
          size="sm"
          run={() => exportList(readersExport, { params, query: filter }, COLUMNS)}
        >
          导出
        </Button>
      }
      onClose={onClose}
    >
      <Underline small label="阅读状态" items={TABS} on={on} onChange={setOn} />
      {data ? (
        data.list.length ? (
          <>
            <table className="tbl">
              <thead>
                <tr>
                  <th>姓名</th>
                  <th>部门</th>
                  <th>状态</th>
                  <th>阅读时间</th>
                  <th>确认时间</th>
                </tr>
              </thead>
              <tbody>
                {data.list.map((reader) => (
                  <tr key={reader.id}>
                    <td>{reader.name}</td>
                    <td>{reader.departments || "—"}</td>
                    <td>
                      <WordTag words={READ_STATES} code={reader.readState} />
                    </td>
                    <td>{moment(reader.readAt)}</td>
                    <td>{moment(reader.confirmedAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="dim notice__by">
              共 {data.total} 人{(data.total ?? 0) > MOST && `，此处显示前 ${MOST} 人，导出可得全部`}
            </p>
          </>
        ) : (
          <Empty text="没有符合条件的人员" />
        )
      ) : error ? (
        <Broken error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={5} />
      )}
    </Drawer>
  );
}
