import { deleteAction, switchAction } from "../../../platform/console/calls/record-acts.ts";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { pathTo, useGo } from "../../../platform/console/screens/page.ts";
import * as calls from "../lessor/lessor.contract.ts";

const AUTH = "/system/EnterpriseAuth";
const FORM = "/system/CreateEnterprise";

/** 企业认证: the legal entities that let rooms and sign. */
export default function Lessors() {
  const go = useGo();
  return (
    <ListPage
      call={calls.listLessors}
      unit="家"
      filters={["keyword", "verifyState", "authState", "ending"]}
      columns={[
        { key: "name", width: 220, to: (l) => pathTo(AUTH, { id: l.id }) },
        "creditCode",
        "legalName",
        "verifyState",
        "authState",
        {
          key: "authTo",
          show: (l) =>
            l.authTo === null ? "—" : <span className={l.ending ? "tag s-orange" : ""}>{l.authTo}</span>,
        },
        "villages",
        "seals",
        "state",
        "updatedAt",
      ]}
      card={{
        title: "name",
        right: "verifyState",
        lines: [
          ["creditCode", "authState"],
          ["legalName", "authTo"],
        ],
      }}
      toolbar={[
        { label: "新建企业", icon: "plus", main: true, does: calls.addLessor, run: () => go(FORM, {}) },
      ]}
      rowActions={(l) => [
        { label: "认证", does: calls.verifyLessor, need: "95.edit", run: () => go(AUTH, { id: l.id }) },
        {
          label: "编辑",
          does: calls.editLessor,
          why: l.verifyState === "verifying" ? "企业认证中，暂不能修改；可先撤回认证" : undefined,
          run: () => go(FORM, { id: l.id }),
        },
        switchAction({ enable: calls.enableLessor, disable: calls.disableLessor }, l, {
          ask: {
            title: "停用企业",
            body: `停用后 ${l.name} 的印章不能再盖章，已签合同不受影响，确定停用吗？`,
          },
        }),
        deleteAction(calls.deleteLessor, l, {
          title: "删除企业",
          body: `${l.name} 及其印章将被删除，确定删除吗？`,
        }),
      ]}
      exportCall={calls.exportLessors}
      emptyText="登记出租房屋并签署合同的企业，完成认证和授权后即可在电子合同上盖章"
    />
  );
}
