import type { Reply } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { doing, type Actions } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { enableApplication, listApplications, refuseApplication } from "./application.contract.ts";
import { whyDecided } from "./application.rules.ts";

type Application = Reply<typeof listApplications>["list"][number];

/** 注册申请: new customers who wait for the platform. */
export function Applications() {
  const act = useAct();
  const actsOf = (a: Application): Actions => {
    const params = { id: a.id };
    return [
      {
        label: "启用",
        why: whyDecided(a.state, "启用"),
        ...doing(enableApplication, { params, body: { version: a.version } }, `已开通 ${a.companyName}`, {
          title: "开通注册申请",
          body: `开通后 ${a.realName}（${a.account}）即可登录，管理“${a.companyName}”。`,
        }),
      },
      {
        label: "拒绝",
        does: refuseApplication,
        danger: true,
        why: whyDecided(a.state, "拒绝"),
        run: () =>
          act(
            refuseApplication,
            { params, body: { version: a.version } },
            {
              done: "已拒绝",
              reason: { title: "拒绝注册申请", text: "申请人凭手机验证码可看到原因；账号和手机随之释放。" },
            },
          ),
      },
    ];
  };
  return (
    <ListPage
      call={listApplications}
      unit="份"
      filters={["state", "keyword"]}
      sort={{ sort: "createdAt", order: "desc" }}
      columns={[
        { key: "number", width: 170 },
        "companyName",
        "realName",
        "account",
        "phone",
        "createdAt",
        { key: "agreed", show: (a) => a.agreed || "—" },
        "state",
        { key: "reason", show: (a) => a.reason || "—" },
        { key: "decidedBy", show: (a) => a.decidedBy || "—" },
        { key: "decidedAt", hidden: true },
      ]}
      card={{
        title: "companyName",
        right: "state",
        lines: [["realName", "phone"], ["number", "createdAt"], ["account"]],
      }}
      rowActions={actsOf}
      emptyText="新客户在注册页提交的企业申请在这里审核"
    />
  );
}
