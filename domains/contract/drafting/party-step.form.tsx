import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ask } from "../../../platform/console/calls/request.ts";
import { useId } from "react";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { type InputProps, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { panelOf } from "../../../platform/console/screens/load.tsx";
import { useSlot } from "../../../platform/console/screens/slots.ts";
import { AGENTS } from "../../customer/agent/agent.contract.ts";
import { earnedBy } from "../../customer/commission-rule/commission.rules.ts";
import { CERT_TYPES, GENDERS } from "../../customer/renter/words.rules.ts";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { Fields, flagIn, textIn, wordsIn } from "./term-fields.form.tsx";
import type { Draft, FormData } from "./draft.form.tsx";
import { agentOutlook } from "./draft.contract.ts";
import { dealOf, fixedBy } from "./drafting.rules.ts";
import { Link } from "react-router";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CHOICE_PAGE } from "../../customer/choice/choice.rules.ts";
import { isMinor } from "../terms/check.rules.ts";

/** Who moves in beside the tenant who signs. */
export const Occupants = ({ draft }: { draft: Draft }) => (
  <>
    <h3 className="form__section">
      同住人<small>不含签约人；门锁权限随租期开通</small>
    </h3>
    <Lines<ContractForm, ContractForm["occupants"][number]>
      form={draft}
      name="occupants"
      heads={["姓名", "手机", "证件类型", "证件号", "性别", "关系", "门锁"]}
      blank={{ name: "", phone: "", certType: "idCard", relation: "", lockAccess: true }}
      add="添加同住人"
      most={49}
      fields={[
        { key: "name", width: 110 },
        { key: "phone", title: "手机", width: 130, input: textIn(11) },
        { key: "certType", title: "证件类型", width: 120, input: wordsIn(CERT_TYPES) },
        {
          key: "certNo",
          title: "证件号",
          width: 180,
          placeholder: "已存则不必重填",
          input: textIn(18),
        },
        { key: "gender", title: "性别", width: 90, input: wordsIn(GENDERS) },
        { key: "relation", title: "关系", width: 90, input: textIn(20) },
        { key: "lockAccess", title: "门锁权限", width: 90, input: flagIn },
      ]}
    />
  </>
);

/** Operators who work in the village. */
export const PeopleSelect = ({
  value,
  onChange,
  id,
  people,
}: InputProps<number> & { people: readonly { operatorId: number; name: string }[] | undefined }) => (
  <Select
    id={id ?? ""}
    value={value ?? null}
    allowClear={CLEARS}
    placeholder="请选择"
    showSearch={{ optionFilterProp: "label" }}
    options={(people ?? []).map((p) => ({ value: p.operatorId, label: p.name }))}
    onChange={(next) => onChange(next ?? undefined)}
  />
);

/** Of the titles that the customer has. */
function TitleSelect({ value, onChange, id, draft: { data, form } }: InputProps<number> & { draft: Draft }) {
  const titles = data?.party?.partyId === form.partyId ? (data?.party?.titles ?? []) : [];
  const usual = titles.find((t) => t.isDefault);
  return (
    <Select
      id={id ?? ""}
      value={value ?? null}
      allowClear={CLEARS}
      placeholder={usual ? `默认：${usual.title}` : form.partyId ? "该客户没有登记发票抬头" : "请先选择客户"}
      showSearch={{ optionFilterProp: "label" }}
      options={titles.map((t) => ({
        value: t.id,
        label: [t.title, t.taxNo].filter(Boolean).join(" "),
      }))}
      onChange={(next: number | null) => onChange(next ?? undefined)}
    />
  );
}

/** Where the tenant came from; the word that a draft has may have been switched off since. */
function ChannelSelect({ value, onChange, id, draft }: InputProps<string> & { draft: Draft }) {
  const words = draft.data?.channels.map((c) => c.name) ?? [];
  const all = value && !words.includes(value) ? [value, ...words] : words;
  return (
    <Select
      id={id ?? ""}
      value={value || null}
      allowClear={CLEARS}
      placeholder="请选择"
      showSearch
      options={all.map((name) => ({ value: name, label: name }))}
      onChange={(next: string | null) => onChange(next ?? undefined)}
    />
  );
}

