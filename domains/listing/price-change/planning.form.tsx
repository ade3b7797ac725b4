import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { useForm } from "../../../platform/console/form/form.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { getChange } from "./change.contract.ts";
import { planForm, type PlanForm } from "./plan.contract.ts";
import { asForm, type Asked, type Kept, type Origin } from "./planning.rules.ts";
import { PreviewStep } from "./preview-step.form.tsx";
import { RoomsStep } from "./rooms-step.form.tsx";
import { RuleStep } from "./rule-step.form.tsx";
import "../product/product.css";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

const STEPS = ["选房", "规则", "预览"];

/** The three steps of a change: a new one, a draft that is taken up again, a copy, or the way back of another. */
export function Planning({ asked, onClose }: { asked: Asked; onClose: (id?: number) => void }) {
  const today = useOperator()?.today ?? "";
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
