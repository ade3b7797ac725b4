import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { listContractConfigs, removeContractConfig } from "../config/config.contract.ts";
import { ConfigSet } from "./config-set.panel.tsx";

const limit = (months: number) => (months ? `${months} 个月` : "不限");

/** `start` opens the form at once. */
type Opened = { villageId: number | null | undefined; name: string; start?: boolean };

/** Contract parameters: the enterprise's set, and the villages that have one of their own. */
export default function ConfigsPage() {
  const act = useAct();
  const [opened, setOpened] = useState<Opened>();
  const { data: villages = [] } = useVillages();
  return (
    <>
      <ListPage
        call={listContractConfigs}
        unit="份"
        filters={["villageIds"]}
        columns={[
          { key: "name", width: 160 },
          "source",
          "holdDays",
          "backdateDays",
          "moveInRule",
          { key: "silentDays", hidden: true },
          { key: "maxDepositMonths", show: (row) => limit(row.maxDepositMonths) },
          { key: "maxPrepayMonths", show: (row) => limit(row.maxPrepayMonths) },
          "graceDays",
          { key: "lateFeeDailyRate", title: "滞纳金", show: (row) => `每天 ${row.lateFeeDailyRate}%` },
          { key: "lateFeeCapPercent", hidden: true },
          "updatedBy",
          "updatedAt",
        ]}
        card={{
          title: "name",
          right: "source",
          lines: [
            ["moveInRule", "lateFeeDailyRate"],
            ["updatedBy", "updatedAt"],
          ],
        }}
        toolbar={[
          {
            label: "单独设置门店",
            icon: "plus",
            main: true,
            need: "95.edit",
            run: () => setOpened({ villageId: undefined, name: "单独设置门店" }),
          },
        ]}
        rowActions={(row) => [
          {
            label: may("95.edit") && row.editable ? "查看与修改" : "查看",
            run: () => setOpened({ villageId: row.villageId, name: row.name }),
          },
          row.villageId !== null && {
            label: "恢复沿用企业设置",
            does: removeContractConfig,
            danger: true,
            run: () =>
              act(
                removeContractConfig,
                { query: { villageId: row.villageId! } },
                {
                  done: "已恢复沿用企业设置，仅影响新签合同",
                  ask: {
                    title: "恢复沿用企业设置",
                    body: `${row.name}单独设置的合同参数将被取消，以后新签的合同按企业设置；已签合同不变。`,
                  },
                },
              ),
          },
        ]}
        emptyText="选中的门店都沿用企业设置"
      />
      {opened && (
        <Drawer title={`合同参数　${opened.name}`} width={880} modal onClose={() => setOpened(undefined)}>
          {opened.villageId === undefined ? (
            <>
              <p className="dim">选择门店后，以其当前参数为基础单独设置</p>
              <div className="fi__in" style={{ maxWidth: 320, marginTop: 12 }}>
                <VillageSelect
                  value={undefined}
                  onChange={(id) =>
                    id &&
                    setOpened({
                      villageId: id,
                      name: villages.find((v) => v.value === id)?.label ?? "",
                      start: true,
                    })
                  }
                />
              </div>
            </>
          ) : (
            <ConfigSet key={opened.villageId} villageId={opened.villageId} start={opened.start} />
          )}
        </Drawer>
      )}
    </>
  );
}
