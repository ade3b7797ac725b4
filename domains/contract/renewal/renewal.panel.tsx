import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Action } from "../../../platform/console/parts/actions.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { SentLink } from "../../../platform/console/parts/sent-link.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { renewals } from "../successor/successor.contract.ts";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import { FollowForm, OfferForm, type OfferSent } from "./offer.form.tsx";
import { RenewalPreview, type Step, StepDrawer, type Stepped } from "./preview.panel.tsx";
import { RenewForm, riseText } from "./renew.form.tsx";
import {
  type RenewalRow,
  declineRenewal,
  followRenewal,
  getRenewal,
  sendOffer,
  withdrawOffer,
} from "./renewal.contract.ts";
import {
  declineText,
  followRefusal,
  INTENTS,
  type Intent,
  RENEWAL_STATES,
  renewRefusal,
} from "./renewal.rules.ts";

type Shown = Reply<typeof getRenewal>;
type Open =
  | { what: "renew"; id: number }
  | { what: "offer"; of: RenewalRow }
  | { what: "follow"; of: RenewalRow; intent?: Exclude<Intent, "none"> };

export const contractPath = (r: Pick<RenewalRow, "kind" | "id">) => reach(KINDS[r.kind].path, { id: r.id });
const todayOf = (r: Pick<RenewalRow, "endDate" | "daysLeft">) => addDays(r.endDate, -r.daysLeft);

export type RenewalActs = ReturnType<typeof useRenewalActs>;

/** What can be done with a lease that ends, its next step first, and the layer that an act has opened. */
export function useRenewalActs(): {
  of: (r: RenewalRow) => Action[];
  renew: (id: number) => void;
  follow: (of: RenewalRow, intent: Exclude<Intent, "none">) => void;
  layer: ReactNode;
} {
  const act = useAct();
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const [step, setStep] = useState<{ of: Stepped; step: Step; today: string }>();
  const [sent, setSent] = useState<OfferSent>();
  const close = () => setOpen(undefined);
  const [today, setToday] = useState("");

  const begun = (r: RenewalRow, why: string | undefined): Action => ({
    label: "续租",
    does: renewals.ask,
    why,
    run: () => {
      setToday(todayOf(r));
      setOpen({ what: "renew", id: r.id });
    },
  });
  const begins = (r: RenewalRow): Action[] => {
    const why = renewRefusal({ ...r, end: r.endDate }, todayOf(r));
    return [
      begun(r, why),
      {
        label: "跟进",
        does: followRenewal,
        why: followRefusal(r),
        run: () => setOpen({ what: "follow", of: r }),
      },
      { label: "发送续租方案", does: sendOffer, why, run: () => setOpen({ what: "offer", of: r }) },
      ...(r.offerId && (r.offerState === "sent" || r.offerState === "opened")
        ? [
            {
              label: "撤回方案",
              does: withdrawOffer,
              run: () =>
                act(
                  withdrawOffer,
                  { params: { id: r.offerId! } },
                  {
                    done: "续租方案已撤回",
                    reason: { title: `撤回续租方案 ${r.contractNo}`, text: "链接立即失效。", ok: "撤回" },
                  },
                ),
            },
          ]
        : []),
      ...(r.state === "leaving" ? [] : [declines(r)]),
    ];
  };
  /** The tenant asked to stay: a renewal or an offer answers him. */
  const asked = (r: RenewalRow): Action[] => {
    const why = renewRefusal({ ...r, end: r.endDate, openActNo: null }, todayOf(r));
    return [
      { ...begun(r, why), label: "受理" },
      { label: "发送续租方案", does: sendOffer, why, run: () => setOpen({ what: "offer", of: r }) },
      {
        label: "驳回",
        does: renewals.reject,
        danger: true,
        run: () =>
          act(
            renewals.reject,
            { params: { id: r.actId! }, body: { version: r.actVersion! } },
            {
              done: "已驳回",
              reason: { title: `驳回 ${r.actNo}`, text: "驳回的原因会以短信告知租客。", ok: "驳回" },
            },
          ),
      },
    ];
  };
  const declines = (r: RenewalRow): Action => ({
    label: "不续租",
    does: declineRenewal,
    why: followRefusal(r),
    danger: true,
    run: () =>
      act(
        declineRenewal,
        { params: { id: r.id } },
        {
          done: "已登记不续租",
          reason: {
            title: `不续租 ${r.contractNo}`,
            text: `${r.partyName} ${r.roomNames}：${declineText(r)}`,
            ok: "登记",
          },
        },
      ),
  });
  const steps = (r: RenewalRow): Action[] => {
    const of = { actId: r.actId!, actNo: r.actNo, actVersion: r.actVersion!, kind: r.kind };
    const take = (label: string, what: Step, does: Action["does"]): Action => ({
      label,
      ...(does && { does }),
      run: () => setStep({ of, step: what, today: todayOf(r) }),
    });
    const look = take("试算", "look", renewals.preview);
    const cancel: Action = {
      label: "取消续租",
      does: renewals.cancel,
      danger: true,
      run: () =>
        act(
          renewals.cancel,
          { params: { id: r.actId! }, body: { version: r.actVersion! } },
          {
            done: "已取消续租",
            reason: { title: `取消续租 ${r.actNo}`, text: "新合同作废，原合同照旧。", ok: "取消续租" },
          },
        ),
    };
    const path = KINDS[r.kind].path;
    if (r.state === "handling")
      return [
        take("提交", "submit", renewals.submit),
        look,
        {
          label: "打开合同表单",
          need: [permitOf(r.kind, "edit"), permitOf(r.kind, "add")],
          run: () => go(path, { draft: r.newId! }),
        },
        cancel,
      ];
    const opens: Action = {
      label: "查看新合同",
      need: permitOf(r.kind, "get"),
      run: () => go(path, { id: r.newId! }),
    };
    if (r.state === "approving") return [look, opens];
    if (r.state === "signing") return [take("确认续租", "confirm", renewals.confirm), look, opens, cancel];
    return [opens];
  };
  const of = (r: RenewalRow): Action[] =>
    r.state === "early" || r.state === "due" || r.state === "leaving"
      ? begins(r)
      : r.state === "requested"
        ? asked(r)
        : r.actId && r.newId && r.actVersion
          ? steps(r)
          : [];
  return {
    of,
    renew: (id) => setOpen({ what: "renew", id }),
    follow: (row, intent) => setOpen({ what: "follow", of: row, intent }),
    layer: (
      <>
        {open?.what === "renew" && (
          <RenewForm
            contractId={open.id}
            onDone={(made) => setStep({ of: made, step: "submit", today })}
            onClose={close}
          />
        )}
        {open?.what === "offer" && <OfferForm of={open.of} onSent={setSent} onClose={close} />}
        {open?.what === "follow" && <FollowForm of={open.of} intent={open.intent} onClose={close} />}
        {step && <StepDrawer {...step} onClose={() => setStep(undefined)} />}
        {sent && <SentLink title="续租方案链接" sent={sent} onClose={() => setSent(undefined)} />}
      </>
    ),
  };
}

