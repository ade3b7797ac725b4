import { useQuery } from "@tanstack/react-query";
import { addDays } from "../../../platform/kernel/day.ts";
import { FormDialog, FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { SlotInput } from "../../../platform/console/inputs/days.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { today, useMe } from "../../../platform/console/session/operator.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { FoundMany, RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { PRODUCTS, productOptions } from "../../listing/product/product.contract.ts";
import { roomsFor } from "../../listing/room/options.contract.ts";
import { getLead } from "../lead/lead.contract.ts";
import { OwnerInput } from "../lead/funnel.panel.tsx";
import {
  addViewing,
  assignViewing,
  cancelViewing,
  moveViewing,
  type listViewings,
} from "./viewing.contract.ts";
import type { MINUTES } from "./viewing.rules.ts";

export type ViewingRow = Row<typeof listViewings>;
export type KnownViewing = { villageId?: number; roomIds?: number[]; leadId?: number };
type Typed = Body<typeof addViewing>;
type Props = { of: ViewingRow; onClose: () => void };

/** Rooms of a store; one that is taken today says so. */
const RoomsInput = ({ villageId, ...p }: InputProps<number[]> & { villageId: number | undefined }) => (
  <FoundMany
    {...p}
    source={roomsFor({ villageId })}
    most={10}
    disabled={p.disabled || villageId === undefined}
    placeholder={villageId === undefined ? "请先选择门店" : "门牌或楼栋，最多10间"}
  />
);

/** 预约看房: who, which rooms, when and with whom. Whoever makes it is proposed. */
export function ViewingForm({
  known,
  onDone,
  onClose,
}: {
  known: KnownViewing;
  onDone: (id: number) => void;
  onClose: () => void;
}) {
  const me = useMe().operatorId;
  const { data: lead } = useQuery({
    ...ask(getLead, { params: { id: known.leadId ?? 0 } }),
    enabled: known.leadId !== undefined,
  });
  const noProduct = (v: Partial<Typed>) => !v.productId;
  const noRoom = (v: Partial<Typed>) => may(productOptions.needs) && !v.roomIds?.length;
  const noLead = () => known.leadId === undefined;
  const villageId = known.villageId ?? lead?.villageIds[0];
  if (known.leadId && !lead) return null;
  return (
    <FormDrawer
      call={addViewing}
      title="预约看房"
      ok="预约"
      done="已预约"
      cols={2}
      width={720}
      initial={{
        ...(known.leadId && { leadId: known.leadId }),
        ...(villageId && { villageId }),
        roomIds: known.roomIds ?? [],
        minutes: "60",
        assigneeId: me,
      }}
      onDone={({ id }) => onDone(id)}
      onClose={onClose}
      fields={[
        { section: "客户" },
        {
          show: () => (
            <p className="notice s-blue">
              客源 {lead?.number}：{lead?.name} {lead?.phone}
            </p>
          ),
          when: () => known.leadId !== undefined,
        },
        { key: "name", must: true, when: noLead },
        { key: "phone", must: true, when: noLead },
        { section: "看房" },
        { key: "villageId", input: (p) => <VillageSelect {...p} /> },
        { key: "assigneeId", input: (p) => <OwnerInput {...p} /> },
        {
          key: "roomIds",
          wide: true,
          must: true,
          when: noProduct,
          input: (p, v) => <RoomsInput {...p} villageId={v.villageId} />,
        },
        {
          key: "productId",
          wide: true,
          when: noRoom,
          input: (p) => <RecordSelect {...p} source={PRODUCTS} placeholder="不定房间时选择产品" />,
        },
        { key: "at", input: (p) => <SlotInput {...p} /> },
        "minutes",
        { key: "remark", wide: true },
      ]}
    />
  );
}

export const MoveForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={moveViewing}
    title={`改期 ${of.name}`}
    ok="改期"
    done="已改期"
    params={{ id: of.id }}
    initial={{
      version: of.version,
      at: of.at,
      minutes: String(of.minutes) as keyof typeof MINUTES,
      ...(of.assigneeId && { assigneeId: of.assigneeId }),
    }}
    onClose={onClose}
    fields={[
      { key: "at", input: (p) => <SlotInput {...p} /> },
      "minutes",
      { key: "assigneeId", input: (p) => <OwnerInput {...p} /> },
    ]}
  />
);

export const AssignForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={assignViewing}
    title={`指派带看人 ${of.name}`}
    ok="指派"
    done="已指派"
    params={{ id: of.id }}
    initial={{ version: of.version, ...(of.assigneeId && { assigneeId: of.assigneeId }) }}
    onClose={onClose}
    fields={[{ key: "assigneeId", input: (p) => <OwnerInput {...p} /> }]}
  />
);

export const CancelForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={cancelViewing}
    title={`取消看房 ${of.name}`}
    ok="取消看房"
    done="已取消"
    params={{ id: of.id }}
    initial={{ version: of.version, reason: "" }}
    onClose={onClose}
    fields={["reason"]}
  />
);

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}
export const thisMonday = (): string => mondayOf(today());
