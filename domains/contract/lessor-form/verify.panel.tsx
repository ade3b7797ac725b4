import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { freshKey, useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import * as calls from "../lessor/lessor.contract.ts";
import { VERIFY_STATES, VERIFY_WAYS, verifyMoves, type VerifyWay } from "../lessor/lessor.rules.ts";
import type { Lessor } from "./lessor.form.tsx";
import { sendTransfer, TransferForm } from "./transfer.panel.tsx";

/** Seconds until something may be sent again, counted down. */
export function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => setLeft(from), [from]);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft((n) => n - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}

const STARTED: Record<VerifyWay, string> = {
  sms: "验证码已发送到法人手机",
  transfer: "已提交，等待平台打款",
  manual: "已提交人工审核",
};

const timeOf = (moment: string) => timeInZone(moment).slice(0, 16);

/** 认证: how it stands, and the ways to be verified. */
export function Verification({ lessor }: { lessor: Lessor }) {
  const act = useAct();
  const refresh = useRefresh();
  const [deciding, setDeciding] = useState(false);
  const params = { id: lessor.id };
  const { data, error, refetch } = useQuery({
    ...ask(calls.verifyLessor, { params, query: {} }),
    // the version belongs to the key, so that it is read anew when the record has moved
    queryKey: [calls.verifyLessor.path, lessor.id, lessor.version],
  });
  const wait = useCountdown(data?.request?.waitSeconds ?? 0);
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const start = (way: VerifyWay) => async () => {
    try {
      const query = { start: "1" as const, way };
      await send(calls.verifyLessor, { params, query }, { idempotencyKey: freshKey() });
      toast(STARTED[way]);
    } catch (wrong) {
      showFailure(wrong);
    }
    await refresh();
  };
  const mayStart = verifyMoves.refusal("start", { status: data.state });
  return (
    <section className="card stack gap-6" style={{ padding: "var(--space-8)" }}>
      <h2 className="row fs-13">
        认证 <WordTag words={VERIFY_STATES} code={data.state} />
      </h2>
      {data.note && (
        <p className={data.state === "failed" ? "bad" : "sub"}>
          {data.state === "failed" && data.endedAt && `${timeOf(data.endedAt)} `}
          {data.note}
        </p>
      )}
      {data.state === "verifying" && data.way && data.startedAt && (
        <p className="sub">
          {timeOf(data.startedAt)} 发起{VERIFY_WAYS[data.way][0]}
        </p>
      )}
      {data.verifiedAt && data.state === "verified" && (
        <p className="sub">{timeOf(data.verifiedAt)} 通过认证</p>
      )}
      {data.state === "draft" && <p className="sub">核对资料与证照后，选择一种方式认证</p>}
      {data.state === "verifying" && data.way === "sms" && data.request && (
        <CodeForm lessor={lessor} phone={data.request.phone} wait={wait} />
      )}
      {data.state === "verifying" && data.way === "transfer" && data.request && (
        <TransferForm {...data.request} id={lessor.id} />
      )}
      {data.state === "verifying" && data.way === "manual" && (
        <p className="sub">等待平台管理员核对证照与资料</p>
      )}
      <div className="acts">
        <ActionButtons
          say
          actions={[
            !mayStart && {
              label: data.state === "failed" ? "重新提交：法人短信核验" : VERIFY_WAYS.sms[0],
              main: true,
              need: "95.edit",
              run: start("sms"),
            },
            !mayStart &&
              data.transfers && {
                label: VERIFY_WAYS.transfer[0],
                need: "95.edit",
                why: lessor.bankNo ? undefined : "请先填写对公账户的开户行和账号",
                run: start("transfer"),
              },
            !mayStart && { label: VERIFY_WAYS.manual[0], need: "95.edit", run: start("manual") },
            data.state === "verifying" &&
              data.way === "transfer" &&
              !data.request?.sentAt && {
                label: "打款",
                main: true,
                does: calls.seeTransfer,
                run: () => sendTransfer(act, lessor.id),
              },
            data.state === "verifying" &&
              data.way === "manual" && {
                label: "审核",
                main: true,
                does: calls.decideVerify,
                run: () => setDeciding(true),
              },
            data.state === "verifying" && {
              label: "撤回认证",
              does: calls.cancelVerify,
              run: () =>
                act(
                  calls.cancelVerify,
                  { params },
                  {
                    done: "已撤回",
                    ask: { title: "撤回认证", body: "撤回后可修改资料并重新提交，确定撤回吗？" },
                  },
                ),
            },
          ]}
        />
      </div>
      {deciding && (
        <FormDialog
          call={calls.decideVerify}
          title={`审核认证　${lessor.name}`}
          ok="提交审核"
          done="审核已提交"
          params={params}
          initial={{ pass: true, version: data.version } as never}
          fields={[
            {
              key: "pass",
              title: "结果",
              input: (p) => (
                <Segments
                  label="结果"
                  id={p.id}
                  on={p.value === false ? "fail" : "pass"}
                  items={[
                    ["pass", "通过认证"],
                    ["fail", "驳回认证"],
                  ]}
                  onChange={(to) => p.onChange(to === "pass")}
                />
              ),
            },
            { key: "reason", help: "驳回时必填" },
          ]}
          onClose={() => setDeciding(false)}
        />
      )}
    </section>
  );
}

type CodeFormProps = { lessor: Lessor; phone: string; wait: number };

/** The code that the legal person was sent. */
function CodeForm({ lessor, phone, wait }: CodeFormProps) {
  const act = useAct();
  const [captcha, setCaptcha] = useState("");
  const params = { id: lessor.id };
  if (!may("95.edit")) return <p className="sub">验证码已发送到 {phone}</p>;
  const confirm = () => act(calls.confirmVerify, { params, body: { captcha } }, { done: "认证通过" });
  return (
    <form
      className="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <label htmlFor="lessor-code">{phone} 收到的验证码</label>
      <span style={{ width: 140 }}>
        <TextInput
          id="lessor-code"
          value={captcha}
          onChange={(v) => setCaptcha(v ?? "")}
          placeholder="6 位数字"
        />
      </span>
      <Button look="main" why={captcha ? undefined : "请输入短信验证码"} run={confirm}>
        提交验证码
      </Button>
      <Button
        why={wait > 0 ? `${wait} 秒后可重新发送` : undefined}
        run={() => act(calls.sendVerifyCode, { params }, { done: "验证码已发送" })}
      >
        {wait > 0 ? `重新发送（${wait}）` : "重新发送"}
      </Button>
    </form>
  );
}
