import { useState } from "react";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { ROOM_KINDS } from "../../listing/room/words.rules.ts";
import { AgentSelect } from "../agent/select.form.tsx";
import { PartyInput } from "../choice/choice.form.tsx";
import { editLead, type getLead } from "../lead/lead.contract.ts";
import { addLeadWithRoom } from "./with-room.contract.ts";
import { LAYOUTS } from "../lead/lead.rules.ts";
import { TagInput } from "../renter/tags.panel.tsx";
import { FreeRoomInput, RoomRentInput } from "../reservation/reservation.form.tsx";
import { KnownPhone } from "./known.panel.tsx";
import { SourceInput } from "../lead/funnel.panel.tsx";

const BOOKING = "/configuration/BookingManagement";
type Lead = Reply<typeof getLead>;
type Typed = Sent<typeof addLeadWithRoom>["body"];

/** One of some words, or any. */
const anyOf = (words: Words) => (p: { value: unknown; onChange: unknown }) => (
  <ChoiceInput
    {...p}
    value={p.value as string}
    onChange={p.onChange as never}
    words={words}
    clear
    placeholder="不限"
  />
);

const fieldsOf = (lead?: Lead): readonly Field<Typed>[] => [
  { section: "客户" },
  "name",
  { key: "phone", ...(lead && !lead.mine && { placeholder: `${lead.phone}，不修改请留空` }) },
  { show: (v) => <KnownPhone phone={v.phone} own={lead?.phone} />, when: (v) => Boolean(v.phone) },
  "gender",
  "level",
  {
    key: "source",
    input: (p) => <SourceInput {...p} kept={lead && { code: lead.source, name: lead.sourceName }} />,
  },
  { key: "channelName", when: (v) => v.source === "channel", placeholder: "如房源平台名称" },
  {
    key: "agentId",
    when: (v) => v.source === "agent",
    must: !lead?.agentName || Boolean(lead.agentId),
    input: (p) => <AgentSelect {...p} placeholder={lead?.agentName || "请选择经纪人"} />,
  },
  {
    key: "partyId",
    wide: true,
    title: "关联客户",
    help: "不选择时按手机号关联已登记的租客",
    input: (p, v) => <PartyInput {...p} villageId={v.villageIds?.[0]} />,
  },
  { section: "意向" },
  {
    key: "villageIds",
    wide: true,
    input: (p) => <VillagesInput {...p} most={10} placeholder="可选多个，最多10个" />,
  },
  { key: "kind", input: anyOf(ROOM_KINDS) },
  { key: "layout", input: anyOf(LAYOUTS) },
  { key: "budgetFrom", unit: "元/月" },
  { key: "budgetTo", unit: "元/月" },
  "moveInDay",
  "termMonths",
  "people",
  { key: "tags", wide: true, input: (p) => <TagInput {...p} /> },
  { key: "remark", wide: true },
];

/** 同时预订房间: counts only once a room is chosen. */
const roomFields = (open: boolean, unfold: () => void): readonly Field<Typed>[] => [
  { section: "同时预订房间", note: "可选，选择房间后生效" },
  {
    show: () => (
      <Button size="sm" icon="plus" run={unfold}>
        选择房间并收定金
      </Button>
    ),
    when: () => !open,
  },
  {
    key: "roomId",
    when: () => open,
    input: (p, v) => (
      <FreeRoomInput
        {...p}
        of={{ villageId: v.villageIds?.[0], from: v.moveInDay ?? undefined, to: v.plannedEndDay }}
      />
    ),
  },
  {
    key: "rent",
    when: (v) => open && Boolean(v.roomId),
    placeholder: "不填按标价",
    input: (p, v) => <RoomRentInput {...p} roomId={v.roomId ?? undefined} />,
  },
  { key: "plannedEndDay", when: (v) => open && Boolean(v.roomId) },
  { key: "holdUntil", when: (v) => open && Boolean(v.roomId), placeholder: "默认 3 天" },
  { key: "earnestKind", when: (v) => open && Boolean(v.roomId) },
  { key: "earnest", must: true, when: (v) => open && Boolean(v.roomId) },
];

/** What an edit starts with. A phone that is shown masked stays out: left empty it stays as it is. */
const startOf = ({ phone, mine, ...lead }: Lead) => ({ ...lead, ...(mine && { phone }) });

/** 新增客源 and 编辑客源. */
export function LeadForm({
  lead,
  unfolded = false,
  onClose,
}: {
  lead?: Lead | undefined;
  unfolded?: boolean;
  onClose: () => void;
}) {
  const [, set] = useAddress();
  const go = useGo();
  const [open, setOpen] = useState(unfolded);
  const shape = { cols: 2, width: 720, ok: "保存", onClose } as const;
  return lead ? (
    <FormDrawer
      {...shape}
      call={editLead}
      title={`编辑客源 ${lead.name}`}
      done="客源已保存"
      params={{ id: lead.id }}
      initial={startOf(lead)}
      fields={fieldsOf(lead) as never}
    />
  ) : (
    <FormDrawer
      {...shape}
      call={addLeadWithRoom}
      title="新增客源"
      done="客源已登记"
      initial={{ level: "B", earnestKind: "定金" }}
      onDone={({ id, reservationId }) =>
        reservationId ? go(BOOKING, { tab: "reservation", id: reservationId }) : set({ id })
      }
      fields={[...fieldsOf(), ...roomFields(open, () => setOpen(true))]}
    />
  );
}
