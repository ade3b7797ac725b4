import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { ActionButtons } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import * as calls from "../lessor/lessor.contract.ts";
import { AUTH_STATES, authMoves } from "../lessor/lessor.rules.ts";
import { KINDS } from "../terms/kind.rules.ts";
import { AuthoriseForm } from "./authorise.form.tsx";
import type { Lessor } from "./lessor.form.tsx";

const listed = (rows: readonly { name: string }[], all: string) =>
  rows.length ? rows.map((row) => row.name).join("、") : all;

/** 授权: how it stands, and the letter that the legal person signs. */
export function Authorisation({ lessor }: { lessor: Lessor }) {
  const act = useAct();
  const [opened, setOpened] = useState(false);
  /** Answered once: for whoever passes it on by another way than the text message. */
  const [link, setLink] = useState<string>();
  const params = { id: lessor.id };
  const { data, error, refetch } = useQuery({
    ...ask(calls.authoriseLessor, { params, query: {} }),
    queryKey: [calls.authoriseLessor.path, lessor.id, lessor.version],
  });
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const { request } = data;
  const why = authMoves.refusal("start", { status: data.state, verifyState: lessor.verifyState });
  return (
    <section className="card stack gap-6" style={{ padding: "var(--space-8)" }}>
      <h2 className="row fs-13">
        授权 <WordTag words={AUTH_STATES} code={data.state} />
      </h2>
      {data.state === "none" && <p className="sub">法人签署授权书后，印章的可用人员才能以该企业名义盖章</p>}
      {data.from && data.to && (
        <dl className="facts" style={{ "--cols": 1 } as React.CSSProperties}>
          <dt>有效期</dt>
          <dd>
            {data.from} 至 {data.to}
            {lessor.ending && <span className="tag s-orange">30 天内到期</span>}
          </dd>
          <dt>授权合同</dt>
          <dd>{lessor.authKinds.map((kind) => KINDS[kind].title).join("、")}</dd>
          <dt>适用门店</dt>
          <dd>{listed(lessor.authVillages, "全部门店")}</dd>
          <dt>可用印章</dt>
          <dd>{listed(lessor.authSeals, "全部合同用章")}</dd>
        </dl>
      )}
      {data.state === "revoked" && data.note && (
        <p className="bad">
          {data.revokedAt && `${timeInZone(data.revokedAt).slice(0, 16)} `}撤销原因：{data.note}
        </p>
      )}
      {request && (
        <p className="sub">
          授权书已发送到法人手机 {request.phone}，等待签署；链接{" "}
          {timeInZone(request.linkExpiresAt).slice(0, 16)} 前有效
        </p>
      )}
      {link && request && (
        <p className="row wrap">
          <span className="cut sub">{link}</span>
          <Button run={() => copy(link)}>复制链接</Button>
        </p>
      )}
      <div className="acts">
        <ActionButtons
          say
          actions={[
            !request && {
              label: data.state === "authorised" ? "重新授权" : "发起授权",
              main: data.state !== "authorised",
              need: "95.edit",
              why,
              run: () => setOpened(true),
            },
            request && {
              label: "重新发送链接",
              main: true,
              does: calls.resendLetter,
              run: async () => {
                const sent = await act(
                  calls.resendLetter,
                  { params },
                  { done: "链接已重新发送，之前的链接作废" },
                );
                setLink(sent?.link);
              },
            },
            request && {
              label: "取消授权申请",
              does: calls.cancelAuthorisation,
              run: () =>
                act(
                  calls.cancelAuthorisation,
                  { params },
                  {
                    done: "已取消",
                    ask: { title: "取消授权申请", body: "已发送的链接将作废，确定取消吗？" },
                  },
                ),
            },
            data.fileId !== null && {
              label: "下载授权书",
              need: "95.get",
              run: () => openFile(`/system/api/v3/file/${data.fileId}`),
            },
            data.state === "authorised" && {
              label: "撤销授权",
              does: calls.revokeAuthorisation,
              danger: true,
              run: () =>
                act(
                  calls.revokeAuthorisation,
                  { params, body: { version: data.version } },
                  {
                    done: "授权已撤销",
                    reason: { title: "撤销授权", text: "撤销后立即不能盖章，已签合同不受影响" },
                  },
                ),
            },
          ]}
        />
      </div>
      {opened && (
        <AuthoriseForm
          lessor={lessor}
          today={today()}
          onStarted={(started) => {
            setOpened(false);
            setLink(started);
          }}
          onClose={() => setOpened(false)}
        />
      )}
    </section>
  );
}
