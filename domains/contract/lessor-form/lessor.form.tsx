import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { send } from "../../../platform/console/calls/request.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { PaperInput, PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import {
  addLessor,
  editLessor,
  type getLessor,
  lessorInput,
  uploadCompanyPapers,
  uploadLegalPapers,
} from "../lessor/lessor.contract.ts";
import { OPEN_FIELDS, whyFixed } from "../lessor/lessor.rules.ts";
import "../drafting/drafting.css";

export type Lessor = Reply<typeof getLessor>;
type Typed = z.input<typeof lessorInput>;

/** A number that stands there masked stays when it is left empty. */
const stays = (masked: string | undefined) => (masked ? { placeholder: `${masked}，不修改请留空` } : {});

const PICTURE = { accept: ".jpg,.jpeg,.png" };

const STEPS = ["基本信息", "法人与经办人", "证照"] as const;
const KEYS: readonly (readonly string[])[] = [
  ["name", "creditCode", "kind", "address", "bankName", "bankNo"],
  ["legalName", "legalCertType", "legalCertNo", "legalPhone", "agentName", "agentPhone"],
];
const stepOf = (field: string) => {
  const at = KEYS.findIndex((keys) => keys.includes(field));
  return at < 0 ? KEYS.length : at;
};

function fieldsOf(step: number, lessor: Lessor | undefined): readonly Field<Typed>[] {
  const open: readonly string[] = OPEN_FIELDS;
  const fixed = lessor && whyFixed(lessor);
  const locks = (key: string) => fixed !== undefined && !open.includes(key);
  const off = (key: string) => (locks(key) ? { disabled: true } : {});
  if (step === 0)
    return [
      { key: "name", placeholder: "与营业执照一致", ...off("name") },
      { key: "creditCode", placeholder: "18 位", ...off("creditCode") },
      { key: "kind", ...off("kind") },
      { key: "address", wide: true },
      { section: "对公账户", note: "户名与企业名称一致；已认证企业更换账户须重新认证" },
      "bankName",
      { key: "bankNo", ...stays(lessor?.bankNo) },
    ];
  if (step === 1)
    return [
      { key: "legalName", ...off("legalName") },
      {
        key: "legalPhone",
        ...stays(lessor?.legalPhone),
        help: "认证和授权的短信发到这里",
        ...off("legalPhone"),
      },
      { key: "legalCertType", ...off("legalCertType") },
      { key: "legalCertNo", ...stays(lessor?.legalCertNo), ...off("legalCertNo") },
      { section: "经办人", note: "选填，姓名和手机一起填写" },
      "agentName",
      { key: "agentPhone", ...stays(lessor?.agentPhone) },
    ];
  return [
    {
      key: "licenceFileId",
      wide: true,
      ...off("licenceFileId"),
      input: (p) => (
        <PaperInput {...p} {...PICTURE} call={uploadCompanyPapers} known={lessor && [lessor.licence]} />
      ),
    },
    {
      key: "legalFrontFileId",
      wide: true,
      ...off("legalFrontFileId"),
      input: (p) => (
        <PaperInput {...p} {...PICTURE} call={uploadLegalPapers} known={lessor && [lessor.legalFront]} />
      ),
    },
    {
      key: "legalBackFileId",
      wide: true,
      ...off("legalBackFileId"),
      input: (p) => (
        <PaperInput {...p} {...PICTURE} call={uploadLegalPapers} known={lessor && [lessor.legalBack]} />
      ),
    },
    {
      key: "otherFileIds",
      wide: true,
      ...off("otherFileIds"),
      input: (p) => <PapersInput {...p} call={uploadCompanyPapers} known={lessor?.others} maxFiles={5} />,
    },
  ];
}

/** What an edit starts with: masked numbers stay out. */
const startOf = (lessor: Lessor) => ({
  name: lessor.name,
  creditCode: lessor.creditCode,
  kind: lessor.kind,
  address: lessor.address,
  legalName: lessor.legalName,
  legalCertType: lessor.legalCertType,
  agentName: lessor.agentName,
  bankName: lessor.bankName,
  licenceFileId: lessor.licence.id,
  legalFrontFileId: lessor.legalFront.id,
  legalBackFileId: lessor.legalBack.id,
  otherFileIds: lessor.others.map((file) => file.id),
  version: lessor.version,
});

/** A legal entity in three steps: what it is, who stands for it, and its papers. */
export function LessorForm({ lessor, onSaved }: { lessor?: Lessor; onSaved: (id: number) => void }) {
  const refresh = useRefresh();
  const [step, setStep] = useState(0);
  const form = useForm<Typed>(
    (lessor ? editLessor.body : lessorInput) as typeof lessorInput,
    (lessor ? startOf(lessor) : { kind: "company", legalCertType: "idCard" }) as Partial<Typed>,
  );
  const wrongAt = (n: number) => Object.keys(form.errors).some((field) => field && stepOf(field) === n);
  // what was refused may stand in another step than the one that is open
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    if (!refused) return;
    setRefused(false);
    const at = STEPS.findIndex((_, n) =>
      Object.keys(form.errors).some((field) => field && stepOf(field) === n),
    );
    if (at >= 0) setStep(at);
  }, [refused, form.errors]);
  const save = async () => {
    let id = lessor?.id;
    const done = await form.submit(async (body) => {
      const saved = lessor
        ? await send(editLessor, { params: { id: lessor.id }, body: body as never })
        : await send(addLessor, { body });
      ({ id } = saved);
    });
    setRefused(!done);
    if (!done || id === undefined) return;
    toast(lessor ? "企业已保存" : "企业已新建，请完成认证");
    await refresh();
    onSaved(id);
  };
  const last = step === STEPS.length - 1;
  const fields = useRef<HTMLFormElement>(null);
  // the keyboard goes on at the top of the step: what turned it stands below or is gone
  const turn = (to: number) => {
    setStep(to);
    fields.current?.focus({ preventScroll: true });
  };
  return (
    <section className="card stack gap-8">
      <nav className="cf__steps" aria-label="步骤" style={{ height: "var(--size-44)" }}>
        {STEPS.map((name, n) => {
          const state = n === step ? "now" : n < step && !wrongAt(n) ? "done" : "";
          return (
            <button
              key={name}
              type="button"
              className={state}
              aria-current={n === step ? "step" : undefined}
              onClick={() => setStep(n)}
            >
              <i>{state === "done" ? <Icon name="check" size={12} /> : n + 1}</i>
              {name}
              {wrongAt(n) && <span className="err" title="有待修改的内容" />}
            </button>
          );
        })}
      </nav>
      <form
        ref={fields}
        className="cf__turned"
        tabIndex={-1}
        style={{ maxWidth: 920, padding: "0 var(--space-12) var(--space-4)" }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (last) void save();
          else turn(step + 1);
        }}
      >
        <FormFields key={step} form={form} fields={fieldsOf(step, lessor)} cols={2} label={124} />
        <p className="acts">
          {step > 0 && <Button run={() => turn(step - 1)}>上一步</Button>}
          {!last && (
            <Button look={lessor ? "plain" : "main"} run={() => turn(step + 1)}>
              下一步：{STEPS[step + 1]}
            </Button>
          )}
          {(last || lessor) && (
            <Button look="main" busy={form.busy} why={form.dirty ? undefined : "没有修改"} run={save}>
              {lessor ? "保存" : "保存企业"}
            </Button>
          )}
          <Wrong form={form} />
        </p>
        <button type="submit" hidden aria-hidden />
      </form>
    </section>
  );
}
