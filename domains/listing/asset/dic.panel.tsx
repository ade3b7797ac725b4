import { useState } from "react";
import { deleteAction, offerAction } from "../../../platform/console/calls/record-acts.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { USED } from "../../system/dic/dic.rules.ts";
import { Picture, PicturesInput } from "../room/pictures.panel.tsx";
import { deleteAssetDic, editAssetDic, exportAssetDic, listAssetDic, addAssetDic } from "./asset.contract.ts";
import "../room/places.css";
import { type Body, RecordForm } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";

const OnePicture = ({ value, onChange, ...rest }: InputProps<number>) => (
  <PicturesInput
    {...rest}
    value={value ? [value] : []}
    // null takes the old one away
    onChange={(ids) => onChange((ids?.[0] ?? null) as number)}
    most={1}
    cap={2}
  />
);

const FIELDS: readonly Field<Body<typeof addAssetDic>>[] = [
  "name",
  "category",
  { key: "spec", placeholder: "如 1.5m×2.0m" },
  { key: "unit", placeholder: "如 张、台、把" },
  "price",
  { key: "damagePrice", help: "退房验收时损坏一件的默认赔偿；改后只影响以后的结算" },
  "lifeMonths",
  { key: "warrantyMonths", help: "0 表示没有质保" },
  { key: "needsSerial", help: "每一件都要登记自己的编号，如门锁、电器的序列号", wide: true },
  { key: "pictureFileId", wide: true, input: (p) => <OnePicture {...p} /> },
];

type Item = Row<typeof listAssetDic>;

/** A kind of asset, new or as it stands. */
const AssetDicForm = ({ item, onClose }: { item?: Item | undefined; onClose: () => void }) => (
  <RecordForm
    add={addAssetDic}
    edit={editAssetDic}
    one="资产类别"
    record={item}
    done="已新增"
    initial={{ category: "furniture" }}
    fields={FIELDS}
    cols={2}
    width={720}
    onClose={onClose}
  />
);

/** 资产字典 in 配置中心: kinds of furniture and equipment, with what they cost and what damage costs. */
export default function AssetDicPanel() {
  const [open, setOpen] = useState<"add" | Item>();
  return (
    <>
      <ListPage
        call={listAssetDic}
        unit="项"
        filters={["category", "state", "keyword"]}
        columns={[
          {
            key: "name",
            width: 200,
            show: (d) => (
              <span className="asset-name">
                {d.pictureFileId !== null && <Picture id={d.pictureFileId} alt={d.name} />}
                {d.name}
              </span>
            ),
          },
          "category",
          "spec",
          "unit",
          "price",
          { key: "damagePrice", strong: true },
          "lifeMonths",
          { key: "warrantyMonths", show: (d) => (d.warrantyMonths ? `${d.warrantyMonths} 个月` : "—") },
          "needsSerial",
          "uses",
          "state",
          { key: "updatedAt", hidden: true },
        ]}
        card={{
          title: "name",
          right: "state",
          lines: [
            ["category", "price"],
            ["spec", "damagePrice"],
          ],
        }}
        toolbar={[
          { label: "新增资产类别", icon: "plus", main: true, does: addAssetDic, run: () => setOpen("add") },
        ]}
        rowActions={(d) => [
          { label: "编辑", need: "117.edit", run: () => setOpen(d) },
          offerAction(editAssetDic, 117, d),
          deleteAction(deleteAssetDic, d, {
            title: "删除资产类别",
            body: `确定删除“${d.name}”吗？`,
            why: d.uses ? USED : undefined,
          }),
        ]}
        exportCall={exportAssetDic}
        emptyText="登记公司采购的家具、家电等，供房间和公共区域登记资产时选用，赔偿价用于退房验收"
      />
      {open && <AssetDicForm item={open === "add" ? undefined : open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
