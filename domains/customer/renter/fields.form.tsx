import { canonicalNumber, birthdayOf, genderOf } from "../../../platform/kernel/texts/certificate.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { DicInput, DicsInput, DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { today } from "../../../platform/console/session/operator.ts";
import { PaperInput } from "../record/papers.panel.tsx";
import type { addRenter, editRenter, getRenter } from "./renter.contract.ts";
import { CERT_TYPES } from "./words.rules.ts";

type Renter = Reply<typeof getRenter>;
type Correction = Pick<Body<typeof editRenter>, "version" | "correctionReason" | "correctionFileId">;
/** What stands in the form; an edit knows a version and the papers of a correction besides. */
export type Typed = Body<typeof addRenter> & Partial<Correction>;
type CertType = keyof typeof CERT_TYPES;
type Set = (path: string, value: unknown) => void;

/** Name or certificate differ from the record: after a signed contract that is a correction. */
export const identityChanged = (v: Partial<Typed>, renter: Renter): boolean =>
  v.name?.trim() !== renter.name || Boolean(v.certNo) || (v.certType ?? null) !== renter.certType;

const adult = (birthday: string | null | undefined) => {
  const day = today();
  return !birthday || birthday <= `${Number(day.slice(0, 4)) - 18}${day.slice(4)}`;
};

const unchanged = (masked: string | null | undefined) => (masked ? `${masked}，不修改请留空` : undefined);

/** The fields of the form in their order; a whole ID number fills gender and birthday. */
export function renterFields(set: Set, renter: Renter | undefined) {
  const masked = (value: string | null | undefined) => {
    const placeholder = unchanged(value);
    return placeholder ? { placeholder } : {};
  };
  const certType: Field<Typed> = {
    key: "certType",
    input: ({ onChange, ...p }) => (
      <ChoiceInput {...p} clear words={CERT_TYPES} onChange={(code) => onChange(code as CertType)} />
    ),
  };
  const certNo: Field<Typed> = {
    key: "certNo",
    ...masked(renter?.certNo),
    input: (p, v) => (
      <TextInput
        {...p}
        max={18}
        onChange={(next) => {
          p.onChange(next);
          // without a kind it is an ID card as soon as the check digit says so
          if (!next || (v.certType && v.certType !== "idCard")) return;
          const number = canonicalNumber(next);
          const birthday = birthdayOf(number);
          if (!birthday) return;
          set("certType", "idCard");
          set("birthday", birthday);
          set("gender", genderOf(number));
        }}
      />
    ),
  };
  const correcting = (v: Partial<Typed>) => Boolean(renter?.signed && identityChanged(v, renter));
  const fromCard = (v: Partial<Typed>) =>
    v.certType === "idCard" && Boolean(v.certNo && birthdayOf(v.certNo));
  const rest: Field<Typed>[] = [
    "name",
    { key: "phone", ...masked(renter?.phone) },
    { key: "gender", help: (v) => (fromCard(v) ? "取自身份证号" : undefined) },
    { key: "birthday", help: (v) => (fromCard(v) ? "取自身份证号" : undefined) },
    { key: "homeVillageId", input: (p) => <VillageSelect {...p} /> },
    {
      key: "source",
      input: (p) => (
        <DicInput {...p} kind="customer" group="source" keeps="code" keptName={renter?.sourceName} />
      ),
    },
    {
      key: "tags",
      wide: true,
      input: (p) => (
        <DicsInput {...p} free kind="customer" group="tag" placeholder="可输入，最多10个，每个最多10个字" />
      ),
    },
    { section: "更正", note: "已签合同，改姓名或证件要写明原因并上传证明", when: correcting },
    { key: "correctionReason", wide: true, when: correcting },
    {
      key: "correctionFileId",
      title: "证明文件",
      wide: true,
      when: correcting,
      input: (p) => <PaperInput {...p} purpose="paper10M" />,
    },
    { section: "监护人", note: "未满18周岁必填", when: (v) => !adult(v.birthday) },
    { key: "guardianName", when: (v) => !adult(v.birthday) },
    { key: "guardianPhone", ...masked(renter?.guardianPhone), when: (v) => !adult(v.birthday) },
    { section: "紧急联系人" },
    "emergencyName",
    { key: "emergencyPhone", ...masked(renter?.emergencyPhone) },
    {
      key: "emergencyRelation",
      input: (p) => <DicSuggest {...p} kind="customer" group="relation" max={20} />,
    },
    { section: "其他资料" },
    "nationality",
    { key: "email", input: (p) => <TextInput {...p} /> },
    { key: "occupation", input: (p) => <DicSuggest {...p} kind="customer" group="job" max={50} /> },
    "employer",
    {
      key: "certFrontFileId",
      title: "证件正面",
      input: (p) => <PaperInput {...p} purpose="image10M" />,
    },
    { key: "certBackFileId", title: "证件反面", input: (p) => <PaperInput {...p} purpose="image10M" /> },
    { key: "photoFileId", title: "照片", input: (p) => <PaperInput {...p} purpose="image2M" /> },
    { key: "remark", wide: true },
  ];
  return { certType, certNo, rest };
}
