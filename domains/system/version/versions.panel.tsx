import { useState } from "react";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { mayWrite, useDelete, VersionForm } from "./notes.panel.tsx";
import { listVersions } from "./version.contract.ts";

/** 版本说明 as a tab of 配置中心: the notes of the header's drawer as a list. */
export default function VersionsPanel() {
  const writes = mayWrite();
  const remove = useDelete();
  const [form, setForm] = useState<{ note?: Row<typeof listVersions> }>();
  return (
    <>
      <ListPage
        call={listVersions}
        filters={["version", "module", "type", "from"]}
        columns={["version", "releaseTime", "type", "module", { key: "content", width: 480 }]}
        card={{ title: "version", right: "type", lines: [["module", "releaseTime"], ["content"]] }}
        emptyText="每次升级的内容写在这里，所有人可从页头的版本号查看"
        {...(writes && {
          toolbar: [{ label: "新增版本", icon: "plus", main: true, run: () => setForm({}) }],
          rowActions: (note: Row<typeof listVersions>) => [
            { label: "编辑", run: () => setForm({ note }) },
            { label: "删除", danger: true, run: () => remove(note) },
          ],
        })}
      />
      {form && <VersionForm {...form} onClose={() => setForm(undefined)} />}
    </>
  );
}
