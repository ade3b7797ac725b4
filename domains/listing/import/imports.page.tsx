import { ListPage } from "../../../platform/console/list.tsx";
import { useAddress } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { Empty } from "../../../platform/console/states.tsx";
import { BatchPanel } from "./batch.panel.tsx";
import { useImportActs } from "./import-acts.panel.tsx";
import { roomImports } from "./import.contract.ts";
import { IMPORT_STATES } from "./import.rules.ts";
import { Steps } from "./steps.panel.tsx";
import { Upload } from "./upload.panel.tsx";
import "./import.css";

/** 批量导入房源: a whole store from a spreadsheet in four steps; the batches below (?id= opens one above). */
export default function ImportsPage() {
  const [address, set] = useAddress();
  const actsOf = useImportActs();
  const id = Number(address.get("id")) || undefined;
  if (!may("6.import")) return <Empty text="没有批量导入房源的权限，请联系贵公司的系统管理员" />;
  return (
    <div className="importer">
      {id ? (
        <BatchPanel key={id} id={id} onAgain={() => set({ id: undefined })} />
      ) : (
        <section className="card intake">
          <Steps at={0} />
          <Upload onChecked={(made) => set({ id: made })} />
        </section>
      )}
      <ListPage
        call={roomImports}
        unit="批"
        filters={[
          { kind: "village", key: "villageIds" },
          { kind: "choice", key: "state", title: "状态", words: IMPORT_STATES, many: true },
          { kind: "days", from: "from", to: "to", title: "时间" },
          { kind: "keyword", key: "keyword", title: "编号、文件名" },
        ]}
        columns={[
          "number",
          "fileName",
          "villageName",
          "rowCount",
          "made",
          "errorCount",
          "state",
          "createdName",
          "createdAt",
        ]}
        card={{
          title: "number",
          right: "state",
          lines: [["fileName", "rowCount"], ["createdAt", "errorCount"], [""]],
        }}
        sort={{ sort: "createdAt", order: "desc" }}
        rowActions={actsOf}
        drawer={() => null}
        emptyText="还没有导入批次：下载模板，填好后在上面上传"
      />
    </div>
  );
}
