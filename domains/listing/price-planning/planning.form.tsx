import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import {
  ChoiceInput,
  type InputProps,
  MoneyInput,
  NumberInput,
  ReasonInput,
} from "../../../platform/console/inputs/inputs.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { getChange, type PlanForm, planForm } from "../price-change/change.contract.ts";
import { type Asked, type Kept, type Origin, asForm } from "./planning.rules.ts";
import { PreviewStep } from "./preview-step.form.tsx";
import { RoomsStep } from "./rooms-step.form.tsx";
import { APPLY_TO, TYPED_MODES } from "../price-change/words.rules.ts";
import "../price-change/price.css";

const HELP = {
  percent: "负数为下调；-90 到 500，最多两位小数",
  amount: "负数为下调",
  set: "所选房间统一为这个价格",
  undo: "",
} as const;
const LIST_ONLY = { list: APPLY_TO.list } as const;

/** How prices change, from when on, and why. */
export function RuleStep({ form, undone }: { form: FormState<PlanForm>; undone: object | undefined }) {
  return (
    <FormFields
      form={form}
      fields={[
        ...(undone
          ? []
          : ([
              {
                key: "mode",
                input: (p: InputProps<string>) => (
                  <ChoiceInput
                    {...p}
                    words={TYPED_MODES}
                    onChange={(mode) => {
                      p.onChange(mode);
                      form.set("value", undefined);
                    }}
                  />
                ),
              },
              {
                key: "value",
                must: true,
                help: (v: Partial<PlanForm>) => HELP[v.mode ?? "percent"],
                input: (p: InputProps<number>, v: Partial<PlanForm>) =>
                  v.mode === "percent" ? (
                    <NumberInput key="percent" {...p} unit="%" />
                  ) : (
                    <MoneyInput key={v.mode} {...p} />
                  ),
              },
              {
                key: "applyTo",
                input: (p: InputProps<string>) => (
                  <ChoiceInput {...p} words={may("#601") ? APPLY_TO : LIST_ONLY} />
                ),
              },
              "round",
            ] as never[])),
        { key: "effectiveDay", help: "不早于今天；从这一天起用于新签合同，已签合同和已预订的价格不变" },
        { key: "reason", input: (p) => <ReasonInput {...p} placeholder="请填写调价原因（2-200字）" /> },
      ]}
    />
  );
}

const STEPS = ["选房", "规则", "预览"];

/** The three steps of a change: a new one, a draft that is taken up again, a copy, or the way back of another. */
export function Planning({ asked, onClose }: { asked: Asked; onClose: (id?: number) => void }) {
  const today = useToday();
  const source = asked.id ?? asked.copy ?? asked.undo;
  const { data, error, refetch } = useQuery({
    ...ask(getChange, { params: { id: source ?? 0 } }),
    enabled: source !== undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  if (source !== undefined && error) return <Broken error={error} retry={refetch} />;
  if (source !== undefined && !data) return <PageSkeleton />;
  const origin: Origin | undefined = data && { ...data, plan: data.plan as Origin["plan"] };
  return (
    <Frame
      initial={asForm(asked, origin, today)}
      undone={asked.undo && data ? { number: data.number, rooms: data.rooms } : undefined}
      kept={asked.id && data ? { id: data.id, number: data.number, version: data.version } : undefined}
      onClose={onClose}
    />
  );
}

function Frame({
  initial,
  undone,
  kept: before,
  onClose,
}: {
  initial: Partial<PlanForm>;
  undone: { number: string; rooms: number } | undefined;
  kept: Kept | undefined;
  onClose: (id?: number) => void;
}) {
  const refresh = useRefresh();
  const form = useForm<PlanForm>(planForm, initial);
  const [step, setStep] = useState(0);
  const [kept, setKept] = useState(before);
  const [found, setFound] = useState<number>();
  const noRooms =
    step === 0 &&
    (!form.values.villageIds?.length ? "请选择门店" : found === 0 ? "没有符合条件的房间" : undefined);
  const next = async () => {
    if (step === 0) setStep(1);
    // what is wrong shows at its field; what is right is previewed
    else await form.submit(async () => setStep(2));
  };
  const close = async () => {
    if (form.dirty && !(await confirmLeave())) return;
    onClose();
  };
  const done = async (id: number) => {
    onClose(id);
    await refresh();
  };
  return (
    <section className="card pc stack full" aria-label="批量调价">
      <header className="pc__bar row gap-6">
        <h2>{undone ? `回滚 ${undone.number}` : kept ? `批量调价 ${kept.number}` : "新增批量调价"}</h2>
        <span className="grow" />
        <IconButton icon="close" label="关闭" run={() => void close()} />
      </header>
      <ol className="pc__steps" aria-label="步骤">
        {STEPS.map((title, n) => (
          <li key={title} aria-current={n === step ? "step" : undefined}>
            <button type="button" disabled={n >= step} onClick={() => setStep(n)}>
              <i>{n + 1}</i>
              {title}
            </button>
          </li>
        ))}
      </ol>
      {step < 2 ? (
        <>
          <form
            className="pc__body scroll"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!noRooms) void next();
            }}
          >
            {step === 0 ? (
              <RoomsStep form={form} undone={undone} onFound={setFound} />
            ) : (
              <RuleStep form={form} undone={undone} />
            )}
            <button type="submit" hidden aria-hidden />
          </form>
          <footer className="pc__foot row wrap">
            <Foot form={form} cancel={step > 0 ? () => setStep(step - 1) : undefined} word="上一步">
              <Button look="main" busy={form.busy} why={noRooms || undefined} run={() => void next()}>
                {step === 0 ? "下一步" : "预览"}
              </Button>
            </Foot>
          </footer>
        </>
      ) : (
        <PreviewStep form={form} kept={kept} onKept={setKept} onBack={() => setStep(1)} onDone={done} />
      )}
    </section>
  );
}
