import { QRCodeSVG } from "@rc-component/qrcode";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { askReason } from "../../../platform/console/form/reason.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { usePage } from "../../../platform/console/screens/page.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Permit, Reply } from "../../../platform/kernel/call.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { DOC_KINDS } from "../archive/archive.rules.ts";
import {
  actSignings,
  cancelActSigning,
  contractSignings,
  resendActSigning,
  type startSigning,
} from "./esign.contract.ts";
import { ROLES } from "../config/sign.rules.ts";
import { FLOW_STATES, isLive, SIGNER_STATES } from "./esign.rules.ts";

type Signing = Reply<typeof contractSignings>[number];
/** Who waits at the desk sees a signature this soon. */
const EVERY_MS = 2_500;

type Of = { contractId: number } | { actId: number };
const asked = (of: Of) =>
  "actId" in of
    ? ask(actSignings, { params: { id: of.actId } })
    : ask(contractSignings, { params: { id: of.contractId } });

/** The signings of a contract or an act; asked anew while one is under way, and the whole page with it when something has happened. */
function useSignings(of: Of) {
  const { active } = usePage();
  const refresh = useRefresh();
  const query = useQuery({
    ...asked(of),
    enabled: active,
    refetchInterval: ({ state }) => (state.data?.some((s) => isLive(s.state)) ? EVERY_MS : false),
  });
  const now = query.data?.map((s) => `${s.id}${s.state}${s.signers.map((p) => p.state).join()}`).join(" ");
  const before = useRef(now);
  const tell = useEffectEvent(() => void refresh());
  useEffect(() => {
    if (now === undefined) return;
    if (before.current !== undefined && before.current !== now) tell();
    before.current = now;
  }, [now]);
  return query;
}

const at = (moment: string | null) => (moment ? timeInZone(moment).slice(0, 16) : "—");

/** How far the signing is, in one line that keeps itself current. */
export function SigningBar(of: Of) {
  const { data } = useSignings(of);
  const now = data?.[0];
  if (!now) return null;
  return (
    <div className="said row wrap gap-4" role="status">
      <span>电子签署</span>
      <WordTag words={FLOW_STATES} code={now.state} />
      {now.signers.map((s) => (
        <span key={s.id} className="sub">
          {ROLES[s.role][0]}{" "}
          {now.waitsForSeal && s.role === "enterprise" ? "待盖章" : SIGNER_STATES[s.state][0]}
        </span>
      ))}
      {now.provider !== "embedded" && <WordTag words={PROVIDERS} code={now.provider} />}
      {isLive(now.state) && <span className="dim">链接有效至 {at(now.deadline)}</span>}
      {isLive(now.state) && now.problem && <span className="sub">{now.problem}</span>}
      {now.failReason && <span className="dim">{now.failReason}</span>}
    </div>
  );
}

/** Every signing of a contract or an act with what proves it. */
export function Signings(of: Of) {
  const { data, error, refetch } = useSignings(of);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={2} />;
  if (!data.length) return null;
  return (
    <>
      <h3>电子签署</h3>
      {data.map((signing) => (
        <OneSigning key={signing.id} signing={signing} />
      ))}
    </>
  );
}

