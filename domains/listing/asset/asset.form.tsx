import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import {
  addAsset,
  copyAssets,
  editAsset,
  moveAssets,
  type roomAssets,
  listAssetDic,
} from "./asset.contract.ts";
import { CATEGORIES, type Category } from "./asset.rules.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { publicAreas } from "../public-area/area.contract.ts";
import { roomOptions } from "../room/options.contract.ts";

export type At = { roomId: number } | { publicAreaId: number };

/** Rooms and public areas to choose from. */
export const ROOMS: Source = {
  call: roomOptions,
  option: (room: { id: number; fullName: string }) => ({ value: room.id, label: roomLabel(room.fullName) }),
};
export const AREAS: Source = {
  call: publicAreas,
  query: { pageSize: 200, want: "rows" },
  option: (area: { id: number; name: string; villageName: string; place: string }) => ({
    value: area.id,
    label: area.name,
    note: `${area.villageName} ${area.place}`,
  }),
};

type Props = { onClose: () => void } & ({ at: At; name: string } | { asset: Row<typeof roomAssets> });
type Word = { id: number; name: string; spec: string; category: Category; price: number };

const KINDS: Source = {
  call: listAssetDic,
  query: { state: "on", pageSize: 200 },
  option: (d: Word) => ({
    value: d.id,
    label: [d.name, d.spec].filter(Boolean).join(" "),
    note: `${CATEGORIES[d.category][0]} ${yuan(d.price)}`,
  }),
};

/** A new asset of a place, or one that stands there. What the dictionary knows is proposed, what was typed stays. */
export function AssetForm(props: Props) {
  const today = useToday();
  const { data } = useQuery(ask(listAssetDic, { query: { state: "on", pageSize: 200 } }));
  const words = new Map((data?.list ?? []).map((d) => [d.id, d]));
  const kept = "asset" in props ? props.asset : undefined;
  const fields: readonly Field<Body<typeof addAsset>>[] = [
    {
      key: "assetDicId",
      wide: true,
      help: words.size || !data ? undefined : "资产字典还是空的，请先在配置中心的“资产字典”中新增",
      input: (p) => <RecordSelect {...p} source={KINDS} placeholder="输入名称或规格搜索" />,
    },
    { key: "name", placeholder: "不填则取资产类别的名称" },
    {
      key: "code",
      placeholder: "不填则由系统给出",
      help: (v) =>
        words.get(v.assetDicId ?? 0)?.needsSerial ? "该类资产须登记编号，每条数量为 1" : undefined,
    },
    "brand",
    "model",
    { key: "quantity", help: (v) => proposed(words.get(v.assetDicId ?? 0)?.unit, "单位：") },
    {
      key: "price",
      help: (v) =>
        proposed(inYuan(words.get(v.assetDicId ?? 0)?.price), "不填则取字典单价 ") ?? "不填则取字典单价",
    },
    "purchasedOn",
    { key: "warrantyTo", help: "不填则按购入日和字典的质保月数计算" },
    {
      key: "damagePrice",
      help: (v) =>
        proposed(inYuan(words.get(v.assetDicId ?? 0)?.damagePrice), "不填则取字典赔偿价，现为 ") ??
        "不填则取字典赔偿价",
    },
    { key: "pictures", wide: true, input: (p) => <PicturesInput {...p} most={5} cap={2} /> },
  ];
  const shared = { cols: 2, width: 720, onClose: props.onClose };
  if (kept)
    return (
      <FormDrawer
        {...shared}
        call={editAsset}
        fields={fields as never}
        params={{ id: kept.id }}
        initial={{ ...kept, damagePrice: kept.ownDamagePrice }}
        title={`编辑 ${kept.name}`}
        done="已保存"
      />
    );
  const { at, name } = props as Extract<Props, { at: At }>;
  return (
    <FormDrawer
      {...shared}
      call={addAsset}
      fields={fields}
      initial={{ ...at, quantity: 1, purchasedOn: today }}
      title={`新增资产，位于 ${name}`}
      done="资产已新增"
    />
  );
}

const inYuan = (fen: number | undefined) => (fen === undefined ? undefined : yuan(fen));
const proposed = (text: string | undefined, before: string) => (text ? `${before}${text}` : undefined);

type Where = Partial<Body<typeof moveAssets>>;

/** Where an asset goes: a room or a public area. */
export const AssetMove = ({ asset, onClose }: { asset: Row<typeof roomAssets>; onClose: () => void }) => (
  <FormDialog
    call={moveAssets}
    title={`转移 ${asset.name} ${asset.code}`}
    ok="转移"
    done="已转移"
    initial={{ ids: [asset.id] }}
    fields={[
      {
        key: "roomId",
        title: "到房间",
        when: (v: Where) => !v.publicAreaId,
        input: (p) => <RecordSelect {...p} source={ROOMS} />,
      },
      {
        key: "publicAreaId",
        title: "到公共区域",
        when: (v: Where) => !v.roomId,
        input: (p) => <RecordSelect {...p} source={AREAS} />,
      },
      "reason",
    ]}
    note={(v) => !v.roomId && !v.publicAreaId && "房间和公共区域选择一处"}
    onClose={onClose}
  />
);

/** Sets up here what stands in a place that is furnished already; rooms from rooms, areas from areas. */
export const AssetCopy = ({ at, name, onClose }: { at: At; name: string; onClose: () => void }) => {
  const room = "roomId" in at;
  return (
    <FormDialog
      call={copyAssets}
      title={`复制资产到 ${name}`}
      ok="复制"
      initial={room ? { toRoomIds: [at.roomId] } : { toPublicAreaIds: [at.publicAreaId] }}
      fields={
        room
          ? [
              {
                key: "roomId",
                title: "来源房间",
                must: true,
                help: "来源房间在用和损坏的资产各复制一份，编号由系统给出",
                input: (p) => <RecordSelect {...p} source={ROOMS} />,
              },
            ]
          : [
              {
                key: "publicAreaId",
                title: "来源区域",
                must: true,
                help: "来源区域在用和损坏的资产各复制一份，编号由系统给出",
                input: (p) => <RecordSelect {...p} source={AREAS} />,
              },
            ]
      }
      onDone={({ made }) => toast(`已复制 ${made} 项资产`)}
      onClose={onClose}
    />
  );
};
