import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { ActionButtons, type Actions, RowActions } from "../../../platform/console/parts/actions.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import {
  addAsset,
  assetRow,
  deleteAsset,
  editAsset,
  exportAssets,
  moveAssets,
  roomAssets,
  turnAsset,
} from "./asset.contract.ts";
import { AssetCopy, AssetForm, AssetMove, type At } from "./asset.form.tsx";
import { ASSET_ACTS, STANDING, assetMoves } from "./asset.rules.ts";
import "../room/places.css";

type Asset = Row<typeof roomAssets>;

/** What can be done with an asset, and the form that is open for it. */
export function useAssetActs(): [(asset: Asset) => Actions, ReactNode] {
  const act = useAct();
  const [open, setOpen] = useState<{ what: "edit" | "move"; asset: Asset }>();
  const actsOf = (asset: Asset): Actions => {
    const row = { status: asset.state };
    const called = `${asset.name} ${asset.code}`;
    const turn = (what: keyof typeof ASSET_ACTS, done: string) => ({
      label: ASSET_ACTS[what][0],
      does: turnAsset,
      why: assetMoves.refusal(what, row),
      run: () =>
        act(
          turnAsset,
          { params: { id: asset.id }, body: { act: what, version: asset.version } },
          what === "repair"
            ? { done, ask: { title: "恢复使用", body: `确定 ${called} 已修好、恢复使用吗？` } }
            : { done, reason: { title: `${ASSET_ACTS[what][0]} ${called}` } },
        ),
    });
    return [
      {
        label: "编辑",
        does: editAsset,
        why: assetMoves.refusal("edit", row),
        run: () => setOpen({ what: "edit", asset }),
      },
      asset.state === "damaged" ? turn("repair", "已恢复使用") : turn("damage", "已报损"),
      {
        label: "转移",
        does: moveAssets,
        why: assetMoves.refusal("move", row),
        run: () => setOpen({ what: "move", asset }),
      },
      turn("lose", "已报失"),
      turn("remove", "已移除"),
      deleteAction(deleteAsset, asset, {
        title: "删除资产",
        body: `仅在登记有误时删除；不再使用的请移除。确定删除 ${called} 吗？`,
        why: asset.movedFrom || asset.movedTo ? "该资产有转移记录，不能删除，可改为移除" : undefined,
      }),
    ];
  };
  const close = () => setOpen(undefined);
  const layer = open && (
    <>
      {open.what === "edit" && <AssetForm asset={open.asset} onClose={close} />}
      {open.what === "move" && <AssetMove asset={open.asset} onClose={close} />}
    </>
  );
  return [actsOf, layer];
}

const SHOWN = ["code", "name", "category", "brand", "model", "quantity", "unit", "price", "value"];
const EXPORTED = [...SHOWN, "damagePrice", "purchasedOn", "warrantyTo", "state", "reason", "place"];

/** What stands in a room or a public area, what it is worth, and what became of what is gone. */
export function Assets({ at, name }: { at: At; name: string }) {
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<"add" | "copy">();
  const [actsOf, layer] = useAssetActs();
  const { data, error, refetch } = useQuery(ask(roomAssets, { query: { ...at, pageSize: 200 } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const gone = data.list.filter((a) => !STANDING.includes(a.state)).length;
  const rows = all ? data.list : data.list.filter((a) => STANDING.includes(a.state));
  const { quantity = 0, value = 0, damageValue = 0 } = data.sums ?? {};
  const close = () => setOpen(undefined);
  return (
    <>
      <MoneyStrip
        items={[
          { title: "资产件数", show: quantity.toLocaleString("en-US") },
          { title: "原值合计", fen: value },
          { title: "赔偿价合计", fen: damageValue },
        ]}
      />
      <div className="assets__tools row wrap">
        <ActionButtons
          actions={[
            { label: "新增资产", icon: "plus", does: addAsset, run: () => setOpen("add") },
            { label: "从其他位置复制", need: "6.edit", run: () => setOpen("copy") },
            {
              label: "导出",
              does: exportAssets,
              why: data.list.length ? undefined : "还没有资产",
              run: () => exportList(exportAssets, { query: at }, EXPORTED),
            },
          ]}
        />
        {gone > 0 && (
          <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>
            显示已丢失、移除的 {gone} 项
          </Checkbox>
        )}
      </div>
      <RowTable
        schema={assetRow}
        rows={rows}
        flat
        emptyText="还没有资产：登记家具、家电等，交房和退房时逐项清点"
        columns={[
          {
            key: "name",
            show: (a) => (
              <>
                {a.name}
                <small className="dim"> {a.code}</small>
              </>
            ),
          },
          {
            key: "model",
            title: "品牌型号",
            show: (a) => [a.brand, a.model].filter(Boolean).join(" ") || "—",
          },
          { key: "quantity", show: (a) => `${a.quantity} ${a.unit}` },
          "price",
          "damagePrice",
          "warrantyTo",
          "state",
          ...(all
            ? [
                {
                  key: "reason" as const,
                  show: (a: (typeof rows)[number]) =>
                    [a.movedTo && `转移到 ${a.movedTo}`, a.reason].filter(Boolean).join("，") || "—",
                },
                "goneOn" as const,
              ]
            : []),
          ...(may("6.edit")
            ? [
                {
                  own: "acts",
                  title: "操作",
                  show: (a: (typeof rows)[number]) => <RowActions actions={actsOf(a)} />,
                },
              ]
            : []),
        ]}
      />
      {open === "add" && <AssetForm at={at} name={name} onClose={close} />}
      {open === "copy" && <AssetCopy at={at} name={name} onClose={close} />}
      {layer}
    </>
  );
}