function OneSigning({ signing }: { signing: Signing }) {
  return (
    <section className="stack gap-4" aria-label={`签署 ${signing.flowNo}`}>
      <div className="row wrap gap-6">
        <b>{signing.flowNo}</b>
        <span>{DOC_KINDS[signing.docKind][0]}</span>
        <WordTag words={FLOW_STATES} code={signing.state} />
        {signing.provider !== "embedded" && <WordTag words={PROVIDERS} code={signing.provider} />}
        <span className="dim">
          {at(signing.startedAt)} {signing.startedBy}
        </span>
        {signing.failReason && <span className="sub">{signing.failReason}</span>}
      </div>
      <Hash title="待签文件" value={signing.documentHash} />
      {signing.signedHash && <Hash title="签署文件" value={signing.signedHash} />}
      <div className="box">
        <table className="tbl">
          <thead>
            <tr>
              {["身份", "签署人", "手机号", "状态", "打开", "签署", "IP 地址", "设备", "短信编号"].map(
                (title) => (
                  <th key={title}>{title}</th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {signing.signers.map((s) => (
              <tr key={s.id}>
                <td>{ROLES[s.role][0]}</td>
                <td>{s.name}</td>
                <td>{s.phone || "—"}</td>
                <td>
                  <WordTag words={SIGNER_STATES} code={s.state} />
                  {s.refuseReason && <span className="sub"> {s.refuseReason}</span>}
                </td>
                <td>{at(s.evidence.openedAt)}</td>
                <td>{at(s.evidence.signedAt)}</td>
                <td>{s.evidence.ip || "—"}</td>
                <td title={s.evidence.device}>{s.evidence.device.slice(0, 24) || "—"}</td>
                <td>{s.evidence.smsNo || "—"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const Hash = ({ title, value }: { title: string; value: string }) => (
  <p className="fs-12 dim cut" title={value}>
    {title} SHA-256 {value}
  </p>
);

export type Links = Pick<Reply<typeof startSigning>, "links" | "deadline" | "flowNo" | "state">;

/** What was sent: at the desk the party scans it. It is shown here once and kept nowhere. */
export function LinkDialog({ sent, onClose }: { sent: Links; onClose: () => void }) {
  const [link] = sent.links;
  const url = link && `${location.origin}${link.path}`;
  return (
    <Dialog title={`电子签署 ${sent.flowNo}`} onClose={onClose}>
      {url ? (
        <div className="stack gap-6">
          <p>
            签署链接已发送至 {link.name} {link.phone}，有效至 {at(sent.deadline)}。也可以当面扫码打开。
          </p>
          <div className="row gap-8 wrap">
            <QRCodeSVG value={url} size={168} marginSize={2} />
            <Button icon="copy" run={() => copy(url)}>
              复制链接
            </Button>
          </div>
          <p className="dim fs-13">打开链接还需要证件号后四位和手机验证码。</p>
        </div>
      ) : (
        <p>
          {sent.state === "created"
            ? "出租方盖章后自动向客户发送签署链接。"
            : "已提交e签宝，受理后自动向客户发送签署链接，进度见电子签署记录。"}
        </p>
      )}
    </Dialog>
  );
}

type Acted = { id: number; actNo: string };

/** What is done about an act's document that is being signed: its link is sent again or taken back; and what was sent is shown. */
export function useActSigning(): {
  of: (r: Acted, need: Permit) => Action[];
  show: (sent: Links) => void;
  layer: ReactNode;
} {
  const act = useAct();
  const [sent, setSent] = useState<Links>();
  const of = ({ id, actNo }: Acted, need: Permit): Action[] => [
    {
      label: "重新发送",
      need,
      run: async () =>
        setSent(
          await act(
            resendActSigning,
            { params: { id } },
            {
              done: "签署链接已重新发送",
              ask: {
                title: "重新发送签署链接",
                body: "请客户使用新链接签署，确定重新发送吗？",
                ok: "重新发送",
              },
            },
          ),
        ),
    },
    {
      label: "撤销签署",
      need,
      run: () =>
        askReason(
          { title: `撤销签署 ${actNo}`, text: "已发送的链接立即失效，仍待签署。", ok: "撤销签署" },
          (reason) => act(cancelActSigning, { params: { id }, body: { reason } }, { done: "已撤销签署" }),
        ),
    },
  ];
  return { of, show: setSent, layer: sent && <LinkDialog sent={sent} onClose={() => setSent(undefined)} /> };
}

/** How the document of an act is signed, before it is sent. */
export const ACT_SIGNING_NOTE =
  "签署链接用短信发送，由门店设置的签署服务签署；也可以打印后线下签署，再登记签署件。";
