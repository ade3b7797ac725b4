import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ask } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { Picture } from "../room/pictures.panel.tsx";
import { useVillageActs } from "./acts.panel.tsx";
import { VillagePictures } from "./pictures.panel.tsx";
import { SettingPanel } from "./setting.form.tsx";
import { StructurePanel } from "./structure.panel.tsx";
import { editVillage, village, villageStaff, type villages } from "./village.contract.ts";
import { VillageForm } from "./village.form.tsx";
import { VILLAGE_MODES, VILLAGE_STATES } from "./village.rules.ts";

/** Who sees the village. It is read here and changed with the permissions. */
export function StaffPanel({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(ask(villageStaff, { params: { id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return (
    <>
      <p className="dim">
        以下员工可以查看本门店。
        {may("46.query") && <Link to={pathTo("/system/AuthorityManagement")}>到权限管理中调整</Link>}
      </p>
      <RowTable
        schema={villageStaff.reply}
        rows={data}
        columns={[
          {
            key: "realName",
            show: (p) => (
              <>
                {p.realName}{" "}
                {p.manager && (
                  <StatusTag tone="grey" dot={false}>
                    店长
                  </StatusTag>
                )}
              </>
            ),
          },
          "phone",
          "departments",
          "roles",
        ]}
        flat
        emptyText="还没有员工可以查看本门店"
      />
    </>
  );
}

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

/** A store as a card: its cover, where it is, who runs it and how full it is. */
export const VillageFace = ({ village: v }: { village: Row<typeof villages> }) => (
  <>
    <span className="village__cover grid dim">
      {v.cover === null ? <Icon name="building" size={20} /> : <Picture id={v.cover} alt={v.name} />}
    </span>
    <span className="village__facts grid gap-2 fs-13">
      <span className="row">
        <b className="grow">{v.name}</b>
        <WordTag words={VILLAGE_STATES} code={v.state} />
      </span>
      <span className="sub cut">
        {v.districtName} {v.address}
      </span>
      <span className="sub">
        {v.managerName} {v.phone}
      </span>
      <span className="row">
        <span className="grow">
          {v.rooms.toLocaleString("en-US")} 间，在租 {v.let.toLocaleString("en-US")}
        </span>
        <b>{v.letRate === null ? "—" : `${(v.letRate * 100).toFixed(2)}%`}</b>
      </span>
      <span className="bar s-green">
        <i style={{ width: `${(v.letRate ?? 0) * 100}%` }} />
      </span>
    </span>
  </>
);
