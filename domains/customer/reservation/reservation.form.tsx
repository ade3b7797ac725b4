import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addDays, dayInZone } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { getLead } from "../lead/lead.contract.ts";
import { AgentSelect } from "../agent/select.form.tsx";
import { addReservation, reservationRules } from "./reservation.contract.ts";
import { RentInput } from "./rent.form.tsx";
import { belowLowest, earnestWarning, lowestText, rentText } from "./rent.rules.ts";
import { USUAL_DAYS } from "./reservation.rules.ts";
import { FreeRoomInput, useRoom } from "./room.form.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { PartyInput } from "../choice/choice.form.tsx";

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
  const today = dayInZone(new Date());
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
