import { ListPage } from "../../../platform/console/list/list.tsx";
import { listLost } from "./lost.contract.ts";

/** 失效地址: paths that led to /404, so that dead links in messages, menus and bookmarks are found. */
export default function DeadPanel() {
  return (
    <ListPage
      call={listLost}
      unit="个"
      sort={{ sort: "lastAt", order: "desc" }}
      filters={["from", "keyword"]}
      columns={[{ key: "path", width: 320 }, { key: "title", width: 160 }, "times", "days", "lastAt"]}
      emptyText="没有失效地址的访问记录"
    />
  );
}