/** An agent of the store; whoever is brought by one came through an agent, unless something else is said. */
function AgentInput({ draft, ...p }: InputProps<number> & { draft: Draft }) {
  const { form, patch, data } = draft;
  const word = data?.channels.find((c) => c.code === "agent")?.name;
  return (
    <RecordSelect
      {...p}
      value={form.agentId ?? undefined}
      source={form.villageId ? { ...AGENTS, query: { villageId: form.villageId } } : AGENTS}
      placeholder="姓名、手机号"
      onChange={(next) =>
        patch({ agentId: next ?? null, ...(next && !form.channel && word && { channel: word }) })
      }
    />
  );
}

/** What the contract would earn for its agent, as it is typed. */
function Commission({ draft: { form, saved, cards, live } }: { draft: Draft }) {
  const { kind, villageId, agentId, partyId } = form;
  const { data } = useQuery({
    ...ask(agentOutlook, {
      query: {
        ...{ kind, villageId, agentId: agentId ?? 0 },
        ...(partyId && { partyId }),
        ...(saved && { contractId: saved.id }),
      },
    }),
    enabled: Boolean(agentId && villageId),
  });
  if (!agentId) return "签约后按佣金规则产生佣金";
  if (!data) return null;
  if (data.why || !data.rule) return <span className="neg">不产生佣金：{data.why}</span>;
  const deal = dealOf(form, cards, live.plan);
  if (!deal) return "填好房间、租期和条款后显示佣金";
  const { amount, explain } = earnedBy(data.rule, deal);
  return (
    <>
      佣金 <b>{yuan(amount)}</b> 元：{explain.rule}，{explain.formula}
      {data.rule.payAfterDays > 0 && `，签约 ${data.rule.payAfterDays} 天后结算`}
    </>
  );
}

/** Step 2: who signs, who else moves in, who looks after it. */
export function PartyStep({ draft }: { draft: Draft }) {
  const { form, errors } = draft;
  const { party } = KINDS[form.kind];
  const id = useId();
  const fixed = fixedBy(form);
  const people = (p: InputProps<unknown>) => (
    <PeopleSelect {...(p as InputProps<number>)} people={draft.data?.people} />
  );
  return (
    <div className="form cf__grid">
      <h3 className="form__section">{party}</h3>
      <div className={`fi fi--wide ${errors["partyId"] ? "fi--bad" : ""}`}>
        <label className="fi__label fi__label--must" htmlFor={id}>
          {party}
        </label>
        <div className="fi__in">
          {fixed ? (
            <>
              <TextInput id={id} disabled value={draft.data?.party?.name} onChange={() => undefined} />
              <div className="fi__help fs-12 dim">{fixed}</div>
            </>
          ) : (
            <Picker draft={draft} inputId={id} />
          )}
        </div>
        {errors["partyId"] && <p className="fi__msg">{errors["partyId"]}</p>}
      </div>
      <PartyNotes draft={draft} />
      {form.kind !== "renter" && (
        <Fields
          form={draft}
          of={[
            [
              "titleId",
              {
                wide: true,
                help: "合同账单的发票开给该抬头，不选择时按客户的默认抬头",
                input: (p) => <TitleSelect {...(p as InputProps<number>)} draft={draft} />,
              },
            ],
          ]}
        />
      )}
      {form.kind === "renter" && <Occupants draft={draft} />}
      {form.kind === "company" && (
        <p className="fi--wide dim">入住人在合同签署后登记，可以随时更换，不需要重新签订合同</p>
      )}
      {form.kind === "merchant" && (
        <>
          <h3 className="form__section">经营</h3>
          <Fields form={draft} of={[["openOn", { help: "印在合同上；续租的商铺可以早于起租日" }]]} />
        </>
      )}
      <h3 className="form__section">来源</h3>
      <Fields
        form={draft}
        of={[
          ["channel", { input: (p) => <ChannelSelect {...(p as InputProps<string>)} draft={draft} /> }],
          [
            "agentId",
            {
              help: <Commission draft={draft} />,
              input: (p) => <AgentInput {...(p as InputProps<number>)} draft={draft} />,
            },
          ],
        ]}
      />
      <h3 className="form__section">经办</h3>
      <Fields
        form={draft}
        of={[
          ["signerId", { input: people }],
          ["managerId", { input: people }],
          ["remark", { wide: true }],
        ]}
      />
    </div>
  );
}

