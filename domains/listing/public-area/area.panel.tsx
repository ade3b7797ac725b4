import { useState } from "react";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Assets } from "../asset/assets.panel.tsx";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { useAreaActs } from "./acts.panel.tsx";
import { publicArea, editArea } from "./area.contract.ts";
import { AreaForm } from "./area.form.tsx";
import { AREA_STATES } from "./area.rules.ts";

/** A public area on its own. Devices, meters and orders belong to other domains: they add tabs through "area.tabs". */
export function AreaDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useAreaActs();
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Detail
        call={publicArea}
        sent={{ params: { id } }}
        width={900}
        title={(a) => a.name}
        tags={(a) => <WordTag words={AREA_STATES} code={a.state} />}
        facts={[
          "villageName",
          "place",
          "kindName",
          "area",
          "capacity",
          "openHours",
          "managerName",
          "createdAt",
          "updatedAt",
          { key: "remark", wide: true },
        ]}
        actions={(a) => [
          { label: "编辑", main: true, does: editArea, run: () => setEditing(true) },
          ...actsOf(a),
        ]}
        tabs={[
          {
            key: "assets",
            title: "资产",
            need: "6.query",
            count: (a) => a.assets,
            view: (a) => <Assets at={{ publicAreaId: a.id }} name={a.name} />,
          },
          {
            key: "pictures",
            title: "图片",
            count: (a) => a.pictures.length,
            view: (a) => <PicturesInput value={a.pictures} disabled onChange={() => undefined} />,
          },
          { key: "log", title: "日志", view: (a) => <History kind="publicArea" id={a.id} /> },
        ]}
        slot="area.tabs"
      >
        {(a) => editing && <AreaForm area={a} onClose={() => setEditing(false)} />}
      </Detail>
      {layer}
    </>
  );
}
