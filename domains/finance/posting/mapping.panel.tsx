import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { type Body, FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { doing } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ACCOUNTS } from "../account/account.contract.ts";
import { SUBJECTS } from "../subject/subject.contract.ts";
import * as calls from "./mapping.contract.ts";
import { MERCHANT_ACCOUNTS, SUBJECT_ACCOUNTS } from "./posting.rules.ts";

type Open = { edit: calls.MappingRow } | { add: Partial<calls.Unmapped> };

/** Which code of the general ledger each account has, and what has none yet. */
export function Mappings() {
  const [open, setOpen] = useState<Open>();
  const { data: missing = [] } = useQuery(ask(calls.unmapped));
  const close = () => setOpen(undefined);
  return (
    <div className="stack gap-4 full">
      {missing.length > 0 && (
        <p className="row wrap" role="status">
          <StatusTag tone="orange">{missing.length} 个科目未映射</StatusTag>
          {missing.slice(0, 12).map((u) => {
            const name = [u.account, u.accountName, u.subjectName, u.merchantName].filter(Boolean).join(" ");
            return may(calls.addMapping.needs) ? (
              <Button key={name} size="sm" look="text" run={() => setOpen({ add: u })}>
                {name}
              </Button>
            ) : (
              <span key={name} className="sub">
                {name}
              </span>
            );
          })}
        </p>
      )}
      <div className="fill">
        <ListPage
          call={calls.listMappings}
          unit="条"
          filters={["keyword"]}
          columns={[
            "account",
            "accountName",
            { key: "subjectName", show: (r) => r.subjectName ?? "全部" },
            { key: "merchantName", show: (r) => r.merchantName ?? "全部" },
            { key: "villageName", show: (r) => r.villageName ?? "全部" },
            { key: "glCode", strong: true },
            "auxiliary",
          ]}
          card={{ title: "accountName", right: "glCode", lines: [["account", "subjectName"]] }}
          toolbar={[
            {
              label: "新增映射",
              icon: "plus",
              main: true,
              does: calls.addMapping,
              run: () => setOpen({ add: {} }),
            },
            {
              label: "填入常用映射",
              ...doing(calls.usualMappings, {}, "已填入", {
                title: "填入常用映射",
                body: "按企业会计准则的科目为还没有映射的科目填入编码，之后可逐条修改。",
              }),
            },
          ]}
          rowActions={(r) => [
            { label: "修改", does: calls.editMapping, run: () => setOpen({ edit: r }) },
            {
              label: "删除",
              danger: true,
              ...doing(
                calls.removeMapping,
                { params: { id: r.id }, query: { version: r.version } },
                "已删除",
                {
                  title: "删除映射",
                  body: `科目 ${r.account} ${r.accountName} 不再映射为 ${r.glCode}，已导出的凭证不变。`,
                },
              ),
            },
          ]}
          exportCall={calls.exportMappings}
          emptyText="给每个科目填上总账的科目编码；可再按费用、账户或门店区分，越具体的越优先"
        />
      </div>
      {open &&
        ("edit" in open ? (
          <Current call={calls.getMapping} read={open.edit}>
            {(row) => <EditForm row={row} onClose={close} />}
          </Current>
        ) : (
          <AddForm of={open.add} onClose={close} />
        ))}
    </div>
  );
}

const EditForm = ({ row, onClose }: { row: calls.MappingRow; onClose: () => void }) => (
  <FormDialog
    call={calls.editMapping}
    title={`修改映射 ${row.account} ${row.accountName}`}
    done="已保存"
    params={{ id: row.id }}
    initial={{ glCode: row.glCode, auxiliary: row.auxiliary, version: row.version }}
    onClose={onClose}
    fields={["glCode", "auxiliary"]}
  />
);

type Given = Partial<Body<typeof calls.addMapping>>;

/** A code for an account; what is not chosen beside it means all. */
const AddForm = ({ of, onClose }: { of: Partial<calls.Unmapped>; onClose: () => void }) => (
  <FormDialog
    call={calls.addMapping}
    title="新增映射"
    done="已保存"
    initial={{
      ...(of.account && { account: of.account }),
      ...(of.feeSubjectId && { feeSubjectId: of.feeSubjectId }),
      ...(of.merchantAccountId && { merchantAccountId: of.merchantAccountId }),
    }}
    onClose={onClose}
    fields={[
      { key: "account", input: (p) => <LedgerAccountSelect {...p} /> },
      "glCode",
      {
        key: "feeSubjectId",
        when: (now: Given) => SUBJECT_ACCOUNTS.includes(now.account ?? ""),
        input: (p) => <RecordSelect {...p} source={SUBJECTS} placeholder="全部费用" />,
      },
      {
        key: "merchantAccountId",
        when: (now: Given) => MERCHANT_ACCOUNTS.includes(now.account ?? ""),
        input: (p) => <RecordSelect {...p} source={ACCOUNTS} placeholder="全部账户" />,
      },
      { key: "villageId", input: (p) => <VillageSelect {...p} placeholder="全部门店" /> },
      "auxiliary",
    ]}
  />
);

function LedgerAccountSelect({ value, onChange, id, disabled }: InputProps<string>) {
  const { data = [], isLoading } = useQuery(ask(calls.ledgerAccounts));
  return (
    <Select
      id={id ?? ""}
      value={value ?? null}
      disabled={disabled ?? false}
      loading={isLoading}
      placeholder="请选择科目"
      showSearch={{ optionFilterProp: "label" }}
      options={data.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
