import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { showFailure, sentence } from "../../../platform/console/calls/failure.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { useCurrent } from "../../../platform/console/form/current.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { ChoiceInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import {
  OWN_PRICES,
  productCandidates,
  productPrices,
  setProductPrice,
  setProductRooms,
  previewProductPrice,
} from "./price.contract.ts";
import { product } from "./product.contract.ts";
import { VillagePrices, besidePrices } from "./lines.form.tsx";
import "../price-change/price.css";
import { useOutlook, waitsText } from "../pricing/outlook.panel.tsx";

type Body = Sent<typeof previewProductPrice>["body"];
const asked = ({ waits }: Reply<typeof previewProductPrice>) => waits.length > 0;

/** What a product's new price does to the rooms that follow it. */
export function ProductOutlook({
  id,
  values,
  onWaits,
}: {
  id: number;
  values: Partial<Body>;
  onWaits: (waits: boolean) => void;
}) {
  const { listPrice, lowestPrice, effectiveDay, villagePrices } = values;
  const body = { listPrice, lowestPrice, effectiveDay, villagePrices } as Body;
  const right = previewProductPrice.body.safeParse(body).success;
  const { data, error } = useOutlook(previewProductPrice, { params: { id }, body }, right, asked, onWaits);
  if (!right) return null;
  if (error) return <span className="bad">{sentence(error)}</span>;
  if (!data) return null;
  const average = (fen: number | null) => (fen === null ? "—" : yuan(fen));
  return (
    <span role="status">
      {data.rooms} 间跟随房间
      {data.moved > 0 && (
        <>
          ，{data.moved} 间变价，均价 {average(data.oldAverage)} → <b>{average(data.newAverage)}</b>，月影响{" "}
          {yuan(data.effect)}
        </>
      )}
      {data.byJob && "；房间较多，在后台执行"}
      {data.waits.length > 0 && `；${waitsText(data.waits)}`}
    </span>
  );
}

type Product = { id: number; name: string; version: number };
const SHOWN = 300;

/** Rooms of the product's kind in its stores; those with a price of their own keep it or follow, as one says. */
export function RoomsForm({ product, onClose }: { product: Product; onClose: () => void }) {
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery(ask(productCandidates, { params: { id: product.id } }));
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [typed, setTyped] = useState("");
  const [ownPrice, setOwnPrice] = useState<keyof typeof OWN_PRICES>("keep");
  const [busy, setBusy] = useState(false);
  const found = useMemo(
    () => (data ?? []).filter((room) => !typed || room.fullName.toLowerCase().includes(typed.toLowerCase())),
    [data, typed],
  );
  const isIn = (room: { id: number; productId: number | null }) =>
    changed.get(room.id) ?? room.productId === product.id;
  const add = (data ?? []).filter((room) => room.productId !== product.id && changed.get(room.id));
  const remove = (data ?? []).filter(
    (room) => room.productId === product.id && changed.get(room.id) === false,
  );
  const own = (data ?? []).filter(
    (room) => isIn(room) && room.priceMode === "own" && room.listPrice !== null,
  );
  const turned = ownPrice === "follow" ? own.filter((room) => room.productId === product.id) : [];
  const put = (rooms: readonly { id: number }[], on: boolean) =>
    setChanged(new Map([...changed, ...rooms.map((room) => [room.id, on] as const)]));
  const count = add.length + remove.length + turned.length;
  const save = async () => {
    setBusy(true);
    try {
      await send(setProductRooms, {
        params: { id: product.id },
        body: {
          add: [...add, ...turned].map((room) => room.id),
          remove: remove.map((room) => room.id),
          ownPrice,
          version: product.version,
        },
      });
      toast(`已关联，共 ${(data ?? []).filter(isIn).length} 间`);
      await refresh();
      onClose();
    } catch (failure) {
      showFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  // those of another product are moved one by one, never by the way
  const free = found.filter((room) => room.productId === null || room.productId === product.id);
  const allOn = free.length > 0 && free.every(isIn);
  return (
    <Drawer
      title={`关联房间 ${product.name}`}
      width={720}
      modal
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <span className="sub">
              新增 {add.length} 间，移出 {remove.length} 间
              {turned.length > 0 && `，改为跟随产品 ${turned.length} 间`}
            </span>
          }
        >
          <Button look="main" busy={busy} why={count ? undefined : "没有修改"} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      <div className="pd__bar grid gap-6">
        <TextInput value={typed} placeholder="房间名称" onChange={(next) => setTyped(next ?? "")} />
        <Tick checked={allOn} disabled={!free.length} onChange={(on) => put(free, on)}>
          全选未关联其他产品的 {free.length} 间
        </Tick>
      </div>
      {own.length > 0 && (
        <div className="pd__own row gap-6 wrap fs-13">
          <span>{own.length} 间有自有价格</span>
          <ChoiceInput
            words={OWN_PRICES}
            value={ownPrice}
            onChange={(next) => setOwnPrice((next ?? "keep") as typeof ownPrice)}
          />
        </div>
      )}
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={8} />
      ) : !found.length ? (
        <Empty text={typed ? "没有符合条件的房间" : "适用门店内没有该类型的房间"} />
      ) : (
        <ul className="pd__rooms">
          {found.slice(0, SHOWN).map((room) => (
            <li key={room.id}>
              <Tick checked={isIn(room)} onChange={(on) => put([room], on)}>
                <span className="grow cut">{room.fullName}</span>
                {room.productName && room.productId !== product.id && (
                  <small className="dim">现属 {room.productName}</small>
                )}
                {room.priceMode === "own" && room.listPrice !== null && (
                  <small className="dim">自有价格</small>
                )}
                <span className="num">{room.listPrice === null ? NONE : yuan(room.listPrice)}</span>
              </Tick>
            </li>
          ))}
          {found.length > SHOWN && (
            <li className="dim">还有 {found.length - SHOWN} 间，请输入名称缩小范围</li>
          )}
        </ul>
      )}
    </Drawer>
  );
}

