import { type ReactNode, useState } from "react";
import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { SWITCHED, type Switched } from "../../../platform/kernel/switched.ts";
import { Assets } from "../asset/assets.panel.tsx";
import { CopyToPlaces, type Source } from "../building/copy.form.tsx";
import { codeAct } from "../qrcode/codes.panel.tsx";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import * as calls from "../public-area/area.contract.ts";
import { AreaForm } from "../public-area/area.form.tsx";
import "../room/places.css";

type Area = Source & { version: number; state: Switched; assets: number };

/** What can be done with an area, the same in its row and in its drawer; and the dialog that is open for it. */
export function useAreaActs(): [(area: Area) => Actions, ReactNode] {
  const [copying, setCopying] = useState<Area>();
  const actsOf = (a: Area): Actions => [
    switchAction({ enable: calls.enableArea, disable: calls.disableArea }, a, {
      ask: { title: "停用公共区域", body: `确定停用 ${a.name} 吗？` },
    }),
    { label: "复制到…", does: calls.copyArea, run: () => setCopying(a) },
    codeAct("area", a.id),
    deleteAction(calls.deleteArea, a, {
      title: "删除公共区域",
      body: `确定删除 ${a.name} 吗？`,
      why: a.assets ? `该公共区域有 ${a.assets} 件资产，不能删除，可改为停用` : undefined,
    }),
  ];
  const close = () => setCopying(undefined);
  const layer = copying && (
    <CopyToPlaces call={calls.copyArea} one="公共区域" source={copying} onClose={close} />
  );
  return [actsOf, layer];
}

/** A public area on its own. Devices, meters and orders belong to other domains: they add tabs through "area.tabs". */
export function AreaDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useAreaActs();
  return (
    <>
      <Detail
        call={calls.publicArea}
        sent={{ params: { id } }}
        width={900}
        title={(a) => a.name}
        tags={(a) => <WordTag words={SWITCHED} code={a.state} />}
        facts={[
          ...(["villageName", "place", "kindName", "area", "capacity"] as const),
          ...(["openHours", "managerName", "createdAt", "updatedAt"] as const),
          { key: "remark", wide: true },
        ]}
        edits={{ does: calls.editArea, form: (a, close) => <AreaForm area={a} onClose={close} /> }}
        actions={actsOf}
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
        ]}
        log="publicArea"
        slot="area.tabs"
      />
      {layer}
    </>
  );
}

/** An area as a card: its cover, where it is, and who looks after it. */
export function AreaFace({ area: a }: { area: Row<typeof calls.publicAreas> }) {
  const facts = [
    a.kindName,
    a.area !== null && `${a.area.toFixed(2)} ㎡`,
    a.capacity !== null && `可容 ${a.capacity} 人`,
  ];
  return (
    <>
      <span className="village__cover grid dim">
        {a.cover === null ? <Icon name="building" size={20} /> : <Picture id={a.cover} alt={a.name} />}
      </span>
      <span className="village__facts grid gap-2 fs-13">
        <span className="row">
          <b className="grow cut">{a.name}</b>
          <WordTag words={SWITCHED} code={a.state} />
        </span>
        <span className="sub cut">{`${a.villageName} ${a.place}`}</span>
        <span className="sub cut">{facts.filter(Boolean).join("，")}</span>
        <span className="sub cut">
          {a.assets} 件资产{a.managerName && `，${a.managerName} 负责`}
        </span>
      </span>
    </>
  );
}