/** Customers are chosen, brought from another store and registered by the one picker that their domain has. */
function Picker({ draft: { form, patch }, inputId }: { draft: Draft; inputId: string }) {
  return useSlot("contract.party").map((panel) => {
    const View = panelOf(panel);
    return (
      <Arriving key={panel.key} fallback={<RowsSkeleton rows={1} />}>
        <View
          id={0}
          pick={{
            inputId,
            kind: form.kind,
            villageId: form.villageId || undefined,
            value: form.partyId ?? undefined,
            // another customer has titles of its own
            onChange: (partyId) => patch({ partyId: partyId ?? null, titleId: null }),
          }}
        />
      </Arriving>
    );
  });
}

type Party = NonNullable<FormData["party"]>;

/** What should be known of the party before anything is agreed: the black list, arrears, credit, a guardian. */
export function PartyNotes({ draft: { data, form } }: { draft: Draft }) {
  const party = form.partyId ? data?.party : null;
  if (!party || party.partyId !== form.partyId) return null;
  const record = reach(CHOICE_PAGE[form.kind], { id: party.partyId });
  return (
    <div className="fi--wide grid gap-4">
      <div className="party__card row gap-8 fs-13">
        {form.kind === "renter" ? <Person party={party} /> : <Firm party={party} />}
        <span className="grow" />
        {record && <Link to={record}>{KINDS[form.kind].party}资料</Link>}
      </div>
      {party.blackList.map((hit) => (
        <Bar key={hit.reason} tone="red">
          {hit.level === "forbid" ? "黑名单，禁止签约" : "黑名单提示"}：{hit.reason}
          {hit.source && `（${hit.source}）`}
          {hit.level === "forbid" && !may(permitOf(form.kind, "blackListed")) && "，需要“黑名单客户签约”权限"}
        </Bar>
      ))}
      {isMinor(party.birthday, data!.today) && (
        <Bar>
          未满18周岁，需监护人签署
          {party.guardianName
            ? `：${party.guardianName} ${party.guardianPhone}`
            : "，请先在租客资料中登记监护人"}
        </Bar>
      )}
      {party.arrears.length > 0 && (
        <Bar>
          其他合同有欠费：
          {party.arrears.map((a) => (
            <Link key={a.contractId} to={pathTo(KINDS[a.kind].path, { id: a.contractId })}>
              {a.contractNo} {yuan(a.overdue)}
            </Link>
          ))}
        </Bar>
      )}
    </div>
  );
}

const Person = ({ party }: { party: Party }) => (
  <>
    <span className="dim">{party.certificate || "未登记证件"}</span>
    <span className="dim">
      {[party.gender && GENDERS[party.gender][0], party.birthday].filter(Boolean).join(" ")}
    </span>
  </>
);

/** Whom the paper will name, and for companies how much of the credit is left. */
const Firm = ({ party }: { party: Party }) => (
  <>
    <span>签约联系人 {[party.contactName, party.phone].filter(Boolean).join(" ") || "未登记"}</span>
    {party.legalName && <span className="dim">法定代表人 {party.legalName}</span>}
    {party.credit && (
      <span className={party.credit.used > party.credit.limit ? "neg" : "dim"}>
        授信已用 {yuan(party.credit.used)} / {yuan(party.credit.limit)}
      </span>
    )}
  </>
);

const Bar = ({ tone = "orange", children }: { tone?: "red" | "orange"; children: React.ReactNode }) => (
  <p className={`party__bar tinted row wrap fs-13 s-${tone}`} role={tone === "red" ? "alert" : undefined}>
    <Icon name="warn" size={14} />
    {children}
  </p>
);