const REASON = { key: "reason", title: "调价原因", wide: true, help: "需要审批，2 到 200 个字" } as const;
/** A change without an approval is the job's. */
const told = (change: Reply<typeof setProductPrice>["change"]): string =>
  change
    ? change.examineNo
      ? `已提交审批 ${change.examineNo}，通过后生效`
      : `房间较多，已转后台执行 ${change.number}，完成后通知您`
    : "价格已修改";

/** A price from a day on, starting from the one that holds today. */
export function PriceForm({ id, onClose }: { id: number; onClose: () => void }) {
  const today = useToday();
  const [waits, setWaits] = useState(false);
  const { data: record } = useCurrent(ask(product, { params: { id } }));
  const { data: prices } = useCurrent(ask(productPrices, { params: { id } }));
  if (!record || !prices) return null;
  const now = prices.filter((p) => p.current);
  const general = now.find((p) => p.villageId === null) ?? prices.find((p) => p.villageId === null);
  const villagePrices = now.flatMap((p) =>
    p.villageId === null
      ? []
      : [
          {
            villageId: p.villageId,
            listPrice: p.listPrice,
            ...(p.lowestPrice && { lowestPrice: p.lowestPrice }),
          },
        ],
  );
  return (
    <FormDialog
      call={setProductPrice}
      params={{ id }}
      width={640}
      title={`调价 ${record.name}`}
      ok={waits ? "提交审批" : "调价"}
      note={(values) => <ProductOutlook id={id} values={values} onWaits={setWaits} />}
      onDone={({ change }) => toast(told(change))}
      initial={{
        version: record.version,
        villagePrices,
        ...(general && { listPrice: general.listPrice }),
        ...(general?.lowestPrice && { lowestPrice: general.lowestPrice }),
        effectiveDay: today,
      }}
      fields={[
        "listPrice",
        ...(may("#601") ? (["lowestPrice"] as const) : []),
        { key: "effectiveDay", help: "不早于今天；跟随产品的房间同时变更，已签合同和自有价格的房间不变" },
        ...(waits ? [REASON] : []),
        {
          key: "villagePrices",
          title: "门店另定",
          wide: true,
          input: (p, v) => <VillagePrices {...besidePrices(p, v)} villageIds={record.villageIds} />,
        },
      ]}
      onClose={onClose}
    />
  );
}
