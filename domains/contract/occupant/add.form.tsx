import { Select } from "antd";
import { type ReactNode, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { addOccupants } from "./occupant.contract.ts";
import type { CompanyRoom, Occupant } from "./stay.rules.ts";

/** What every form over the grid gets: the company, its rooms, whoever is ticked. */
export type OverGrid = {
  companyId: number;
  rooms: readonly CompanyRoom[];
  people: readonly Occupant[];
  onDone: () => void;
  onClose: () => void;
};

type Props<V> = Pick<OverGrid, "onDone" | "onClose"> & {
  title: string;
  ok: string;
  form: FormState<V>;
  /** Sends the body; answers what the toast says. */
  send: (body: V) => Promise<string>;
  why?: string | undefined;
  note?: ReactNode;
  width?: number;
  children: ReactNode;
};

/** A form with lines, over the grid. */
export function Layer<V>({
  title,
  ok,
  form,
  send,
  why,
  note,
  width = 760,
  onDone,
  onClose,
  children,
}: Props<V>) {
  const refresh = useRefresh();
  const [sending, setSending] = useState(false);
  const close = async () => {
    if (form.busy || (form.dirty && !(await confirmLeave()))) return;
    onClose();
  };
  const save = async () => {
    setSending(true);
    const sent = await form.submit(async (body) => {
      toast(await send(body));
      await refresh();
    });
    setSending(false);
    if (!sent) return;
    onDone();
    onClose();
  };
  const footer = (
    <Foot form={form} cancel={close} note={note && <span className="sub">{note}</span>}>
      <Button look="main" busy={form.busy || sending} why={why} run={() => void save()}>
        {ok}
      </Button>
    </Foot>
  );
  return (
    <Drawer title={title} width={width} modal footer={footer} onClose={() => void close()}>
      {children}
    </Drawer>
  );
}

/** One of the company's rooms, with its beds. */
export const CompanyRoomSelect = ({
  rooms,
  value,
  onChange,
  ...rest
}: InputProps<number> & { rooms: readonly CompanyRoom[] }) => (
  <Select
    {...rest}
    showSearch={{ optionFilterProp: "label" }}
    placeholder="选择房间"
    popupMatchSelectWidth={false}
    style={{ width: "100%" }}
    value={value ?? null}
    options={[...new Map(rooms.map((room) => [room.roomId, room])).values()].map((room) => ({
      value: room.roomId,
      label: `${room.roomName} ${room.living}/${room.capacity}`,
    }))}
    onChange={(roomId) => onChange(roomId ?? undefined)}
  />
);

/** Why somebody comes whom the black list forbids: asked for once it has been found out. */
export const forbiddenReason = (
  form: Pick<FormState<{ blackListReason?: string | undefined }>, "values" | "errors">,
): readonly "blackListReason"[] =>
  form.errors["blackListReason"] || form.values.blackListReason !== undefined ? ["blackListReason"] : [];

type Body = Sent<typeof addOccupants>["body"];
type Person = Body["people"][number];
const BLANK: Partial<Person> = { certType: "idCard", lockAccess: true };

/** 新增入住人: one or several, each to a room. */
export function AddForm({ companyId, rooms, onDone, onClose }: OverGrid) {
  const form = useForm<Body>(addOccupants.body!, {
    companyId,
    day: today(),
    people: [BLANK as Person],
  });
  return (
    <Layer
      title="新增入住人"
      ok="保存"
      form={form}
      width={1180}
      send={async (body) => {
        const { made } = await send(addOccupants, { body });
        return `已登记 ${made} 位入住人`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <FormFields form={form} fields={["day", ...forbiddenReason(form)]}>
        <Lines<Body, Person>
          form={form}
          name="people"
          heads={["房间", "姓名", "手机号", "证件类型", "证件号", "性别", "岗位或关系", "门锁权限"]}
          fields={[
            { key: "roomId", width: 190, input: (p) => <CompanyRoomSelect {...p} rooms={rooms} /> },
            { key: "name", width: 96 },
            { key: "phone", width: 128 },
            { key: "certType", width: 108 },
            { key: "certNo", width: 170 },
            { key: "gender", width: 90 },
            { key: "relation", width: 100 },
            { key: "lockAccess", width: 90 },
          ]}
          blank={BLANK}
          add="再加一位"
          least={1}
          most={50}
        />
      </FormFields>
    </Layer>
  );
}
