import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { type InputProps, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { PRICE_UNITS, type PriceUnit } from "../../listing/room/words.rules.ts";
import { AgentSelect } from "../agent/select.form.tsx";
import { PartyInput } from "../choice/choice.form.tsx";
import { getLead } from "../lead/lead.contract.ts";
import {
  type Rent,
  USUAL_DAYS,
  belowLowest,
  earnestWarning,
  lowestText,
  rentText,
} from "./reservation.rules.ts";
import { addReservation, reservationRules } from "./reservation.contract.ts";

type Of = { villageId: number | undefined; from?: string | undefined; to?: string | null | undefined };
type Room = { id: number; fullName: string; layout: string; listPrice: number | null };

const sourceOf = ({ villageId, from, to }: Of): Source => ({
  call: roomOptions,
  query: { villageId, ...(from && { from }), ...(to && from && to >= from && { to }), onlyFree: "1" },
  option: ((r: Room) => ({
    value: r.id,
    label: roomLabel(r.fullName),
    note: [r.layout, r.listPrice !== null && yuan(r.listPrice)].filter(Boolean).join(" "),
  })) as Source["option"],
});

/** Rooms of a store that are free on the wished days. */
export const FreeRoomInput = ({ of, ...p }: InputProps<number> & { of: Of }) => (
  <RecordSelect
    {...p}
    disabled={p.disabled || of.villageId === undefined}
    source={sourceOf(of)}
    placeholder={of.villageId === undefined ? "请先选择门店" : "门牌或楼栋，只列空闲的房间"}
  />
);

/** A chosen room as it stands: its price, and why it cannot be had when it cannot. */
export function useRoom({ villageId, from, to }: Of, roomId: number | undefined) {
  const { data } = useQuery({
    ...ask(roomOptions, {
      query: {
        ids: String(roomId ?? 0),
        ...(villageId && { villageId }),
        ...(from && { from }),
        ...(to && from && to >= from && { to }),
      },
    }),
    enabled: roomId !== undefined,
  });
  return data?.[0];
}

/** An amount with what it counts behind it. */
export const RentInput = ({ unit, ...p }: InputProps<number> & { unit: PriceUnit }) => (
  <MoneyInput {...p} unit={PRICE_UNITS[unit][0]} />
);

/** The same of a room that counts as its price does. */
export function RoomRentInput({ roomId, ...p }: InputProps<number> & { roomId: number | undefined }) {
  const room = useRoom({ villageId: undefined }, roomId);
  return <RentInput {...p} unit={room?.priceUnit ?? "month"} />;
}

/** 3,000.00 /月 */
export const RentShown = ({ of }: { of: Rent }) => (
  <>
    {yuan(of.rent)} <small className="dim">{PRICE_UNITS[of.unit][0].replace("元", "")}</small>
  </>
);

export type Known = {
  villageId?: number;
  roomId?: number;
  leadId?: number;
  moveInDay?: string;
  plannedEndDay?: string;
};
type Typed = Body<typeof addReservation>;
type Made = Reply<typeof addReservation>;

/** 预订: who, which room from when, what was agreed, and until when it is kept. */
export function ReservationForm({
  known,
  onDone,
  onClose,
}: {
  known: Known;
  onDone: (made: Made) => void;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  // made when the form is opened: pressing again after a lost answer reserves nothing twice
  const [key] = useState(freshKey);
  const today = useToday();
  const form = useForm<Typed>(addReservation.body!, {
    ...known,
    moveInDay: known.moveInDay && known.moveInDay >= today ? known.moveInDay : today,
    holdUntil: addDays(today, USUAL_DAYS),
    earnestKind: "定金",
    unit: "month",
  });
  const { values: v, set } = form;
  const { data: lead } = useQuery({
    ...ask(getLead, { params: { id: known.leadId ?? 0 } }),
    enabled: known.leadId !== undefined,
  });
  const { data: rules } = useQuery({
    ...ask(reservationRules, { query: { villageId: v.villageId ?? 0 } }),
    enabled: v.villageId !== undefined,
  });
  const usual = rules?.earnestKind;
  useEffect(() => {
    if (usual) set("earnestKind", usual);
    // as the store has it, once for each store
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [v.villageId, usual]);
  const room = useRoom({ villageId: v.villageId, from: v.moveInDay, to: v.plannedEndDay }, v.roomId);
  const price = room?.listPrice ?? undefined;
  const area = String(room?.area ?? 0);
  const agreed = v.rent && v.unit ? { rent: v.rent, unit: v.unit } : undefined;
  // only for who may see the lowest price
  const under =
    agreed && room?.priceUnit && room.lowestPrice
      ? belowLowest(agreed, { lowestPrice: room.lowestPrice, unit: room.priceUnit }, area)
      : undefined;
  useEffect(() => {
    if (price === undefined) return;
    set("rent", price);
    if (room?.priceUnit) set("unit", room.priceUnit);
    // a room that is chosen brings its price; typing it over must last
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [room?.id, price]);
  useEffect(() => {
    if (!lead) return;
    if (lead.moveInDay && lead.moveInDay >= today) set("moveInDay", lead.moveInDay);
    if (lead.agentId) set("agentId", lead.agentId);
    if (!known.villageId && lead.villageIds[0]) set("villageId", lead.villageIds[0]);
    // once, with the lead
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [lead?.id]);
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const submit = async () => {
    let made: Made | undefined;
    await form.submit(async (body) => {
      made = await send(addReservation, { body }, { idempotencyKey: key });
    });
    if (!made) return;
    toast(made.waiting ? `已提交审批 ${made.waiting}` : `已预订 ${made.number}`);
    onClose();
    onDone(made);
    await refresh();
  };
  const warning =
    v.earnest && agreed && room && v.moveInDay && v.earnestKind
      ? earnestWarning({
          ...agreed,
          area,
          earnestKind: v.earnestKind,
          earnest: v.earnest,
          moveInDay: v.moveInDay,
          plannedEndDay: v.plannedEndDay ?? null,
        })
      : undefined;
  const unknown = (now: Partial<Typed>) => !known.leadId && !now.partyId;
  return (
    <Drawer
      title="新增预订"
      width={720}
      modal
      footer={
        <Foot form={form} cancel={close} note={warning && <span className="form__note">{warning}</span>}>
          <Button look="main" busy={form.busy} run={() => void submit()}>
            预订
          </Button>
        </Foot>
      }
      onClose={() => void close()}
    >
      <form
        id="layer-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <FormFields
          form={form}
          cols={2}
          label={96}
          fields={[
            { section: "客户" },
            {
              show: () => (
                <p className="notice s-blue">
                  {lead
                    ? `客源 ${lead.number}：${[lead.name, lead.phone, lead.partyKind !== "renter" && lead.partyName].filter(Boolean).join(" ")}`
                    : "正在读取客源"}
                </p>
              ),
              when: () => known.leadId !== undefined,
            },
            {
              key: "partyId",
              wide: true,
              when: () => known.leadId === undefined,
              help: (now) => !now.partyId && "未登记的新租客直接填写姓名和手机",
              input: (p, now) => <PartyInput {...p} villageId={now.villageId} />,
            },
            { key: "name", must: true, when: unknown },
            { key: "phone", must: true, when: unknown },
            { section: "房间" },
            { key: "villageId", input: (p) => <VillageSelect {...p} /> },
            {
              key: "roomId",
              input: (p, now) => (
                <FreeRoomInput
                  {...p}
                  of={{ villageId: now.villageId, from: now.moveInDay, to: now.plannedEndDay }}
                />
              ),
              help: room?.why ?? undefined,
            },
            "moveInDay",
            "plannedEndDay",
            {
              key: "rent",
              input: (p, now) => <RentInput {...p} unit={now.unit ?? "month"} />,
              help: under
                ? lowestText(under)
                : price !== undefined &&
                  room?.priceUnit &&
                  `标价 ${rentText({ rent: price, unit: room.priceUnit })}`,
            },
            "unit",
            "payPlan",
            { section: "定金" },
            { key: "earnestKind", help: "定金可没收；订金不签约须退还" },
            { key: "earnest", title: "金额" },
            {
              key: "holdUntil",
              help:
                rules &&
                `最长 ${rules.maxDays} 天；${rules.unpaidMinutes ? `未付款保留 ${rules.unpaidMinutes} 分钟` : "付款后才保留"}`,
            },
            { key: "agentId", input: (p) => <AgentSelect {...p} /> },
            { key: "remark", wide: true },
          ]}
        />
        <button type="submit" hidden aria-hidden />
      </form>
    </Drawer>
  );
}
