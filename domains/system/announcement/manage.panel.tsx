import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { exportList } from "../../../platform/console/list/exporting.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { doing } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import {
  deleteAnnouncement,
  listAnnouncements,
  listReaders,
  readersExport,
  withdrawAnnouncement,
} from "./announcement.contract.ts";
import { AnnouncementForm } from "./announcement.form.tsx";
import { AnnouncementDialog } from "./announcement.panel.tsx";
import { READ_STATES, type ReadState, refusal } from "./announcement.rules.ts";
import "../message/message.css";

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
              <Heads of={["姓名", "部门", "状态", "阅读时间", "确认时间"]} />
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

type Announcement = Row<typeof listAnnouncements>;

/** 5/8 and how much of the whole that is. */
const Share = ({ part, of }: { part: number | null; of: number | null }) =>
  part === null || of === null ? (
    <span className="dim">—</span>
  ) : (
    <span className="notice__share">
      <span className="bar">
        <i style={{ width: `${(part * 100) / Math.max(1, of)}%` }} />
      </span>
      {part}/{of}
    </span>
  );

/**
 * All announcements of the company, as a list; in a drawer of the workbench and in 平台配置. Who only reads sees those
 * that are for them, and reads them here.
 */
export function AnnouncementsList() {
  const manages = !!useOperator()?.superType;
  const [form, setForm] = useState<{ id?: number }>();
  const [readers, setReaders] = useState<Announcement>();
  return (
    <>
      <ListPage
        call={listAnnouncements}
        filters={["state", "from", "keyword"]}
        columns={[
          {
            key: "title",
            show: (a) => (
              <button type="button" className="linkish" onClick={() => setReaders(a)}>
                {a.pinned && <span className="tag s-orange">置顶</span>} {a.title}
              </button>
            ),
          },
          { key: "scope", width: 160 },
          "publishAt",
          "expireAt",
          "state",
          { key: "readRate", show: (a) => <Share part={a.reads} of={a.addressed} /> },
          {
            key: "confirmRate",
            show: (a) => <Share part={a.mustConfirm ? a.confirms : null} of={a.addressed} />,
          },
          "publisherName",
        ]}
        card={{ title: "title", right: "state", lines: [["scope", "publishAt"]] }}
        {...(manages && {
          toolbar: [{ label: "新增公告", icon: "plus" as const, main: true, run: () => setForm({}) }],
        })}
        rowActions={(a) =>
          manages
            ? [
                { label: "编辑", why: refusal("edit", a.state), run: () => setForm({ id: a.id }) },
                { label: "阅读情况", run: () => setReaders(a) },
                {
                  label: "撤回",
                  why: refusal("withdraw", a.state),
                  ...doing(withdrawAnnouncement, { params: { id: a.id } }, "已撤回", {
                    title: "撤回公告",
                    body: `确定撤回“${a.title}”吗？`,
                    ok: "撤回",
                  }),
                },
                deleteAction(deleteAnnouncement, a, {
                  title: "删除公告",
                  body: `确定删除“${a.title}”吗？`,
                  ok: "删除",
                }),
              ]
            : []
        }
        emptyText="向员工发布公告，并查看应读、已读和确认情况"
      />
      {form && <AnnouncementForm {...form} onClose={() => setForm(undefined)} />}
      {readers && manages && <ReadersDrawer of={readers} onClose={() => setReaders(undefined)} />}
      {readers && !manages && <AnnouncementDialog id={readers.id} onClose={() => setReaders(undefined)} />}
    </>
  );
}

/** 公告管理, over the workbench. What its list keeps in the address goes with it. */
export function ManageDrawer({ onClose }: { onClose: () => void }) {
  const [, set] = useAddress();
  const close = () => {
    const keys = ["state", "from", "to", "keyword", "pageNo", "sort", "order"];
    set(Object.fromEntries(keys.map((key) => [key, undefined])));
    onClose();
  };
  return (
    <Drawer title="公告管理" width={1120} modal onClose={close}>
      <AnnouncementsList />
    </Drawer>
  );
}
