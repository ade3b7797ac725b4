import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useSettled } from "../../../platform/console/form/settled.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { BLACK } from "../blacklist/blacklist.rules.ts";
import { linkByNumber, partyOptions } from "./choice.contract.ts";
import { CHOICES, type ChoiceKind, isWhole } from "./choice.rules.ts";
import "../record/record.css";

const FORMS = {
  renter: lazily(() => import("../renter/renter.form.tsx").then((m) => ({ default: m.RenterForm }))),
  merchant: lazily(() => import("../merchant/merchant.form.tsx").then((m) => ({ default: m.MerchantForm }))),
  company: lazily(() => import("../company/company.form.tsx").then((m) => ({ default: m.CompanyForm }))),
} as const;
const ADD = { renter: "16.add", merchant: "106.add", company: "113.add" } as const;

export const mayRegister = (kind: ChoiceKind): boolean => may(ADD[kind]);

/** The form that the list of a kind opens, over the form in which somebody is being chosen. */
export function NewParty({
  kind,
  villageId,
  onMade,
  onClose,
}: {
  kind: ChoiceKind;
  /** Where they are registered, unless somebody chooses another store. */
  villageId: number | undefined;
  onMade: (id: number) => void;
  onClose: () => void;
}) {
  const Form = FORMS[kind];
  return (
    // what is sent here is not the form around it
    <div role="presentation" onSubmit={(event) => event.stopPropagation()}>
      <Arriving key={kind} onClose={onClose}>
        <Form villageId={villageId} onMade={onMade} onClose={onClose} />
      </Arriving>
    </div>
  );
}

type Option = Reply<typeof partyOptions>["list"][number];
const KINDS = Object.keys(CHOICES) as ChoiceKind[];
const LIST = { renter: "16.query", merchant: "106.query", company: "113.query" } as const;

/** 租客 / 商户 / 企业: whoever may rent, found by what is typed, brought from another store, or registered on the spot. */
export function PartyInput({
  villageId,
  only,
  value,
  onChange,
  ...p
}: InputProps<number> & {
  /** Where just one kind will do. */
  only?: ChoiceKind;
  /** Where somebody of another store is linked to, and somebody new is registered. */
  villageId: number | undefined;
}) {
  const [tab, setTab] = useState<ChoiceKind>();
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const [making, setMaking] = useState(false);
  const { data: named } = useQuery({
    ...ask(partyOptions, { query: { ids: String(value ?? 0) } }),
    enabled: value !== undefined,
  });
  const [found, setFound] = useState<Option>();
  const chosen = found?.id === value ? found : named?.list.find((o) => o.id === value);
  const kind = only ?? tab ?? chosen?.kind ?? "renter";
  const keyword = useSettled(typed.trim());
  const { data, isFetching } = useQuery({
    ...ask(partyOptions, { query: { kind, keyword } }),
    enabled: open,
  });
  const turn = (next: ChoiceKind) => {
    setTab(next);
    setTyped("");
    if (value !== undefined) onChange(undefined);
  };
  const list = data?.list ?? [];
  const take = (id: number) => {
    setTyped("");
    onChange(id);
  };
  return (
    <div className="pick-party grid gap-4">
      {!only && (
        <Underline
          small
          label="客户类型"
          on={kind}
          onChange={(key) => turn(key as ChoiceKind)}
          items={KINDS.map((key) => ({ key, title: CHOICES[key][0] }))}
        />
      )}
      <div className="pick-party__row">
        <Select
          id={p.id}
          value={value ?? null}
          disabled={p.disabled}
          placeholder={
            may(LIST[kind])
              ? `姓名、电话、${kind === "renter" ? "证件号" : "信用代码"}`
              : "完整电话、证件号或信用代码"
          }
          loading={open && isFetching}
          allowClear={CLEARS}
          showSearch={{ filterOption: false, onSearch: setTyped }}
          notFoundContent={isFetching || keyword !== typed.trim() ? "搜索中" : "没有匹配的客户"}
          options={[...(chosen && !list.some((o) => o.id === chosen.id) ? [chosen] : []), ...list].map(
            (o) => ({
              value: o.id,
              label: o.name,
              of: o,
            }),
          )}
          optionRender={(o) => <Line of={o.data.of as Option} />}
          onOpenChange={setOpen}
          onChange={(next: number | null | undefined) => {
            // what a whole number has shown is not shown by the id
            if (!may(LIST[kind])) setFound(list.find((o) => o.id === next));
            onChange(next ?? undefined);
          }}
          onBlur={() => p.onBlur?.()}
        />
        {mayRegister(kind) && (
          <Button icon="plus" run={() => setMaking(true)}>
            新建
          </Button>
        )}
      </div>
      {chosen && <Known of={chosen} />}
      {!chosen && data?.known && keyword === typed.trim() && isWhole(keyword) && (
        <Elsewhere name={data.known.maskedName} wanted={{ kind, keyword, villageId }} onLinked={take} />
      )}
      {making && (
        <NewParty kind={kind} villageId={villageId} onMade={take} onClose={() => setMaking(false)} />
      )}
    </div>
  );
}

const Line = ({ of }: { of: Option }) => (
  <span className="row">
    <span className="grow cut">{of.name}</span>
    <small className="dim">{[of.phone, of.stage, of.villages].filter(Boolean).join("　")}</small>
    <Marks of={of} />
  </span>
);

/** What should be known before a room is promised: the black list, and what is owed. */
const Marks = ({ of }: { of: Option }) => (
  <>
    {of.black !== "none" && (
      <span className={`tag s-${BLACK[of.black][1]}`}>黑名单·{BLACK[of.black][0]}</span>
    )}
    {of.arrears > 0 && <span className="tag s-orange">欠费 {yuan(of.arrears)}</span>}
  </>
);

const Known = ({ of }: { of: Option }) => (
  <div className="pick-party__known row wrap fs-12">
    <WordTag words={CHOICES} code={of.kind} dot={false} />
    <span>{of.stage}</span>
    {of.phone && <span>{of.phone}</span>}
    {of.number && <span className="dim">{of.number}</span>}
    <span className="dim">{of.villages}</span>
    <Marks of={of} />
  </div>
);

/** The enterprise has one record of everybody: another store's is linked, not made a second time. */
function Elsewhere({
  name,
  wanted,
  onLinked,
}: {
  name: string;
  wanted: { kind: ChoiceKind; keyword: string; villageId: number | undefined };
  onLinked: (id: number) => void;
}) {
  const act = useAct();
  const { kind, keyword, villageId } = wanted;
  return (
    <div className="notice s-orange" role="alert">
      <span className="grow">{name} 已在其他门店登记</span>
      <Button
        size="sm"
        why={villageId ? undefined : "请先选择门店"}
        run={async () => {
          const made = await act(
            linkByNumber,
            { body: { kind, keyword, villageId: villageId! } },
            { done: "已关联到本门店" },
          );
          if (made) onLinked(made.id);
        }}
      >
        关联到本门店
      </Button>
    </div>
  );
}
