import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { SheetDrop, useChecking } from "../../../platform/console/files/checking.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { download } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { BatchDrawer, useImportActs } from "./batch.panel.tsx";
import { roomImports, roomImportTemplate, uploadRoomImport } from "./import.contract.ts";
import "../room/places.css";

const STEPS = ["下载模板", "上传检查", "预览确认", "完成"];

/** A whole store from a spreadsheet: the steps above, every batch below, one beside it (?id=). */
/** Imports belong to those who may import; anybody else is told whom to ask, and nothing is asked of the server. */
export default function ImportsPage() {
  return may("6.import") ? <Imports /> : <Empty text="没有批量导入房源的权限，请联系管理员开通“导入”" />;
}

function Imports() {
  const [address, set] = useAddress();
  const [villageId, setVillageId] = useState<number>();
  const actsOf = useImportActs();
  const refresh = useRefresh();
  const { name, failed, check } = useChecking(uploadRoomImport);
  // what was found opens beside the list
  const take = (file: File) =>
    check(file, villageId ? { villageId: String(villageId) } : undefined, async (id) => {
      await refresh();
      set({ id: String(id) }, { push: true });
    });
  const at = address.get("id") ? 2 : 0;
  return (
    <div className="imports stack gap-6">
      {may("6.import") && (
        <section className="card imports__start">
          <ol className="imports__steps">
            {STEPS.map((step, i) => (
              <li key={step} aria-current={i === at ? "step" : undefined}>
                <i>{i + 1}</i>
                {step}
              </li>
            ))}
          </ol>
          <div className="row gap-6 wrap sub">
            <label htmlFor="import-village">门店</label>
            <span className="imports__village">
              <VillageSelect
                id="import-village"
                value={villageId}
                onChange={setVillageId}
                placeholder="按表格中的门店列"
              />
            </span>
            {villageId !== undefined && (
              <Button look="text" run={() => setVillageId(undefined)}>
                不限门店
              </Button>
            )}
            <Button
              icon="download"
              run={() => download(roomImportTemplate, { query: { ...(villageId && { villageId }) } })}
            >
              下载模板
            </Button>
            <SheetDrop
              className="imports__drop"
              text="点击或拖入填好的 .xlsx，最多 10,000 行、10M"
              busy={name && `正在检查 ${name} …`}
              onFile={take}
            />
          </div>
          <FormAlert text={failed} />
        </section>
      )}
      <ListPage
        call={roomImports}
        unit="批"
        filters={["villageIds", "state", "from", "keyword"]}
        columns={[
          "number",
          { key: "fileName", width: 170 },
          { key: "villageName", width: 110 },
          "rowCount",
          { key: "made", width: 224 },
          {
            key: "errorCount",
            show: (b) => <span className={b.errorCount ? "neg" : "dim"}>{b.errorCount}</span>,
          },
          "state",
          "createdName",
          "createdAt",
        ]}
        card={{
          title: "number",
          right: "state",
          lines: [
            ["fileName", (b) => `${b.rowCount.toLocaleString("en-US")} 行`],
            ["createdName", "createdAt"],
            [""],
          ],
        }}
        rowActions={actsOf}
        drawer={(id) => <BatchDrawer id={id} />}
        emptyText="还没有导入过房源；下载模板填写后上传，全部检查无误才会导入"
      />
    </div>
  );
}
