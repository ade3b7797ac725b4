import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo, useUnsaved } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import { SettingCopy, SettingPanel } from "./setting.form.tsx";
import {
  copySetting,
  setVillagePictures,
  villagePictures,
  closeVillage,
  deleteVillage,
  editVillage,
  openVillage,
  village,
  villageStaff,
  type villages,
} from "./village.contract.ts";
import { StructurePanel } from "./structure.panel.tsx";
import { VillageForm } from "./village.form.tsx";
import {
  PICTURES_PER_TYPE,
  PICTURE_TYPES,
  VILLAGE_MODES,
  VILLAGE_STATES,
  type VillageState,
} from "./village.rules.ts";

type Pictures = Reply<typeof villagePictures>;

/** Pictures in the four groups that the specification names; drag to order, the first is the cover. */
export function VillagePictures({ village }: { village: { id: number; version: number } }) {
  const { data, error, refetch } = useQuery(ask(villagePictures, { params: { id: village.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return <Groups key={data.map((p) => p.id).join()} village={village} pictures={data} />;
}

function Groups({ village, pictures }: { village: { id: number; version: number }; pictures: Pictures }) {
  const refresh = useRefresh();
  const [groups, setGroups] = useState(() =>
    PICTURE_TYPES.map((_, type) => pictures.filter((p) => p.type === type).map((p) => p.fileId)),
  );
  const captions = new Map(pictures.map((p) => [p.fileId, p.caption]));
  const now = groups.flatMap((ids, type) =>
    ids.map((fileId) => ({ type, fileId, caption: captions.get(fileId) ?? "" })),
  );
  const dirty =
    JSON.stringify(now.map((p) => [p.type, p.fileId])) !==
    JSON.stringify(pictures.map((p) => [p.type, p.fileId]));
  useUnsaved(dirty);
  const readOnly = !may("6.edit");
  const save = async () => {
    await send(setVillagePictures, {
      params: { id: village.id },
      body: { version: village.version, pictures: now },
    });
    toast("图片已保存");
    await refresh();
  };
  return (
    <>
      {PICTURE_TYPES.map((title, type) => (
        <section key={title}>
          <h3 className="form__section">
            {title}
            <small>
              {groups[type]!.length} / {PICTURES_PER_TYPE}
            </small>
          </h3>
          <PicturesInput
            value={groups[type]}
            onChange={(ids) => setGroups(groups.with(type, ids ?? []))}
            most={PICTURES_PER_TYPE}
            disabled={readOnly}
          />
        </section>
      ))}
      {!readOnly && (
        <p className="acts">
          <Button look="main" why={dirty ? undefined : "没有修改"} run={save}>
            保存图片
          </Button>
          <span className="dim">拖动可调整顺序，第一张作为封面</span>
        </p>
      )}
    </>
  );
}

type Village = { id: number; name: string; version: number; state: VillageState; buildings: number };

/** What can be done with a village, the same in its row and on its own page; and the dialog that is open for it. */
export function useVillageActs(): [(v: Village) => Actions, ReactNode] {
  const act = useAct();
  const [closing, setClosing] = useState<Village>();
  const [reopening, setReopening] = useState<Village>();
  const [copying, setCopying] = useState<Village>();
  const actsOf = (v: Village): Actions => [
    v.state !== "open" && {
      label: "开业",
      does: openVillage,
      run: () =>
        v.state === "closed"
          ? setReopening(v)
          : act(
              openVillage,
              { params: { id: v.id }, body: { version: v.version } },
              { done: "已开业", ask: { title: "开业", body: `确定 ${v.name} 开业吗？` } },
            ),
    },
    v.state === "open" && { label: "停业", does: closeVillage, run: () => setClosing(v) },
    { label: "复制设置到…", does: copySetting, run: () => setCopying(v) },
    deleteAction(deleteVillage, v, {
      title: "删除门店",
      body: `确定删除 ${v.name} 吗？`,
      why: v.buildings ? `该门店有 ${v.buildings} 个楼栋，不能删除，可改为停业` : undefined,
    }),
  ];
  const layer = (
    <>
      {closing && <CloseForm village={closing} onClose={() => setClosing(undefined)} />}
      {reopening && <ReopenForm village={reopening} onClose={() => setReopening(undefined)} />}
      {copying && <SettingCopy from={copying} onClose={() => setCopying(undefined)} />}
    </>
  );
  return [actsOf, layer];
}

function CloseForm({ village: v, onClose }: { village: Village; onClose: () => void }) {
  const today = useToday();
  return (
    <FormDialog
      call={closeVillage}
      params={{ id: v.id }}
      initial={{ version: v.version, closedDay: today }}
      title={`停业 ${v.name}`}
      ok="停业"
      done="已停业"
      fields={["closedDay", "reason"]}
      onClose={onClose}
    />
  );
}

function ReopenForm({ village: v, onClose }: { village: Village; onClose: () => void }) {
  const today = useToday();
  return (
    <FormDialog
      call={openVillage}
      params={{ id: v.id }}
      initial={{ version: v.version, openDay: today }}
      title={`重新开业 ${v.name}`}
      ok="重新开业"
      done="已重新开业"
      fields={[
        { key: "openDay", help: "此日之前的日期仍为停业" },
        { key: "reason", must: true },
      ]}
      onClose={onClose}
    />
  );
}

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
        edits={{ does: editVillage, form: (v, close) => <VillageForm village={v} onClose={close} /> }}
        actions={actsOf}
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
        ]}
        log="village"
        slot="village.tabs"
      />
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
