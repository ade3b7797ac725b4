import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Assets } from "../asset/assets.panel.tsx";
import { codeAct } from "../qrcode/codes.panel.tsx";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import {
  copyArea,
  deleteArea,
  disableArea,
  editArea,
  enableArea,
  publicArea,
  type publicAreas,
} from "../public-area/area.contract.ts";
import { AreaForm } from "../public-area/area.form.tsx";
import { AREA_STATES, type AreaState, areaMoves } from "../public-area/area.rules.ts";
import { AreaCopy, type Source } from "../public-area/copy.form.tsx";
import "../room/places.css";

type Area = Source & { version: number; state: AreaState; assets: number };

/** What can be done with an area, the same in its row and in its drawer; and the dialog that is open for it. */
export function useAreaActs(): [(area: Area) => Actions, ReactNode] {
  const act = useAct();
  const [copying, setCopying] = useState<Area>();
  const actsOf = (a: Area): Actions => {
    const one = { params: { id: a.id }, body: { version: a.version } };
    const row = { status: a.state };
    return [
      a.state === "enabled"
        ? {
            label: "停用",
            does: disableArea,
            why: areaMoves.refusal("disable", row),
            run: () =>
              act(disableArea, one, {
                done: "已停用",
                ask: { title: "停用公共区域", body: `确定停用 ${a.name} 吗？` },
              }),
          }
        : {
            label: "启用",
            does: enableArea,
            why: areaMoves.refusal("enable", row),
            run: () => act(enableArea, one, { done: "已启用" }),
          },
      { label: "复制到…", does: copyArea, run: () => setCopying(a) },
      codeAct("area", a.id),
      {
        label: "删除",
        does: deleteArea,
        danger: true,
        why: a.assets ? `该公共区域有 ${a.assets} 件资产，不能删除，可改为停用` : undefined,
        run: () =>
          act(
            deleteArea,
            { params: { id: a.id }, query: { version: a.version } },
            { done: "已删除", ask: { title: "删除公共区域", body: `确定删除 ${a.name} 吗？` } },
          ),
      },
    ];
  };
  const layer = copying && <AreaCopy area={copying} onClose={() => setCopying(undefined)} />;
  return [actsOf, layer];
}

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

/** An area as a card: its cover, where it is, and who looks after it. */
export const AreaFace = ({ area: a }: { area: Row<typeof publicAreas> }) => (
  <>
    <span className="village__cover grid dim">
      {a.cover === null ? <Icon name="building" size={20} /> : <Picture id={a.cover} alt={a.name} />}
    </span>
    <span className="village__facts grid gap-2 fs-13">
      <span className="row">
        <b className="grow cut">{a.name}</b>
        <WordTag words={AREA_STATES} code={a.state} />
      </span>
      <span className="sub cut">
        {a.villageName} {a.place}
      </span>
      <span className="sub cut">
        {[
          a.kindName,
          a.area !== null && `${a.area.toFixed(2)} ㎡`,
          a.capacity !== null && `可容 ${a.capacity} 人`,
        ]
          .filter(Boolean)
          .join("，")}
      </span>
      <span className="sub cut">
        {a.assets} 件资产{a.managerName && `，${a.managerName} 负责`}
      </span>
    </span>
  </>
);
