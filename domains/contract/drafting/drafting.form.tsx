import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { KINDS, type ContractKind } from "../terms/kind.rules.ts";
import { readForm } from "./draft.contract.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { useDraft, type Draft, type Saved } from "./draft.form.tsx";
import {
  agreedTerms,
  blankForm,
  LAST_FIELDS,
  SIGN_STEP,
  stepOf,
  STEPS,
  wrongText,
} from "./drafting.rules.ts";
import { FeesStep } from "./fees-step.form.tsx";
import { LivePanel } from "./live.panel.tsx";
import { OffersStep } from "./offers-step.form.tsx";
import { PartyStep } from "./party-step.form.tsx";
import { RoomStep } from "./room-step.form.tsx";
import { SignStep, PreviewStep } from "./sign-step.form.tsx";
import { TermsStep } from "./terms-step.form.tsx";
import "../contract/contract.css";
import "./drafting.css";
import { yuan } from "../../../platform/kernel/fen.ts";

type Props = { kind: ContractKind; id: number | undefined; onClose: (openId?: number) => void };

/** The contract form: a new one with what the address already knows, or a draft that is taken up again. */
export function Drafting({ kind, id, onClose }: Props) {
  const [address] = useAddress();
  const { data, error, refetch } = useQuery({
    ...ask(readForm, { params: { id: id ?? 0 } }),
    // read once: what is typed goes on from it, and what was handed in is no draft any more
    enabled: (query) => id !== undefined && query.state.data === undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (id !== undefined && error) return <Broken error={error} retry={refetch} />;
  if (id !== undefined && !data) return <PageSkeleton />;
  const number = (key: string) => Number(address.get(key)) || null;
  const roomId = number("roomId");
  const [start, end] = [address.get("start"), address.get("end")];
  const unitPrice = address.get("unitPrice");
  const known: Partial<ContractForm> = {
    kind,
    villageId: number("villageId") ?? 0,
    partyId: number("partyId"),
    ...(roomId && { rooms: [{ roomId, monthlyRent: number("rent") ?? 0, ...(unitPrice && { unitPrice }) }] }),
    ...(start && { start }),
    ...(end && { end }),
    channel: address.get("channel"),
    agentId: number("agentId"),
  };
  const agreed = agreedTerms(address.get("payPlan"), unitPrice);
  const form = data ? (data.form as ContractForm) : blankForm(known);
  const saved = data && { id: id!, contractNo: data.contractNo, version: data.version };
  return <Frame initial={form} saved={saved} agreed={agreed} onClose={onClose} />;
}

type FrameProps = {
  initial: ContractForm;
  saved: Saved | undefined;
  agreed: Partial<ContractForm>;
  onClose: Props["onClose"];
};

function Frame({ initial, saved, agreed, onClose }: FrameProps) {
  const draft = useDraft(initial, saved, agreed);
  const refresh = useRefresh();
  const [step, setStep] = useState(0);
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set(saved ? [0, 1, 2, 3, 4] : [0]));
  const left = useRef<HTMLDivElement>(null);
  const wrongAt = (n: number) => draft.wrong.filter((e) => stepOf(e.field) === n);
  const open = wrongAt(0).length === 0;

  /** The step turns at once and what was typed is saved behind it: whoever is quick does not wait for the server. */
  const go = async (to: number) => {
    if (to > step) draft.lay([]);
    if (to > 0 && !open) return;
    setSeen((all) => new Set(all).add(step).add(to));
    setStep(to);
    left.current?.scrollTo(0, 0);
    // a draft that cannot be saved yet says so in the bar and stays open
    if (draft.form.villageId) await draft.save().catch(() => undefined);
  };
  const close = async () => {
    if (draft.dirty && draft.form.villageId && !(await confirmLeave())) return;
    onClose();
    await refresh();
  };
  const done = async (id: number) => {
    onClose(id);
    await refresh();
  };
  const { title } = KINDS[initial.kind];
  const keys = useRef({ go, step, draft });
  keys.current = { go, step, draft };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const now = keys.current;
      if (event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void now.draft.save().catch(() => undefined);
      }
      const target = event.target as HTMLElement;
      const typing =
        target.tagName === "INPUT" && !target.closest(".ant-select-open,.ant-picker-focused,.dialog,.drawer");
      if (event.key === "Enter" && typing && !event.isComposing && now.step < SIGN_STEP)
        void now.go(now.step + 1);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  // the keyboard goes on at the top of the step: what turned it stands below or is gone
  useEffect(() => left.current?.focus({ preventScroll: true }), [step]);

  const here = step <= LAST_FIELDS ? wrongAt(step).filter((e) => draft.errors[e.field]) : draft.wrong;
  return (
    <section className="cf" aria-label={`新签${title}`}>
      <header className="cf__bar row gap-6">
        <h1>{draft.saved ? `${title} ${draft.saved.contractNo}` : `新签${title}`}</h1>
        <StatusTag tone="grey" dot={false}>
          草稿
        </StatusTag>
        <span className={draft.trouble ? "neg" : "dim"}>
          {draft.trouble ??
            (draft.savedAt === "保存中"
              ? "保存中"
              : draft.savedAt
                ? `已保存草稿 ${draft.savedAt}`
                : "尚未保存")}
        </span>
        <span className="grow" />
        <span className="dim hide-s">Enter 下一步　Ctrl+S 保存</span>
        <IconButton icon="close" label="关闭" run={close} />
      </header>
      <nav className="cf__steps" aria-label="步骤">
        {STEPS.map((name, n) => {
          const wrong = seen.has(n) && n <= LAST_FIELDS ? wrongAt(n) : [];
          const state = n === step ? "now" : seen.has(n) && !wrong.length ? "done" : "";
          return (
            <button
              key={name}
              type="button"
              className={state}
              aria-current={n === step ? "step" : undefined}
              disabled={n > 0 && !open}
              title={n > 0 && !open ? "请先完成房间与租期" : undefined}
              onClick={() => void go(n)}
            >
              <i>{state === "done" ? <Icon name="check" size={12} /> : n + 1}</i>
              {name}
              {wrong.length > 0 && n !== 0 && <span className="err" title={`有 ${wrong.length} 项待修改`} />}
            </button>
          );
        })}
      </nav>
      <div className="cf__left" ref={left} role="group" aria-label={STEPS[step]} tabIndex={-1}>
        <div className="cf__form">
          {step > 0 && <Context draft={draft} />}
          <Step n={step} draft={draft} go={go} done={done} />
        </div>
      </div>
      <LivePanel draft={draft} />
      <footer className="cf__foot row">
        {step > 0 && <Button run={() => void go(step - 1)}>上一步</Button>}
        {step < SIGN_STEP && (
          <Button look="main" why={open ? undefined : wrongText(wrongAt(0))} run={() => void go(step + 1)}>
            下一步：{STEPS[step + 1]}
          </Button>
        )}
        <Button
          look="text"
          icon="save"
          why={draft.form.villageId ? undefined : "请选择门店"}
          run={() => draft.save()}
        >
          保存草稿
        </Button>
        {here.length > 0 && (
          <span className="cf__bad row gap-3 fs-13 bad">
            <Icon name="warn" size={14} />
            {wrongText(here)}
          </span>
        )}
      </footer>
    </section>
  );
}

type StepProps = {
  n: number;
  draft: Draft;
  go: (step: number) => Promise<void>;
  done: (id: number) => Promise<void>;
};

function Step({ n, draft, go, done }: StepProps) {
  if (n === 0) return <RoomStep draft={draft} />;
  if (n === 1) return <PartyStep draft={draft} />;
  if (n === 2) return <TermsStep draft={draft} />;
  if (n === 3) return <FeesStep draft={draft} />;
  if (n === 4) return <OffersStep draft={draft} />;
  if (n === 5) return <PreviewStep draft={draft} go={go} />;
  return <SignStep draft={draft} go={go} done={done} />;
}

/** Two rooms by name, more of them by how many. */
const roomsText = (rooms: readonly { name: string }[]) =>
  rooms.length > 2 ? `${rooms[0]!.name} 等 ${rooms.length} 间` : rooms.map((r) => r.name).join("、");

/** Who, what, when, in one line over the later steps. */
function Context({ draft: { form, cards, data } }: { draft: Draft }) {
  const rooms = form.rooms.map((r) => cards.get(r.roomId)).filter((r) => r !== undefined);
  const [main] = rooms;
  const lowest = rooms.every((r) => r.lowestPrice !== null)
    ? rooms.reduce((s, r) => s + r.lowestPrice!, 0)
    : null;
  return (
    <div className="ctx row gap-7 fs-13 sub">
      <b>{roomsText(rooms)}</b>
      {main && rooms.length === 1 && (
        <span>
          {main.layout} {main.area} ㎡
        </span>
      )}
      {data?.party && (
        <span>
          {data.party.name} {data.party.phone}
        </span>
      )}
      <span>
        {form.start} ~ {form.end}
      </span>
      <span className="grow" />
      {lowest !== null && <span>底价 {yuan(lowest)}</span>}
    </div>
  );
}
