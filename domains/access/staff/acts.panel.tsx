import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { doing, type Actions } from "../../../platform/console/parts/actions.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { copy, toast } from "../../../platform/console/parts/toast.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { enterView } from "../../../platform/console/session/session.ts";
import {
  disableOperator,
  editOperator,
  enableOperator,
  getOperator,
  resetPassword,
  resetSecondFactor,
  unlockOperator,
  updateVerify,
  viewAs,
} from "../operator/operator.contract.ts";
import { BatchForm, type BatchOpened } from "./batch.form.tsx";
import { ExplainPanel } from "./explain.panel.tsx";
import { OperatorForm } from "./operator.form.tsx";

export type Person = {
  id: number;
  realName: string;
  account: string;
  state: "active" | "locked" | "disabled";
  superType: string;
  verified: boolean;
  secondFactor: boolean;
  version: number;
  locked?: string | null;
};

type Opened =
  | { edit: Awaited<ReturnType<typeof known>> }
  | { explain: Person }
  | { batch: BatchOpened }
  | { password: { account: string; password: string; realName: string } };

const known = (id: number) => send(getOperator, { params: { id } });

/** Everything that can be done with a person, and the layer that is open for it. */
export function usePersonActs(): {
  of: (p: Person) => Actions;
  open: (o: BatchOpened) => void;
  layer: ReactNode;
} {
  const act = useAct();
  const me = useOperator();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);

  const of = (p: Person): Actions => {
    const params = { id: p.id };
    const body = { version: p.version };
    const why = p.locked ?? undefined;
    const own = p.id === me?.operatorId;
    return [
      { label: "编辑", does: editOperator, why, run: async () => setOpened({ edit: await known(p.id) }) },
      { label: "权限说明", does: viewAs, run: () => setOpened({ explain: p }) },
      p.state === "disabled" && {
        label: "启用",
        why,
        ...doing(enableOperator, { params, body }, `已启用 ${p.realName}`),
      },
      p.state === "locked" && {
        label: "解锁",
        why,
        ...doing(unlockOperator, { params }, `已解锁 ${p.realName}`),
      },
      p.state !== "disabled" && {
        label: "停用",
        danger: true,
        why: own ? "不能停用自己" : why,
        ...doing(disableOperator, { params, body }, `已停用 ${p.realName}`, {
          title: "停用员工",
          body: `停用后 ${p.realName} 立即下线，不能再登录。确定停用吗？`,
        }),
      },
      {
        label: "重置密码",
        does: resetPassword,
        why: own ? "不能重置自己的密码，请在右上角修改密码" : why,
        run: async () => {
          const fresh = await act(
            resetPassword,
            { params, body },
            {
              ask: {
                title: "重置密码",
                body: `${p.realName} 的会话将全部下线，凭一次性密码登录后须改密码。确定重置吗？`,
              },
            },
          );
          if (fresh) setOpened({ password: { ...fresh, realName: p.realName } });
        },
      },
      p.secondFactor && {
        label: "重置两步验证",
        why: own ? "不能重置自己的两步验证，请在右上角关闭" : why,
        ...doing(resetSecondFactor, { params, body }, `已重置 ${p.realName} 的两步验证`, {
          title: "重置两步验证",
          body: `请先核实是 ${p.realName} 本人丢失了手机和恢复码。重置后其会话全部下线，只凭密码即可登录。确定重置吗？`,
        }),
      },
      {
        label: "复制权限",
        need: "46.edit",
        why: p.superType ? "管理员的权限不来自角色，不能复制" : undefined,
        run: () => setOpened({ batch: { kind: "copy", from: p, people: [] } }),
      },
      {
        label: p.verified ? "取消实名核验" : "实名核验",
        why,
        ...doing(
          updateVerify,
          { body: { id: p.id, verified: !p.verified, version: p.version } },
          p.verified ? "已取消实名核验" : "已标记为实名核验",
          p.verified
            ? { title: "取消实名核验", body: `取消后 ${p.realName} 不能作为签约人。确定取消吗？` }
            : { title: "实名核验", body: `请确认已核对 ${p.realName} 的身份证件。核验后可作为签约人。` },
        ),
      },
      me?.superType !== "" && {
        label: "以其身份查看",
        does: viewAs,
        why: own ? "不能以自己的身份查看" : p.state === "disabled" ? "账号未启用" : why,
        run: async () => {
          const view = await act(
            viewAs,
            { params },
            {
              ask: {
                title: "以其身份查看",
                body: `将以 ${p.realName} 的菜单和数据范围浏览 30 分钟，期间不能修改数据。`,
                ok: "开始查看",
              },
            },
          );
          if (!view) return;
          enterView(view);
          toast(`正在以 ${p.realName} 的身份查看`);
          location.assign("/sams/workbench/WorkbenchPage");
        },
      },
    ];
  };

  const layer = opened && (
    <>
      {"edit" in opened && (
        <Current call={getOperator} read={opened.edit}>
          {(operator) => <OperatorForm operator={operator} onClose={close} />}
        </Current>
      )}
      {"explain" in opened && <ExplainPanel person={opened.explain} onClose={close} />}
      {"batch" in opened && <BatchForm opened={opened.batch} onClose={close} />}
      {"password" in opened && <FreshPassword of={opened.password} onClose={close} />}
    </>
  );
  return { of, open: (batch) => setOpened({ batch }), layer };
}

type FreshPasswordProps = {
  of: { account: string; password: string; realName: string };
  onClose: () => void;
};

/** The one-time password: told here and nowhere again. */
export const FreshPassword = ({ of, onClose }: FreshPasswordProps) => (
  <Dialog
    title={`${of.realName} 的一次性密码`}
    width={420}
    onClose={onClose}
    footer={
      <Foot
        cancel={onClose}
        word="关闭"
        ok="复制账号和密码"
        run={() => copy(`账号 ${of.account}，一次性密码 ${of.password}`)}
      />
    }
  >
    <dl className="fresh">
      <dt>账号</dt>
      <dd>{of.account}</dd>
      <dt>密码</dt>
      <dd className="fresh__word" aria-label="一次性密码">
        {of.password}
      </dd>
    </dl>
    <p className="sub">只在这里显示一次，关闭后无法再查看。员工用它登录后须设置自己的密码。</p>
  </Dialog>
);
