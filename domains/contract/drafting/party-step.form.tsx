import { useState } from "react";
import { Button, IconButton } from "../../../platform/console/button.tsx";
import { OneField } from "../../../platform/console/formfield.tsx";
import { FormDrawer } from "../../../platform/console/formdrawer.tsx";
import { Icon } from "../../../platform/console/icons.tsx";
import { ChoiceInput, FlagInput, TextInput, type InputProps } from "../../../platform/console/inputs.tsx";
import { Lines } from "../../../platform/console/lines.tsx";
import { pathTo } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Link } from "react-router";
import { addRenter } from "../../customer/renter/renter.contract.ts";
import { CERT_TYPES, GENDERS } from "../../customer/renter/words.rules.ts";
import { isMinor } from "../terms/check.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";
import { FindRenter } from "./find-renter.form.tsx";
import { RenterSearch } from "./renter-search.form.tsx";
import { PeopleSelect } from "./people-select.form.tsx";

/** Step 2: who signs, who else moves in, who looks after it. */
export function PartyStep({ draft }: { draft: Draft }) {
  const { form, patch, errors } = draft;
  const [layer, setLayer] = useState<"new" | "find">();
  const choose = (partyId: number | undefined) => patch({ partyId: partyId ?? null });
  const close = () => setLayer(undefined);
  return (
    <div className="form cf__grid">
      <h3 className="form__section">租客</h3>
      <div className={`fi fi--wide ${errors["partyId"] ? "fi--bad" : ""}`}>
        <label className="fi__label fi__label--must">租客</label>
        <div className="row">
          <RenterSearch onFound={choose} />
          <Button run={() => setLayer("find")}>按证件查找</Button>
          {may("16.add") && (
            <Button icon="plus" run={() => setLayer("new")}>
              新建租客
            </Button>
          )}
        </div>
        {errors["partyId"] && <p className="fi__msg">{errors["partyId"]}</p>}
      </div>
      <PartyCard draft={draft} />
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
          {
            key: "phone",
            title: "手机",
            width: 130,
            input: (p) => <TextInput {...(p as InputProps<string>)} max={11} />,
          },
          {
            key: "certType",
            title: "证件类型",
            width: 120,
            input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={CERT_TYPES} />,
          },
          {
            key: "certNo",
            title: "证件号",
            width: 180,
            input: (p) => <TextInput {...(p as InputProps<string>)} max={18} placeholder="已存则不必重填" />,
          },
          {
            key: "gender",
            title: "性别",
            width: 90,
            input: (p) => <ChoiceInput {...(p as InputProps<string>)} words={GENDERS} />,
          },
          {
            key: "relation",
            title: "关系",
            width: 90,
            input: (p) => <TextInput {...(p as InputProps<string>)} max={20} />,
          },
          {
            key: "lockAccess",
            title: "门锁权限",
            width: 90,
            input: (p) => <FlagInput {...(p as InputProps<boolean>)} />,
          },
        ]}
      />
      <h3 className="form__section">经办</h3>
      <OneField
        form={draft}
        path="signerId"
        more={{ input: (p) => <PeopleSelect {...(p as InputProps<number>)} people={draft.data?.people} /> }}
      />
      <OneField
        form={draft}
        path="managerId"
        more={{ input: (p) => <PeopleSelect {...(p as InputProps<number>)} people={draft.data?.people} /> }}
      />
      <OneField form={draft} path="remark" more={{ wide: true }} />
      {layer === "new" && (
        <FormDrawer
          call={addRenter}
          title="新建租客"
          ok="保存并选用"
          done="租客已登记"
          cols={2}
          width={760}
          initial={{ homeVillageId: form.villageId, source: "walkIn", certType: "idCard" }}
          onDone={(reply) => choose(reply.id)}
          onClose={close}
          fields={[
            { section: "证件", note: "填写身份证号后自动带出性别和生日" },
            "certType",
            "certNo",
            { section: "租客" },
            "name",
            "phone",
            "gender",
            "birthday",
            "source",
            { section: "紧急联系人" },
            "emergencyName",
            "emergencyPhone",
            { section: "监护人", note: "未满18周岁必填" },
            "guardianName",
            "guardianPhone",
          ]}
        />
      )}
      {layer === "find" && <FindRenter villageId={form.villageId} onFound={choose} onClose={close} />}
    </div>
  );
}

function PartyCard({ draft: { data, form, patch } }: { draft: Draft }) {
  const party = form.partyId ? data?.party : null;
  if (!party || party.partyId !== form.partyId) return null;
  const minor = isMinor(party.birthday, data!.today);
  return (
    <div className="fi--wide party">
      <div className="party__card">
        <b>{party.name}</b>
        <span>{party.phone}</span>
        <span className="dim">{party.certificate || "未登记证件"}</span>
        <span className="dim">
          {[party.gender && GENDERS[party.gender][0], party.birthday].filter(Boolean).join(" ")}
        </span>
        <span className="grow" />
        <Link to={pathTo("/configuration/RenterManage", { id: party.partyId })}>租客资料</Link>
        <IconButton icon="close" size={14} label="换一位租客" run={() => patch({ partyId: null })} />
      </div>
      {party.blackList.map((hit) => (
        <p key={hit.reason} className="party__bar s-red" role="alert">
          <Icon name="warn" size={14} />
          {hit.level === "forbid" ? "黑名单，禁止签约" : "黑名单提示"}：{hit.reason}
          {hit.source && `（${hit.source}）`}
          {hit.level === "forbid" && !may("#906") && "，需要“黑名单客户签约”权限"}
        </p>
      ))}
      {minor && (
        <p className="party__bar s-orange">
          <Icon name="warn" size={14} />
          未满18周岁，需监护人签署
          {party.guardianName
            ? `：${party.guardianName} ${party.guardianPhone}`
            : "，请先在租客资料中登记监护人"}
        </p>
      )}
      {party.arrears.length > 0 && (
        <p className="party__bar s-orange">
          <Icon name="warn" size={14} />
          其他合同有欠费：
          {party.arrears.map((a) => (
            <Link key={a.contractId} to={pathTo("/contract/RenterContractPage", { id: a.contractId })}>
              {a.contractNo} {yuan(a.overdue)}
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}
