import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addDays, dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { confirmLeave } from "../../../platform/console/dialog.tsx";
import { Drawer } from "../../../platform/console/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form.tsx";
import type { Body } from "../../../platform/console/formdrawer.tsx";
import { may } from "../../../platform/console/permits.ts";
import { ask, send } from "../../../platform/console/request.ts";
import { RecordSelect, VillageSelect } from "../../../platform/console/selects.tsx";
import type { Source } from "../../../platform/console/source.ts";
import { toast } from "../../../platform/console/toast.ts";
import { listRenters } from "../renter/renter.contract.ts";
import { getLead } from "../lead/lead.contract.ts";
import { AgentSelect } from "../agent/select.form.tsx";
import { addReservation, reservationRules } from "./reservation.contract.ts";
import { earnestWarning, lowestText, USUAL_DAYS } from "./reservation.rules.ts";
import { FreeRoomInput, useRoom } from "./room.form.tsx";

export type Known = { villageId?: number; roomId?: number; leadId?: number; moveInDay?: string };
type Typed = Body<typeof addReservation>;
type Made = Reply<typeof addReservation>;

const RENTERS: Source = {
  call: listRenters,
  option: ((r: { id: number; name: string; phone: string }) => ({
    value: r.id,
    label: r.name,
    note: r.phone,
  })) as Source["option"],
};

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
  // only for who may see it
  const lowest = room?.priceUnit === "month" ? room.lowestPrice : undefined;
  useEffect(() => {
    if (price !== undefined) set("rent", price);
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
    v.earnest && v.rent && v.moveInDay && v.earnestKind
      ? earnestWarning({
          earnestKind: v.earnestKind,
          earnest: v.earnest,
          rent: v.rent,
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
        <>
          <Button look="main" busy={form.busy} run={() => void submit()}>
            预订
          </Button>
          <Button run={() => void close()}>取消</Button>
          {warning && <span className="form__note">{warning}</span>}
        </>
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
                  {lead ? `客源 ${lead.number}：${lead.name} ${lead.phone}` : "正在读取客源"}
                </p>
              ),
              when: () => known.leadId !== undefined,
            },
            {
              key: "partyId",
              title: "租客",
              wide: true,
              when: () => known.leadId === undefined && may(listRenters.needs),
              input: (p) => (
                <RecordSelect {...p} source={RENTERS} placeholder="已登记的租客；新客户请填写姓名和手机" />
              ),
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
              help:
                lowest && v.rent && v.rent < lowest
                  ? lowestText(lowest)
                  : price !== undefined && `标价 ${yuan(price)} 元`,
            },
            "payPlan",
            { section: "定金" },
            { key: "earnestKind", help: "定金可没收；订金不签约须退还" },
            { key: "earnest", title: "金额" },
            {
              key: "holdUntil",
              help:
                rules &&
                `最长${rules.maxDays}天；${rules.unpaidMinutes ? `未付款保留${rules.unpaidMinutes}分钟` : "付款后才保留"}`,
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
