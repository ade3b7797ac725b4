import { ListPage } from "../../../platform/console/list/list.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { exportSealUses, listSealUses } from "../seal/seal.contract.ts";

/** 用印记录: every time a seal was set. */
export default function SealUses() {
  return (
    <ListPage
      call={listSealUses}
      unit="次"
      filters={["villageIds", "sealId", "operatorId", "from", "keyword"]}
      columns={[
        "at",
        "sealName",
        "sealKind",
        "lessorName",
        {
          key: "title",
          width: 260,
          show: (u) =>
            u.fileId === null ? (
              u.title
            ) : (
              <button
                type="button"
                className="linkish cut"
                onClick={() => void openFile(`/system/api/v3/file/${u.fileId}`)}
              >
                {u.title}
              </button>
            ),
        },
        "villageName",
        "operatorName",
        "reason",
      ]}
      card={{ title: "title", right: "sealName", lines: [["operatorName", "at"], ["reason"]] }}
      exportCall={exportSealUses}
      emptyText="每次盖章都会记在这里"
    />
  );
}
