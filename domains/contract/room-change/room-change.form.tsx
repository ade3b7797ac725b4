import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { ManySelect, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { roomOptions } from "../../listing/room/options.contract.ts";
import type { ContractDetail } from "../contract/detail.contract.ts";
import { RoomPicker } from "../drafting/room-picker.panel.tsx";
import { ChangeForm, type ChangeFormProps } from "../recut/change.form.tsx";
import { Charges } from "../settlement/charges.form.tsx";
import {
  type AddDraft,
  addDraft,
  addRoomsActs,
  exchangeDraft,
  exchangeRoomsActs,
  RETURN_CHARGES,
  returnDraft,
  returnRoomsActs,
} from "./room-change.contract.ts";

type Adding = Body<typeof addRoomsActs.ask>;
type Returning = Body<typeof returnRoomsActs.ask>;
type Exchanging = Body<typeof exchangeRoomsActs.ask>;

/** The rooms that join, picked among those that are free to the end of the contract, each with its rent. */
function Joining({ form, contract }: { form: FormState<Adding>; contract: ContractDetail }) {
  const [picking, setPicking] = useState(false);
  const { effectiveOn, rooms = [] } = form.values as Partial<AddDraft>;
  const ids = rooms.map((r) => r.roomId);
  const { data: named = [] } = useQuery({
    ...ask(roomOptions, { query: { villageId: contract.villageId, ids: ids.join(","), limit: 2000 } }),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });
  const names = new Map(named.map((r) => [r.id, r.fullName]));
  const bySum = contract.terms.deposit.mode === "amount";
  const known = rooms.map(({ roomId }) => ({ value: roomId, label: names.get(roomId) ?? "" }));
  return (
    <>
      <Lines<Adding, AddDraft["rooms"][number]>
        form={form}
        name="rooms"
        heads={["房间", "月租金", ...(bySum ? ["押金"] : [])]}
        fields={[
          { key: "roomId", width: 300, input: (p) => <OptionSelect {...p} options={known} disabled /> },
          { key: "monthlyRent", width: 150 },
          ...(bySum ? (["deposit"] as const) : []),
        ]}
        blank={{}}
        add={null}
        foot={() => (
          <Button
            size="sm"
            icon="plus"
            why={effectiveOn ? undefined : "请先选择加房日"}
            run={() => setPicking(true)}
          >
            选择房间
          </Button>
        )}
      />
      {picking && effectiveOn && (
        <RoomPicker
          of="company"
          villageId={contract.villageId}
          from={effectiveOn}
          to={contract.endDate!}
          contractId={undefined}
          chosen={ids}
          onPick={(picked) => {
            const held = new Map(rooms.map((r) => [r.roomId, r]));
            form.set(
              "rooms",
              picked.map((p) => ({
                ...(held.get(p.id) ?? { roomId: p.id, monthlyRent: p.monthly ?? undefined }),
                ...(p.given !== undefined && { monthlyRent: p.given }),
              })),
            );
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

const doneOf = (title: string) => `已登记${title}，打印补充协议签字后确认生效`;

/** 加房: rooms from a day on, with what they cost in the period that runs. */
export const AddRoomsForm = (props: ChangeFormProps) => (
  <ChangeForm<Adding>
    {...props}
    calls={addRoomsActs}
    title="加房"
    done={doneOf("加房")}
    initial={{ rooms: [] }}
    draft={addDraft}
    fields={(form) => [
      { section: "加房" },
      { key: "effectiveOn", help: `新房间从这一天计租，至 ${props.contract.endDate}` },
      "reason",
      { show: () => <Joining form={form} contract={props.contract} /> },
    ]}
  />
);

type LeavingProps = {
  rooms: InputProps<number[]>;
  contract: ContractDetail;
};

/** The rooms that are given back, of those that still belong to the contract: one by one, or many with the room picker. */
function Leaving({ rooms: field, contract }: LeavingProps) {
  const [picking, setPicking] = useState(false);
  const own = contract.rooms.filter((r) => !r.leaveDate);
  const rents = useMemo(
    () => new Map(contract.rooms.filter((r) => !r.leaveDate).map((r) => [r.roomId, r.monthlyRent])),
    [contract.rooms],
  );
  return (
    <div className="row gap-4">
      <div className="fi__in grow">
        <ManySelect
          {...field}
          options={own.map((r) => ({ value: r.roomId, label: r.name }))}
          placeholder="退还的房间"
        />
      </div>
      <Button icon="plus" run={() => setPicking(true)}>
        选择退还的房间
      </Button>
      {picking && (
        <RoomPicker
          of="company"
          villageId={contract.villageId}
          from={contract.startDate!}
          to={contract.endDate!}
          contractId={contract.id}
          chosen={field.value ?? []}
          leaving={rents}
          onPick={(picked) => {
            field.onChange(picked.map((p) => p.id));
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}

const leaving = (contract: ContractDetail): Field<Returning> => ({
  key: "roomIds",
  wide: true,
  input: (p) => <Leaving rooms={p} contract={contract} />,
});

/** 退部分房: some of the rooms are given back, the contract goes on with the others. */
export const ReturnRoomsForm = (props: ChangeFormProps) => (
  <ChangeForm<Returning>
    {...props}
    calls={returnRoomsActs}
    title="退部分房"
    done={doneOf("退部分房")}
    initial={{ charges: [] }}
    draft={returnDraft}
    fields={(form) => [
      { section: "退房" },
      "effectiveOn",
      "reason",
      leaving(props.contract),
      { key: "deposit", help: "不填按这些房间已收的押金，先抵付已到期的欠费" },
      { section: "扣款" },
      {
        show: ({ roomIds }) => (
          <Charges form={form} kinds={RETURN_CHARGES} sheetsOf={{ contractId: props.contract.id, roomIds }} />
        ),
      },
    ]}
  />
);

/** 调换房间: some rooms are given back and others take their place, with what both do to the bills. */
export const ExchangeRoomsForm = (props: ChangeFormProps) => (
  <ChangeForm<Exchanging>
    {...props}
    calls={exchangeRoomsActs}
    title="调换房间"
    done={doneOf("调换房间")}
    initial={{ rooms: [] }}
    draft={exchangeDraft}
    fields={(form) => [
      { section: "退还" },
      { key: "effectiveOn", help: "退还的房间计租至前一日，新房间从这一天计租" },
      "reason",
      leaving(props.contract) as Field<Exchanging>,
      { section: "换入", note: "原房间的押金转入，多退少补" },
      { show: () => <Joining form={form as never} contract={props.contract} /> },
    ]}
  />
);
