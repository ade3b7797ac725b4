import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { ManySelect } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { roomOptions } from "../../listing/room/options.contract.ts";
import type { ContractDetail } from "../contract/detail.contract.ts";
import { RoomPicker } from "../drafting/room-picker.panel.tsx";
import { LiveChange } from "../recut/changes.panel.tsx";
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

export type RoomFormProps = {
  contract: ContractDetail;
  of?: { id: number; actNo: string; version: number; draft: object } | undefined;
  onDone?: ((id: number) => void) | undefined;
  onClose: () => void;
};
type Adding = Body<typeof addRoomsActs.ask>;
type Returning = Body<typeof returnRoomsActs.ask>;

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
              picked.map((p) => held.get(p.id) ?? { roomId: p.id, monthlyRent: p.monthly ?? undefined }),
            );
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

/** 加房: rooms from a day on, with what they cost in the period that runs. */
export function AddRoomsForm({ contract, of, onDone, onClose }: RoomFormProps) {
  const fieldsFor = (form: FormState<Adding>): Field<Adding>[] => [
    { section: "加房" },
    { key: "effectiveOn", help: `新房间从这一天计租，至 ${contract.endDate}` },
    "reason",
    { show: () => <Joining form={form} contract={contract} /> },
    { section: "账单试算" },
    {
      show: (typed) => (
        <LiveChange
          calls={addRoomsActs as never}
          draft={addDraft}
          contractId={contract.id}
          id={of?.id}
          typed={typed}
        />
      ),
    },
  ];
  return (
    <Drawn
      calls={addRoomsActs as never}
      title="加房"
      initial={{ rooms: [] }}
      fields={fieldsFor as never}
      {...{ contract, of, onDone, onClose }}
    />
  );
}

const stayingOf = ({ rooms }: ContractDetail) =>
  rooms.filter((r) => !r.leaveDate).map((r) => ({ value: r.roomId, label: r.name }));

/** 退部分房: some of the rooms are given back, the contract goes on with the others. */
export function ReturnRoomsForm({ contract, of, onDone, onClose }: RoomFormProps) {
  const fieldsFor = (form: FormState<Returning>): Field<Returning>[] => [
    { section: "退房" },
    "effectiveOn",
    "reason",
    {
      key: "roomIds",
      wide: true,
      input: (p) => <ManySelect {...p} options={stayingOf(contract)} placeholder="退还的房间" />,
    },
    { key: "deposit", help: "不填按这些房间已收的押金，先抵付已到期的欠费" },
    { section: "扣款" },
    {
      show: ({ roomIds }) => (
        <Charges form={form} kinds={RETURN_CHARGES} sheetsOf={{ contractId: contract.id, roomIds }} />
      ),
    },
    { section: "账单试算" },
    {
      show: (typed) => (
        <LiveChange
          calls={returnRoomsActs as never}
          draft={returnDraft}
          contractId={contract.id}
          id={of?.id}
          typed={typed}
        />
      ),
    },
  ];
  return (
    <Drawn
      calls={returnRoomsActs as never}
      title="退部分房"
      initial={{ charges: [] }}
      fields={fieldsFor as never}
      {...{ contract, of, onDone, onClose }}
    />
  );
}

/** 调换房间: some rooms are given back and others take their place, with what both do to the bills. */
export function ExchangeRoomsForm({ contract, of, onDone, onClose }: RoomFormProps) {
  const fieldsFor = (form: FormState<Adding>): Field<Returning>[] => [
    { section: "退还" },
    { key: "effectiveOn", help: "退还的房间计租至前一日，新房间从这一天计租" },
    "reason",
    {
      key: "roomIds",
      wide: true,
      input: (p) => <ManySelect {...p} options={stayingOf(contract)} placeholder="退还的房间" />,
    },
    { section: "换入", note: "原房间的押金转入，多退少补" },
    { show: () => <Joining form={form} contract={contract} /> },
    { section: "账单试算" },
    {
      show: (typed) => (
        <LiveChange
          calls={exchangeRoomsActs as never}
          draft={exchangeDraft}
          contractId={contract.id}
          id={of?.id}
          typed={typed}
        />
      ),
    },
  ];
  return (
    <Drawn
      calls={exchangeRoomsActs as never}
      title="调换房间"
      initial={{ rooms: [] }}
      fields={fieldsFor as never}
      {...{ contract, of, onDone, onClose }}
    />
  );
}

type DrawnProps = RoomFormProps & {
  calls: typeof addRoomsActs;
  title: string;
  initial: object;
  fields: (form: FormState<Adding>) => Field<Adding>[];
};

/** The form of a new act, or of one that is worked on again. */
function Drawn({ calls, title, initial, fields, contract, of, onDone, onClose }: DrawnProps) {
  const shared = { cols: 2, width: 1080, onClose };
  if (of)
    return (
      <FormDrawer
        call={calls.edit}
        title={`${title} ${of.actNo}`}
        ok="保存"
        done="已保存"
        params={{ id: of.id }}
        initial={{ ...of.draft, version: of.version } as never}
        fields={(_, form) => fields(form as never) as never}
        {...shared}
      />
    );
  return (
    <FormDrawer
      call={calls.ask}
      title={`${title} ${contract.contractNo}`}
      ok="提交申请"
      done={`已登记${title}，打印补充协议签字后确认生效`}
      initial={{ contractId: contract.id, ...initial } as never}
      onDone={(reply) => onDone?.(reply.id)}
      fields={(_, form) => fields(form)}
      {...shared}
    />
  );
}
