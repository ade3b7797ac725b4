import { useState, useEffect, useEffectEvent } from "react";
import { freshKey } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { Failure, sentence, showFailure } from "../../../platform/console/calls/failure.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { download, send, ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton, Working } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { type Previewed, BillTable, YearTable } from "../preview/bill-table.panel.tsx";
import { contractArrangement } from "../arrangement/arrangement.contract.ts";
import { startSigning } from "../esign/esign.contract.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import { submitContract } from "../signing/signing.contract.ts";
import {
  type Arrangement,
  ArrangementFields,
  arrangementErrors,
  usualArrangement,
} from "../arrangement/arrangement.form.tsx";
import type { Draft, Saved } from "./draft.form.tsx";
import { stepOf } from "./drafting.rules.ts";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { previewBook, previewContract } from "../preview/preview.contract.ts";
import { TermLine } from "../preview/term-line.panel.tsx";
import { rentsOf } from "../contract/contract.rules.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { contractTemplates } from "../paper/paper.contract.ts";
import { ChoiceInput, ReasonInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { greys } from "../../../platform/kernel/words.ts";

type PreviewStepProps = { draft: Draft; go: (step: number) => Promise<void> };

/** The server's own preview of the saved draft. Wrong fields open their step; what else stands in the way is listed. */
export function usePreview({ draft, go }: PreviewStepProps) {
  const [saved, setSaved] = useState<Saved>();
  const [trouble, setTrouble] = useState<unknown>();
  const save = useEffectEvent(() => void draft.save().then(setSaved, setTrouble));
  useEffect(() => save(), []);
  const query = useQuery<Previewed>({
    ...ask(previewContract, { body: { id: saved?.id ?? 0 } }),
    queryKey: [previewContract.path, saved?.id, saved?.version],
    enabled: saved !== undefined,
    retry: false,
    staleTime: 0,
  });
  const failed = query.error ?? trouble;
  const lead = useEffectEvent((failure: unknown) => {
    if (!(failure instanceof Failure) || !failure.fields.length) return;
    draft.lay(failure.fields);
    void go(stepOf(failure.fields[0]!.field));
  });
  useEffect(() => lead(failed), [failed]);
  return { saved, preview: query.data, failed, refetch: query.refetch };
}

/** Step 6: every bill that signing makes, as the server computes it. */
export function PreviewStep({ draft, go }: PreviewStepProps) {
  const { preview, saved, failed, refetch } = usePreview({ draft, go });
  if (failed)
    return failed instanceof Failure && failed.status === 400 ? (
      <p className="form__alert">{sentence(failed)}</p>
    ) : (
      <Broken error={failed} retry={refetch} />
    );
  if (!preview || !saved)
    return <Working rows={10} what={`正在计算 ${draft.form.rooms.length} 间房的账单`} />;
  return (
    <div className="pstep">
      <Notices preview={preview} />
      <h3>租期</h3>
      <PlannedTerm draft={draft} preview={preview} />
      <div className="row">
        <h3>账单</h3>
        <span className="grow" />
        <Button size="sm" icon="download" run={() => download(previewBook, { params: { id: saved.id } })}>
          导出账单明细
        </Button>
      </div>
      <BillTable preview={preview} />
      <h3>按年与科目</h3>
      <YearTable preview={preview} />
    </div>
  );
}

/** The term with its periods, price steps and free days as they will be billed. */
function PlannedTerm({ draft: { form, cards }, preview }: { draft: Draft; preview: Previewed }) {
  const { start, end, rooms } = form;
  if (!start || !end) return null;
  const held = rooms.map((r) => ({
    ...r,
    unitPrice: r.unitPrice ?? null,
    area: cards.get(r.roomId)?.area ?? null,
  }));
  // a company may have a bill for each room
  const periods = [
    ...Map.groupBy(
      preview.added.filter((b) => b.kind === "rent"),
      (b) => b.periodNo,
    ),
  ];
  return (
    <TermLine
      start={start}
      end={end}
      free={form.rentFree}
      rents={rentsOf({ startDate: start, endDate: end, anchorDate: null, terms: form, rooms: held })}
      stretches={periods.map(([no, bills], i) => {
        const { periodStart: from, periodEnd: to, dueOn } = bills[0]!;
        const amount = bills.reduce((sum, b) => sum + b.amount, 0);
        return {
          ...{ key: no, from, to, label: `第 ${no} 期` },
          title: `第 ${no} 期 ${from} ~ ${to}，${yuan(amount)}，应收 ${dueOn ?? "签约当日"}`,
          tone: i % 2 ? "cyan" : "blue",
        };
      })}
      legend={<span className="dim">计费期 {periods.length} 个</span>}
    />
  );
}

/** What will refuse the contract as things stand, then what is only worth a look. */
export const Notices = ({ preview }: { preview: Previewed }) => (
  <>
    {preview.obstacles.map((o) => (
      <p key={o.msg} className="party__bar tinted row wrap fs-13 s-red" role="alert">
        <Icon name="warn" size={14} />
        {o.msg}
      </p>
    ))}
    {preview.warnings.map((text) => (
      <p key={text} className="party__bar tinted row wrap fs-13 s-orange">
        <Icon name="warn" size={14} />
        {text}
      </p>
    ))}
  </>
);

type Props = { draft: Draft; go: (step: number) => Promise<void>; done: (id: number) => Promise<void> };

type Way = "offline" | "electronic";
const WAYS: readonly (readonly [Way, string])[] = [
  ["offline", "线下签署"],
  ["electronic", "电子签署"],
];

/** Step 7: print the paper and hand the contract in; its rooms are held until both have signed. */
export function SignStep({ draft, go, done }: Props) {
  const { saved, preview: first, failed, refetch } = usePreview({ draft, go });
  const [key] = useState(freshKey);
  const [fresh, setFresh] = useState<Previewed>();
  const [reason, setReason] = useState<string>();
  const [credit, setCredit] = useState<string>();
  const [note, setNote] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [picked, setPicked] = useState<number>();
  const offers = useQuery({
    ...ask(contractTemplates, { params: { id: saved?.id ?? 0 } }),
    enabled: saved !== undefined && first !== undefined,
    staleTime: 0,
  });
  const signing = useQuery({
    ...ask(contractArrangement, { params: { id: saved?.id ?? 0 } }),
    enabled: saved !== undefined && first !== undefined,
    staleTime: 0,
  });
  const [arranged, setArranged] = useState<Partial<Arrangement>>({});
  const [refused, setRefused] = useState<Partial<Record<string, string>>>({});
  const [chosen, setWay] = useState<Way>();
  // where paper is not allowed, who may not send links only hands the contract in
  const offline = draft.data?.config.offlineAllowed !== false;
  const maySign = may(permitOf(draft.form.kind, "sign"));
  const way: Way = offline || !maySign ? (chosen ?? "offline") : "electronic";
  if (failed) return <Broken error={failed} retry={refetch} />;
  if (signing.error) return <Broken error={signing.error} retry={signing.refetch} />;
  const preview = fresh ?? first;
  if (!preview || !saved || !signing.data) return <RowsSkeleton rows={6} />;
  const stands = (code: string) => preview.obstacles.some((o) => o.code === code);
  const waits = preview.waitsAt.join(" → ");
  const listed = stands("blackListed");
  const beyond = stands("overCredit") && draft.data?.config.creditRule === "reason" && may("#11302");
  // the newest one, until somebody chooses; built-in words where there is none
  const template = offers.data?.find((one) => one.versionId === picked) ?? offers.data?.[0];
  const arrangement = { ...usualArrangement(signing.data), ...arranged };
  // what waits for approval may be signed either way afterwards
  const links = way === "electronic" || Boolean(waits);
  const misses = arrangementErrors(arrangement, links);
  const handIn = async () => {
    if (Object.keys(misses).length) return;
    if (!preview.unverified || stands("unverified")) return submit();
    await confirm({
      title: `${preview.unverified}，仍要签约？`,
      body: "请先核对证件原件；证件可以在租客档案中登记和核验。",
      ok: waits ? "已核对，提交审批" : "已核对，提交签约",
      run: submit,
    });
  };
  // the contract is handed in by then: what stands in the way of a link is said, and can be mended on the contract
  const begin = async (id: number) => {
    try {
      const { links, state } = await send(startSigning, { params: { id } });
      const later = state === "created" ? "盖章后自动发送签署链接" : "已提交e签宝，受理后自动发送签署链接";
      toast(links[0] ? `签署链接已发送至 ${links[0].phone}` : later);
    } catch (error) {
      showFailure(error);
    }
  };
  const submit = async () => {
    setWrong(undefined);
    setRefused({});
    const { sealId, linkHours, signOrder } = arrangement;
    try {
      const body = {
        previewHash: preview.previewHash,
        ...(listed && reason && { blackListReason: reason }),
        ...(beyond && credit && { creditReason: credit }),
        ...(template && { templateVersionId: template.versionId }),
        ...(sealId && { sealId }),
        ...(links && { linkHours, signOrder }),
        ...(waits && maySign && way === "electronic" && { sendsLinks: true }),
        ...(waits && note && { note }),
      };
      const { examineNo } = await send(
        submitContract,
        { params: { id: saved.id }, body },
        { idempotencyKey: key },
      );
      toast(
        examineNo
          ? `${saved.contractNo} 已提交审批 ${examineNo}，通过后${way === "electronic" ? "自动发送签署链接" : "再签署"}`
          : `${saved.contractNo} 已提交，房间占用 ${draft.data?.config.holdDays ?? 7} 天`,
      );
      if (way === "electronic" && !examineNo) await begin(saved.id);
      await done(saved.id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === "previewChanged") setFresh(error.data as Previewed);
      if (error.code === "notOffered") await offers.refetch();
      const field = error.fields[0];
      if (field && field.field.split(".")[0]! in arrangement) {
        setRefused({ [field.field.split(".")[0]!]: field.msg });
        await signing.refetch();
        return;
      }
      if (field && !["blackListReason", "creditReason", "note"].includes(field.field)) {
        draft.lay(error.fields);
        await go(stepOf(field.field));
      }
      setWrong(field?.msg ?? sentence(error));
    }
  };
  return (
    <div className="pstep">
      <Notices preview={preview} />
      <FormAlert text={wrong} />
      <h3>签署方式</h3>
      {maySign && offline && <Segments label="签署方式" items={WAYS} on={way} onChange={setWay} />}
      <p className="sub">
        {waits && `需要审批：${waits}，通过后${way === "electronic" ? "自动发送签署链接" : "再签署"}。`}
        {way === "electronic"
          ? "电子签署：客户在手机上打开短信中的一次性链接，阅读合同并用验证码签署，出租方盖章后合同生效。"
          : "线下签署：打印待签稿，双方签字后在合同上“确认签署”并上传扫描件。"}
        {waits
          ? `提交后占用房间，签署期限从审批通过起 ${draft.data?.config.holdDays ?? 7} 天，到期未签自动退回草稿。`
          : `提交后房间占用 ${draft.data?.config.holdDays ?? 7} 天，到期未签自动退回草稿。`}
      </p>
      <div className="stack gap-11">
        <MoneyStrip
          items={[
            { title: "签约应收", fen: preview.totals.atSigning },
            { title: "押金", fen: preview.totals.deposit },
            { title: "合同总额", fen: preview.totals.contractTotal },
            { title: "折后月租", fen: preview.totals.netMonthlyRent },
          ]}
        />
        {template && <TemplateChoice all={offers.data!} one={template} pick={setPicked} />}
        <ArrangementFields
          offered={signing.data}
          chosen={arrangement}
          choose={(change) => {
            setRefused({});
            setArranged((before) => ({ ...before, ...change }));
          }}
          wrong={{ ...refused, ...misses }}
          links={links}
        />
        {listed && (
          <div className="fi">
            <label className="fi__label fi__label--must">黑名单签约说明</label>
            <ReasonInput value={reason} onChange={setReason} />
          </div>
        )}
        {beyond && (
          <div className="fi">
            <label className="fi__label fi__label--must">超授信签约说明</label>
            <ReasonInput value={credit} onChange={setCredit} />
          </div>
        )}
        {waits && (
          <div className="fi">
            <label className="fi__label" htmlFor="submit-note">
              提交说明
            </label>
            <TextInput id="submit-note" value={note} onChange={setNote} max={200} rows={3} />
          </div>
        )}
      </div>
      <div className="acts">
        <Button look="main" run={handIn}>
          {waits ? "提交审批" : way === "electronic" ? "提交并发起签署" : "提交签约"}
        </Button>
        <Button
          icon="file"
          run={() =>
            openFile(
              `/contract/api/v3/contract/${saved.id}/paper/draft?${new URLSearchParams({
                ...(template && { templateVersionId: String(template.versionId) }),
                ...(arrangement.sealId && { sealId: String(arrangement.sealId) }),
              })}`,
            )
          }
        >
          打印待签稿
        </Button>
      </div>
      {fresh && (
        <>
          <h3>变化后的账单</h3>
          <BillTable preview={fresh} before={first} />
        </>
      )}
    </div>
  );
}

type Offered = Reply<typeof contractTemplates>[number];
type TemplateChoiceProps = { all: readonly Offered[]; one: Offered; pick: (id: number) => void };

/** In whose words the contract is written, and what of them is left to be filled in by hand. */
const TemplateChoice = ({ all, one, pick }: TemplateChoiceProps) => (
  <div className="fi">
    <label className="fi__label fi__label--must" htmlFor="contract-template">
      合同模板
    </label>
    <div className="stack gap-2">
      <ChoiceInput
        id="contract-template"
        words={greys(Object.fromEntries(all.map((t) => [String(t.versionId), `${t.name}　第 ${t.no} 版`])))}
        value={String(one.versionId)}
        onChange={(id) => id !== undefined && pick(Number(id))}
      />
      {one.missing.length > 0 && (
        <p className="fs-12 sub">以下内容没有登记，需签署时填写：{one.missing.join("、")}</p>
      )}
    </div>
  </div>
);
