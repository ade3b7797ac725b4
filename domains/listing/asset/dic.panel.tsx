import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { USED } from "../../system/dic/dic.rules.ts";
import { Picture } from "../room/pictures.panel.tsx";
import { deleteAssetDic, editAssetDic, exportAssetDic, listAssetDic, addAssetDic } from "./dic.contract.ts";
import { AssetDicForm } from "./dic.form.tsx";
import "../village/village.css";

type Item = Row<typeof listAssetDic>;

/** 资产字典 in 配置中心: kinds of furniture and equipment, with what they cost and what damage costs. */
export default function AssetDicPanel() {
  const act = useAct();
  const [open, setOpen] = useState<"add" | Item>();
  const turn = (item: Item, enabled: boolean) =>
    act(
      editAssetDic,
      { params: { id: item.id }, body: { enabled, version: item.version } },
      { done: enabled ? "已启用" : "已停用" },
    );
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
          d.state === "on"
            ? { label: "停用", need: ["117.edit", "117.disable"], run: () => turn(d, false) }
            : { label: "启用", need: ["117.edit", "117.enable"], run: () => turn(d, true) },
          deleteAction(act, deleteAssetDic, d, {
            title: "删除资产类别",
            body: `确定删除“${d.name}”吗？`,
            why: d.uses ? USED : undefined,
          }),
        ]}
        exportCall={exportAssetDic}
        emptyText="登记公司采购的家具、家电等，供房间和公共区域登记资产时选用，赔偿价用于退房验收"
      />
      {open && <AssetDicForm {...(open !== "add" && { item: open })} onClose={() => setOpen(undefined)} />}
    </>
  );
}
