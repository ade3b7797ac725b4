import { useState } from "react";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useVillageActs } from "./acts.panel.tsx";
import { VillagePictures } from "./pictures.panel.tsx";
import { SettingPanel } from "./setting.form.tsx";
import { StaffPanel } from "./staff.panel.tsx";
import { StructurePanel } from "./structure.panel.tsx";
import { village, editVillage } from "./village.contract.ts";
import { VillageForm } from "./village.form.tsx";
import { VILLAGE_MODES, VILLAGE_STATES } from "./village.rules.ts";

/**
 * A village on its own. Billing and accounts belong to other domains: they add their tabs through the slot
 * "village.tabs" and get the village's id.
 */
export function VillageDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useVillageActs();
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Detail
        call={village}
        sent={{ params: { id } }}
        width={1080}
        title={(v) => v.name}
        tags={(v) => <WordTag words={VILLAGE_STATES} code={v.state} />}
        facts={[
          "code",
          "shortName",
          { key: "mode", show: (v) => VILLAGE_MODES[v.mode][0] },
          "districtName",
          "managerName",
          "phone",
          "serviceHours",
          "openingDay",
          "closedDay",
          "enterpriseName",
          { title: "坐标", show: (v) => (v.lng === null ? "—" : `${v.lng}, ${v.lat}`) },
          { title: "标签", show: (v) => v.tags.join("、") || "—" },
          { key: "address", wide: true },
          { key: "intro", wide: true },
        ]}
        actions={(v) => [
          { label: "编辑", main: true, does: editVillage, run: () => setEditing(true) },
          ...actsOf(v),
        ]}
        tabs={[
          {
            key: "structure",
            title: "楼栋结构",
            count: (v) => v.buildings,
            view: (v) => <StructurePanel village={v} />,
          },
          { key: "pictures", title: "图片", view: (v) => <VillagePictures village={v} /> },
          { key: "setting", title: "规则", view: (v) => <SettingPanel key={v.id} id={v.id} /> },
          { key: "staff", title: "人员", view: (v) => <StaffPanel id={v.id} /> },
          { key: "log", title: "日志", view: (v) => <History kind="village" id={v.id} /> },
        ]}
        slot="village.tabs"
      >
        {(v) => editing && <VillageForm village={v} onClose={() => setEditing(false)} />}
      </Detail>
      {layer}
    </>
  );
}
