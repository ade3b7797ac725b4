import { Input } from "antd";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { passwordHint } from "../../../platform/kernel/texts/password.ts";
import { addOperator, editOperator, type getOperator } from "../operator/operator.contract.ts";
import { TYPE_WORDS } from "../operator/operator.rules.ts";
import { AssignmentsInput, VillagesInput } from "./assignments.form.tsx";

type Known = Reply<typeof getOperator>;
type Given = Body<typeof addOperator>;

const SCOPE = { false: ["指定门店", "grey"], true: ["全部门店", "grey"] } as const;

const PasswordInput = ({ value, onChange, ...rest }: InputProps<string>) => (
  <Input.Password
    {...rest}
    value={value ?? ""}
    autoComplete="new-password"
    onChange={(event) => onChange(event.target.value || undefined)}
  />
);

/** Whoever edits themselves changes phone and password with a code, at the top right. */
const fieldsFor = (superType: string, known?: Known, own = false): readonly Field<Given>[] => [
  { section: "账号" },
  { key: "account", help: "6-20位字母和数字，登录用，不区分大小写" },
  "realName",
  ...(own
    ? []
    : [
        {
          key: "phone" as const,
          must: !known,
          placeholder: known ? `${known.phone}，留空则不修改` : "也可用于登录",
        },
      ]),
  "email",
  ...(own
    ? []
    : [
        {
          key: "password" as const,
          must: !known,
          placeholder: known ? "留空则不修改" : passwordHint(),
          help: known ? "修改后其会话全部下线，下次登录须改密码" : "首次登录须改为自己的密码",
          input: (p: InputProps<string>) => <PasswordInput {...p} />,
        },
      ]),
  ...(superType === "0"
    ? [
        {
          key: "superType" as const,
          input: (p: InputProps<"" | "0" | "1">) => (
            <ChoiceInput
              {...p}
              words={TYPE_WORDS}
              value={p.value ?? ""}
              onChange={(next) => p.onChange((next ?? "") as "")}
            />
          ),
          help: "平台：全部功能和门店；企业：本企业的全部功能和门店",
        },
      ]
    : []),
  { section: "权限" },
  {
    key: "assignments",
    wide: true,
    must: true,
    input: (p) => <AssignmentsInput {...p} {...(known && { enterpriseId: known.enterpriseId })} />,
  },
  ...(superType
    ? [
        {
          key: "allVillages" as const,
          when: (v: Partial<Given>) => !v.superType,
          input: (p: InputProps<boolean>) => (
            <ChoiceInput
              {...p}
              words={SCOPE}
              value={String(p.value ?? false)}
              onChange={(code) => p.onChange(code === "true")}
            />
          ),
        },
      ]
    : []),
  {
    key: "villageIds",
    wide: true,
    must: true,
    when: (v) => !v.superType && !v.allVillages,
    input: (p) => <VillagesInput {...p} also={known?.villages ?? []} />,
  },
];

/** A new person, or one that is there. Nobody gives away what they do not have: the server says so. */
export function OperatorForm({ operator, onClose }: { operator?: Known; onClose: () => void }) {
  const me = useOperator();
  const superType = me?.superType ?? "";
  const shared = { cols: 2, width: 720, onClose };
  if (!operator)
    return (
      <FormDrawer
        {...shared}
        call={addOperator}
        initial={{ superType: "", allVillages: false, villageIds: [], assignments: [] }}
        fields={fieldsFor(superType)}
        title="新增员工"
        done="员工已新增"
      />
    );
  const { account, realName, email, allVillages, version, assignments, villages } = operator;
  return (
    <FormDrawer
      {...shared}
      call={editOperator}
      params={{ id: operator.id }}
      initial={{
        account,
        realName,
        email,
        superType: operator.superType,
        allVillages,
        version,
        assignments: assignments.map(({ departmentId: at, roleId }) => ({ departmentId: at, roleId })),
        villageIds: villages.map((v) => v.id),
      }}
      fields={
        fieldsFor(superType, operator, operator.id === me?.operatorId) as readonly Field<
          Body<typeof editOperator>
        >[]
      }
      title={`编辑 ${realName}`}
      done="已保存，下一次操作起生效"
    />
  );
}
