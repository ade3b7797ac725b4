import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { OptionSelect, RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { today } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { monthlyPrice } from "../../listing/room/words.rules.ts";
import { CONTRACTS } from "../contract/contract.contract.ts";
import { CHANGES, changes } from "../successor/successor.contract.ts";
import { changeBasis, type ChangeRow } from "./moving.contract.ts";
import { Notice } from "./worked.panel.tsx";

type Asked = Body<typeof changes.ask>;
type Kind = ChangeRow["kind"];

export const EFFECTIVE: Source = { ...CONTRACTS, query: { state: "effective" } };
/** Unused rent of a tenant who leaves cannot pay for the one who comes. */
const TENANT_CREDIT = { carry: ["留作原租客预存款", "grey"], refund: ["退还", "grey"] } as const;

const useBasis = (contractId: number | null | undefined, kind: Kind) =>
  useQuery({
    ...ask(changeBasis, { query: { contractId: contractId ?? 0, kind } }),
    enabled: Boolean(contractId),
  });

/** The contract as it stands, and what stands in the way. */
export function Basis({ contractId, kind }: { contractId: number | null | undefined; kind: Kind }) {
  const { data, error } = useBasis(contractId, kind);
  if (!contractId) return null;
  if (error) return <Notice tone="red">{error.message}</Notice>;
  if (!data) return <RowsSkeleton rows={2} />;
  return (
    <div className="stack gap-4">
      {data.why && <Notice tone="red">{data.why}</Notice>}
      <Facts
        call={changeBasis}
        data={data}
        cols={2}
        facts={[
          "partyName",
          "roomNames",
          { title: "租期", show: (d) => `${d.start ?? ""} ~ ${d.end ?? ""}` },
          "rent",
          "held",
          "arrears",
        ]}
      />
    </div>
  );
}

type PickRoom = InputProps<number> & {
  contractId: number | null | undefined;
  /** Another store than the contract's. */
  villageId: number | null | undefined;
  from: Day | undefined;
  until: Day | null | undefined;
  onPrice: (fen: number | null) => void;
};

type Option = Reply<typeof roomOptions>[number];
const priceOf = (o: Option) => monthlyPrice(o.listPrice, o.priceUnit, String(o.area));
const optionOf = (o: Option) => {
  const price = priceOf(o);
  return { value: o.id, label: `${o.fullName} ${o.area}㎡${price === null ? "" : ` 标价 ${yuan(price)}`}` };
};

/** Rooms of a store that are free from the day to the end, with their list price; what the tenant has reserved is free for him. */
function RoomInput({ contractId, villageId, from, until, onPrice, ...input }: PickRoom) {
  const { data: basis } = useBasis(contractId, "room");
  const to = until ?? basis?.end;
  if (!basis || !from || !to || from > to)
    return <OptionSelect {...input} options={[]} placeholder="请先选择合同和生效日" />;
  const query = {
    ...{ villageId: villageId ?? basis.villageId, from, to, onlyFree: "1" as const },
    use: basis.contractKind === "merchant" ? ("shop" as const) : ("home" as const),
    ...(basis.partyId && { partyId: basis.partyId }),
  };
  return (
    <RecordSelect
      {...input}
      source={{ call: roomOptions, query, option: optionOf as Source["option"] }}
      placeholder="门牌或楼栋，只列这段时间的空房"
      onChange={async (id) => {
        input.onChange(id);
        if (id === undefined) return;
        const [room] = await send(roomOptions, { query: { ids: String(id), from, limit: 1 } });
        if (room) onPrice(priceOf(room));
      }}
    />
  );
}

/** Customers are chosen and registered by the one picker that their domain has. */
function PartyPick({
  contractId,
  id,
  value,
  onChange,
}: InputProps<number> & { contractId: number | null | undefined }) {
  const { data: basis } = useBasis(contractId, "tenant");
  const panels = useSlot("contract.party");
  if (!basis) return <span className="dim">请先选择合同</span>;
  return panels.map((panel) => {
    const View = panelOf(panel);
    return (
      <Arriving key={panel.key} fallback={<RowsSkeleton rows={1} />}>
        <View
          id={0}
          pick={{ inputId: id ?? "", kind: basis.contractKind, villageId: basis.villageId, value, onChange }}
        />
      </Arriving>
    );
  });
}

/** Who moves along: everybody, until somebody is left out. */
function Movers({
  contractId,
  value,
  onChange,
}: InputProps<number[]> & { contractId: number | null | undefined }) {
  const { data: basis } = useBasis(contractId, "room");
  if (!basis?.occupants.length) return <span className="dim">没有登记同住人</span>;
  return (
    <Checkbox.Group
      value={value ?? basis.occupants.map((o) => o.id)}
      onChange={(ids) => onChange(ids as number[])}
      options={basis.occupants.map((o) => ({
        value: o.id,
        label: o.relation ? `${o.name}（${o.relation}）` : o.name,
      }))}
    />
  );
}

function FeeInput({
  contractId,
  kind,
  ...input
}: InputProps<number> & { contractId: number | null | undefined; kind: Kind }) {
  const { data } = useBasis(contractId, kind);
  const options = (data?.fees ?? []).map((f) => ({ value: f.feeId, label: f.name }));
  return <OptionSelect {...input} options={options} placeholder="有手续费时选择" clear />;
}

const roomFields = (set: (path: string, value: unknown) => void): Field<Asked>[] => [
  { section: "新房间" },
  {
    key: "villageId",
    help: "不选为原门店；换到另一门店时，未用租金须退还",
    input: (p) => <VillageSelect {...p} placeholder="原门店" />,
  },
  {
    key: "roomId",
    must: true,
    wide: true,
    input: (p, now) => (
      <RoomInput
        {...p}
        contractId={now.contractId}
        villageId={now.villageId}
        from={now.effectiveOn}
        until={now.end}
        onPrice={(fen) => set("monthlyRent", fen)}
      />
    ),
  },
  { key: "monthlyRent", placeholder: "不填按标价", help: "选房后带出标价，可以修改" },
  {
    key: "occupantIds",
    title: "同住人",
    input: (p, now) => <Movers {...p} contractId={now.contractId} />,
  },
];

const tenantFields: Field<Asked>[] = [
  { section: "新租客" },
  {
    key: "partyId",
    must: true,
    wide: true,
    input: (p, now) => <PartyPick {...p} contractId={now.contractId} />,
  },
];

/** A change of room, or of tenant: what was agreed with the tenant, before the new contract is drawn up. */
export const ChangeForm = ({
  kind,
  contractId,
  from,
  onAsked,
  onClose,
}: {
  kind: Kind;
  contractId: number | undefined;
  /** What the tenant asked for himself. */
  from?: Pick<Asked, "effectiveOn" | "reason">;
  onAsked: (of: Reply<typeof changes.ask>) => void;
  onClose: () => void;
}) => (
  <FormDrawer
    call={changes.ask}
    title={`${from ? "受理" : "新增"}${CHANGES[kind][0]}`}
    ok="下一步：试算"
    done="已登记，请核对试算"
    onDone={onAsked}
    onClose={onClose}
    cols={2}
    width={880}
    initial={{
      kind,
      effectiveOn: today(),
      deposit: "carry",
      credit: "carry",
      ...(contractId && { contractId }),
      ...from,
    }}
    fields={(set) => [
      { section: "原合同" },
      {
        key: "contractId",
        wide: true,
        input: (p) => <RecordSelect {...p} source={EFFECTIVE} placeholder="合同号、租客或房间" />,
      },
      { show: (now) => <Basis contractId={now.contractId} kind={kind} /> },
      { key: "effectiveOn", help: "新合同从这一天起算，须在今天前7天至后30天内" },
      { key: "end", placeholder: "不填为原到期日" },
      ...(kind === "room" ? roomFields(set) : tenantFields),
      { section: "款项" },
      "deposit",
      { key: "rest", when: (now: Partial<Asked>) => now.deposit === "carry" },
      kind === "room"
        ? "credit"
        : {
            key: "credit",
            input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={TENANT_CREDIT} />,
          },
      "fee",
      { key: "feeId", input: (p, now) => <FeeInput {...p} contractId={now.contractId} kind={kind} /> },
      ...(kind === "tenant" ? (["arrearsReason"] as const) : []),
      { key: "reason", wide: true },
    ]}
  />
);
