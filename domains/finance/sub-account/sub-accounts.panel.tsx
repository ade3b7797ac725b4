import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { ImportDialog } from "../../../platform/console/files/importing.tsx";
import { type Body, RecordForm } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useOneVillage } from "../../../platform/console/screens/page.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { partyPath, PayerSelect } from "../payer/payer.panel.tsx";
import * as calls from "./sub-account.contract.ts";

const FIELDS: readonly Field<Body<typeof calls.addSubAccount>>[] = [
  {
    key: "merchantAccountId",
    help: "对账方式为认领的银行账户",
    input: (p) => <RecordSelect {...p} source={calls.CLAIMED} placeholder="请选择对公账户" />,
  },
  { key: "number", placeholder: "银行分配的子账号，6-30位数字" },
  { key: "villageId", input: (p) => <VillageSelect {...p} /> },
  { key: "partyId", input: (p, v) => <PayerSelect {...p} villageId={v.villageId} standing /> },
  { key: "name", placeholder: "付款人转账时填写的户名" },
  { key: "remark", wide: true },
];

function SubAccountForm({ of, onClose }: { of?: calls.SubAccountRow; onClose: () => void }) {
  return (
    <RecordForm
      add={calls.addSubAccount}
      edit={calls.editSubAccount}
      one="虚拟子账户"
      record={of}
      initial={useOneVillage()}
      fields={FIELDS}
      onClose={onClose}
    />
  );
}

const actionsOf = (s: calls.SubAccountRow): Actions => [
  switchAction({ enable: calls.enableSubAccount, disable: calls.disableSubAccount }, s, {
    ask: { title: `停用 ${s.number}`, body: "停用后转入它的款项不再提示是谁的，已认领的不受影响。" },
  }),
  deleteAction(calls.deleteSubAccount, s, { title: "删除虚拟子账户", body: `确定删除 ${s.number} 吗？` }),
];

/** 虚拟子账户: numbers of the bank that are each given to one customer, so that a transfer says by itself whose it is. */
export const SubAccounts = () => (
  <ListPage
    call={calls.listSubAccounts}
    unit="个"
    filters={["villageIds", "merchantAccountId", "state", "keyword"]}
    columns={[
      { key: "number", width: 200 },
      "name",
      { key: "partyName", to: (s) => partyPath(s.partyKind, s.partyId) },
      "villageName",
      "accountName",
      "remark",
      "state",
      { key: "updatedName", hidden: true },
      { key: "updatedAt", hidden: true },
    ]}
    card={{ title: "partyName", right: "state", lines: [["number"], ["villageName", "accountName"]] }}
    adds={{ does: calls.addSubAccount, form: (close) => <SubAccountForm onClose={close} /> }}
    imports={{
      does: calls.subAccountImport.check,
      form: (close) => (
        <ImportDialog
          title="导入虚拟子账户"
          calls={calls.subAccountImport}
          hint="按模板填写 .xlsx，每个子账号一行；有错误时不导入任何一行"
          onClose={close}
        />
      ),
    }}
    rowActions={actionsOf}
    drawer={(id) => (
      <Detail
        call={calls.getSubAccount}
        sent={{ params: { id } }}
        title={(s) => s.number}
        tags={(s) => <WordTag words={SWITCHED} code={s.state} />}
        facts={[
          "name",
          "partyName",
          "villageName",
          "accountName",
          "updatedName",
          "updatedAt",
          { key: "remark", wide: true },
        ]}
        edits={{
          does: calls.editSubAccount,
          form: (s, close) => <SubAccountForm of={s} onClose={close} />,
        }}
        actions={actionsOf}
        log="subAccount"
      />
    )}
    exportCall={calls.exportSubAccounts}
    emptyText="银行为客户分配的子账号登记在这里，转入的款项会提示是谁的"
  />
);
