import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { deleteAnnouncement, listAnnouncements, withdrawAnnouncement } from "./announcement.contract.ts";
import { AnnouncementForm } from "./announcement.form.tsx";
import { AnnouncementDialog } from "./announcement.panel.tsx";
import { refusal } from "./announcement.rules.ts";
import { ReadersDrawer } from "./readers.panel.tsx";
import "../message/message.css";

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
  const act = useAct();
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
                  run: () =>
                    act(
                      withdrawAnnouncement,
                      { params: { id: a.id } },
                      {
                        done: "已撤回",
                        ask: { title: "撤回公告", body: `确定撤回“${a.title}”吗？`, ok: "撤回" },
                      },
                    ),
                },
                {
                  label: "删除",
                  danger: true,
                  run: () =>
                    act(
                      deleteAnnouncement,
                      { params: { id: a.id } },
                      {
                        done: "已删除",
                        ask: { title: "删除公告", body: `确定删除“${a.title}”吗？`, ok: "删除" },
                      },
                    ),
                },
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