const offers = getRenewal.reply!.shape.offers;
const roomsShape = getRenewal.reply!.shape.rooms;

/** The choices of an offer in a line: 12 个月 3,675.00、24 个月 3,500.00. */
const choicesText = (o: Shown["offers"][number]): string =>
  o.choices.map((c, i) => `${i === o.choice ? "已选 " : ""}${c.months} 个月 ${yuan(c.rent)}`).join("、");

/** One lease that ends: what it costs, what was heard, what was offered, what the renewal comes to. */
export function RenewalDrawer({ id, acts }: { id: number; acts: RenewalActs }) {
  return (
    <Detail
      call={getRenewal}
      sent={{ params: { id } }}
      width={1080}
      title={(r) => `续租 ${r.contractNo}`}
      tags={(r) => (
        <>
          <WordTag words={RENEWAL_STATES} code={r.state} />
          <WordTag words={INTENTS} code={r.intent} dot={false} />
        </>
      )}
      strip={(r) => [
        { title: "现月租", fen: r.rent },
        ...(r.newRent === null ? [] : [{ title: "新月租", fen: r.newRent, key: true }]),
        { title: "押金在管", fen: r.depositHeld },
        { title: "欠费", fen: r.overdue },
      ]}
      facts={[
        "partyName",
        "roomNames",
        { title: "租期", show: (r) => `${r.startDate} ~ ${r.endDate}` },
        { title: "新租期", show: (r) => (r.newStart ? `${r.newStart} ~ ${r.newEnd}` : NONE) },
        { title: "涨幅", show: (r) => (r.newRent === null ? NONE : riseText(r.rent, r.newRent)) },
        "managerName",
        "nextOn",
        { key: "asked", wide: true, show: (r) => r.asked || NONE },
        { key: "followNote", wide: true },
      ]}
      actions={(r) => acts.of(r).map((a, i) => ({ ...a, main: i === 0 && !a.why && !a.danger }))}
      tabs={[
        ...[
          {
            key: "preview",
            title: "试算",
            need: renewals.preview.needs,
            view: (r: Shown) =>
              r.actId && ["handling", "approving", "signing"].includes(r.state) ? (
                <Loaded call={renewals.preview} sent={{ params: { id: r.actId }, body: {} }} lines={8}>
                  {(preview) => <RenewalPreview preview={preview} />}
                </Loaded>
              ) : (
                <RowTable schema={roomsShape} rows={r.rooms} columns={["name", "rent", "listPrice"]} />
              ),
          },
        ],
        {
          key: "offers",
          title: "续租方案",
          count: (r) => r.offers.length,
          view: (r) => (
            <RowTable
              schema={offers}
              rows={r.offers}
              emptyText="还没有发送过续租方案"
              columns={[
                "createdAt",
                { key: "choices", title: "方案", show: choicesText },
                "state",
                "answer",
                "openedAt",
                "answeredAt",
                "expiresAt",
                "createdBy",
              ]}
            />
          ),
        },
      ]}
      {...(may("9.get") && { log: "contract" })}
    />
  );
}
