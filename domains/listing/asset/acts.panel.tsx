import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { deleteAsset, turnAsset, type roomAssets, moveAssets, editAsset } from "./asset.contract.ts";
import { AssetForm, AssetMove } from "./asset.form.tsx";
import { ASSET_ACTS, assetMoves } from "./asset.rules.ts";

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
      {
        label: "删除",
        does: deleteAsset,
        danger: true,
        why: asset.movedFrom || asset.movedTo ? "该资产有转移记录，不能删除，可改为移除" : undefined,
        run: () =>
          act(
            deleteAsset,
            { params: { id: asset.id }, query: { version: asset.version } },
            {
              done: "已删除",
              ask: {
                title: "删除资产",
                body: `仅在登记有误时删除；不再使用的请移除。确定删除 ${called} 吗？`,
              },
            },
          ),
      },
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
