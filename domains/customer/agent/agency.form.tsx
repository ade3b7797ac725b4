import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { RecordSelect, VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { addAgency, editAgency, type getAgency } from "./agency.contract.ts";
import { stays } from "./agent.form.tsx";
import { RULES } from "../commission-rule/rule.contract.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";

type Agency = Reply<typeof getAgency>;
type Typed = Sent<typeof addAgency>["body"];

const fieldsOf = (agency?: Agency): readonly Field<Typed>[] => [
  { section: "机构" },
  "name",
  "creditCode",
  "contact",
  { key: "phone", ...stays(agency?.phone) },
  { key: "villageIds", wide: true, input: (p) => <VillagesInput {...p} /> },
  { section: "合作" },
  "fromDay",
  { key: "toDay", placeholder: "长期" },
  {
    key: "ruleId",
    wide: true,
    input: (p) => <RecordSelect {...p} source={RULES} placeholder="请选择佣金规则" />,
  },
  { section: "收款账户", note: "结算佣金时付到这里" },
  "bankHolder",
  { key: "bankNo", ...stays(agency?.bankNo) },
  "bankName",
  "bankBranch",
  { section: "附件" },
  {
    key: "fileIds",
    wide: true,
    input: (p) => (
      <PapersInput
        call={UPLOADS.paper10M}
        {...p}
        known={agency?.files}
        hint="合作协议、营业执照等，图片或PDF，最多10个"
      />
    ),
  },
];

/** What an edit starts with: masked numbers stay out. */
const startOf = (a: Agency) => ({
  name: a.name,
  ...(a.creditCode && { creditCode: a.creditCode }),
  contact: a.contact,
  villageIds: a.villageIds,
  fromDay: a.fromDay,
  toDay: a.toDay,
  ruleId: a.ruleId,
  bankHolder: a.bankHolder,
  bankName: a.bankName,
  bankBranch: a.bankBranch,
  fileIds: a.files.map((file) => file.id),
  version: a.version,
});

/** 新增机构 and 编辑机构. */
export function AgencyForm({ agency, onClose }: { agency?: Agency | undefined; onClose: () => void }) {
  const shape = { cols: 2, width: 720, ok: "保存", onClose } as const;
  return agency ? (
    <FormDrawer
      {...shape}
      call={editAgency}
      title={`编辑机构 ${agency.name}`}
      done="机构已保存"
      params={{ id: agency.id }}
      initial={startOf(agency)}
      fields={fieldsOf(agency) as never}
    />
  ) : (
    <FormDrawer {...shape} call={addAgency} title="新增机构" done="机构已登记" fields={fieldsOf()} />
  );
}
