import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { PriceForm } from "./price.form.tsx";
import { deleteProduct, disableProduct, enableProduct, addProduct, editProduct } from "./product.contract.ts";
import { AddForm, EditOne } from "./product.form.tsx";
import { undeletable } from "./product.rules.ts";
import { RoomsForm } from "./rooms.form.tsx";

type Product = {
  id: number;
  name: string;
  version: number;
  state: "enabled" | "disabled";
  rooms: number;
  everRooms?: number;
};

/** What can be done with a product, the same in its row and on its own page; and the form that is open for it. */
export function useProductActs(): [(p: Product) => Actions, ReactNode] {
  const act = useAct();
  const [open, setOpen] = useState<{ what: "edit" | "price" | "rooms" | "copy"; product: Product }>();
  const close = () => setOpen(undefined);
  const actsOf = (p: Product): Actions => {
    const sent = { params: { id: p.id }, body: { version: p.version } };
    return [
      { label: "编辑", does: editProduct, run: () => setOpen({ what: "edit", product: p }) },
      { label: "调价", need: "4.edit", run: () => setOpen({ what: "price", product: p }) },
      { label: "关联房间", need: "4.edit", run: () => setOpen({ what: "rooms", product: p }) },
      { label: "复制", does: addProduct, run: () => setOpen({ what: "copy", product: p }) },
      p.state === "enabled"
        ? {
            label: "停用",
            does: disableProduct,
            run: () =>
              act(disableProduct, sent, {
                done: "已停用",
                ask: { title: `停用 ${p.name}`, body: "停用后不可用于新合同，已有房间保留。", ok: "停用" },
              }),
          }
        : { label: "启用", does: enableProduct, run: () => act(enableProduct, sent, { done: "已启用" }) },
      {
        label: "删除",
        does: deleteProduct,
        danger: true,
        why: undeletable(p.everRooms ?? p.rooms),
        run: () =>
          act(
            deleteProduct,
            { params: { id: p.id }, query: { version: p.version } },
            { done: "已删除", ask: { title: "删除产品", body: `确定删除 ${p.name} 吗？`, ok: "删除" } },
          ),
      },
    ];
  };
  const layer = open && (
    <>
      {open.what === "edit" && <EditOne id={open.product.id} onClose={close} />}
      {open.what === "price" && <PriceForm id={open.product.id} onClose={close} />}
      {open.what === "rooms" && <RoomsForm product={open.product} onClose={close} />}
      {open.what === "copy" && <AddForm from={open.product.id} onClose={close} />}
    </>
  );
  return [actsOf, layer];
}
