import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import type { Batch } from "../../../platform/console/list/toolbar.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { CopyForm, HoldForm } from "./hold.form.tsx";
import { holdListings, syncListings, type ListingRow } from "./listing.contract.ts";

type Listing = Pick<ListingRow, "id" | "roomId" | "roomName" | "state" | "held">;
type Open = { what: "copy"; listing: Listing } | { what: "hold" | "down"; rows: readonly Listing[] };

const need = "67.edit" as const;
const MOST = 500;

/** What can be done with listings, the same in a row, over many and on one of its own; and the form that is open. */
export function useListingActs(): {
  actsOf: (listing: Listing) => Actions;
  batch: Batch<ListingRow>[];
  layer: ReactNode;
} {
  const act = useAct();
  const [address, set] = useAddress();
  const [open, setOpen] = useState<Open>();
  const sync = (rows: readonly Listing[]) =>
    act(syncListings, { body: { ids: rows.map((l) => l.id) } }, { done: "已开始同步" });
  const free = (rows: readonly Listing[]) =>
    act(holdListings, { body: { ids: rows.map((l) => l.id), hold: false } }, { done: "已恢复发布" });
  const actsOf = (l: Listing): Actions => [
    { label: l.state === "failed" ? "重试" : "立即同步", need, run: () => sync([l]) },
    l.held
      ? { label: "恢复", need, run: () => free([l]) }
      : { label: "暂不发布", need, run: () => setOpen({ what: "hold", rows: [l] }) },
    !l.held && {
      label: "下架",
      need,
      why: l.state === "online" || l.state === "queued" || l.state === "failed" ? undefined : "未上架",
      run: () => setOpen({ what: "down", rows: [l] }),
    },
    { label: "编辑文案", need, run: () => setOpen({ what: "copy", listing: l }) },
    address.get("id") !== String(l.id) && {
      label: "预览",
      need: "67.query",
      run: () => set({ id: l.id }, { push: true }),
    },
  ];
  const limited = (rows: readonly Listing[]) => (rows.length > MOST ? `一次最多${MOST}条` : undefined);
  const batch: Batch<ListingRow>[] = [
    { label: "立即同步", need, why: limited, run: sync },
    { label: "暂不发布", need, why: limited, run: (rows) => setOpen({ what: "hold", rows }) },
    { label: "下架", need, why: limited, run: (rows) => setOpen({ what: "down", rows }) },
    { label: "恢复", need, why: limited, run: free },
  ];
  const close = () => setOpen(undefined);
  const layer =
    open?.what === "copy" ? (
      <CopyForm id={open.listing.id} onClose={close} />
    ) : open ? (
      <HoldForm
        title={`${open.what === "hold" ? "暂不发布" : "下架"} ${open.rows.length === 1 ? open.rows[0]!.roomName : `${open.rows.length} 条`}`}
        note={
          open.what === "hold"
            ? "所选房间从全部渠道下架，恢复前不再发布"
            : "只从所选渠道下架，恢复前不再发布到该渠道"
        }
        body={
          open.what === "hold"
            ? { roomIds: [...new Set(open.rows.map((l) => l.roomId))] }
            : { ids: open.rows.map((l) => l.id) }
        }
        onClose={close}
      />
    ) : null;
  return { actsOf, batch, layer };
}
