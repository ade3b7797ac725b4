import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send, type Sending } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { useForm } from "../../../platform/console/form/form.tsx";
import type { Call, Reply } from "../../../platform/kernel/call.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { subjectOptions } from "../subject/subject.contract.ts";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { BILLS, FLOWS } from "../bill/bill.rules.ts";
import "./counter.css";

type Step = { title: string; text: ReactNode; fen?: ReactNode };
type Props = {
  /** What the button will do, in the order in which it happens. */
  steps: readonly Step[];
  notes?: readonly ReactNode[];
  ok: ReactNode;
  form: { busy: boolean; errors: object; alert: string | undefined };
  run: () => Promise<unknown>;
  children: ReactNode;
};

/** A booking by hand: left what is typed, right what it will do. */
export const Booking = ({ steps, notes = [], ok, form, run, children }: Props) => (
  <div className="counter__cols grid gap-6 fill">
    <section className="card counter__owed stack">
      <div className="counter__form scroll">{children}</div>
    </section>
    <aside className="card till stack">
      <section className="till__plan till__plan--first grid gap-2 fs-13 scroll" aria-label="将要登记">
        <header className="row fs-12">
          <b>将要登记</b>
        </header>
        <ol className="steps grid gap-6">
          {steps.map((step) => (
            <li key={step.title} className="grid baseline">
              <b>{step.title}</b>
              <span className="num">{step.fen}</span>
              <p className="sub">{step.text}</p>
            </li>
          ))}
        </ol>
        {notes.filter(Boolean).map((note, i) => (
          <p key={i} className="effects fs-12 dim">
            {note}
          </p>
        ))}
      </section>
      <footer className="till__foot">
        <Wrong form={form} />
        <Button look="main" size="lg" busy={form.busy} run={run}>
          {ok}
        </Button>
      </footer>
    </aside>
  </div>
);

/** What somebody books: its form, and what sends it under one key. */
export function useBooking<C extends Call>(
  call: C,
  initial: Partial<Body<C>>,
  onDone: (made: Reply<C>) => void,
) {
  const form = useForm<Body<C>>(call.body as never, initial);
  const [key] = useState(freshKey);
  const refresh = useRefresh();
  const run = async () => {
    let made: Reply<C> | undefined;
    await form.submit(async (body) => {
      made = await send(call, ...([{ body }, { idempotencyKey: key }] as unknown as Sending<C>));
    });
    if (!made) return;
    onDone(made);
    await refresh();
  };
  const { amount } = form.values as { amount?: number };
  return { form, v: form.values, amount: Number.isSafeInteger(amount) ? amount! : 0, run };
}

/** The subject that was chosen, with its tax. */
export function useSubject(kinds: "income" | "cost", id: number | undefined) {
  const { data } = useQuery(ask(subjectOptions, { query: { kinds } }));
  return data?.find((s) => s.id === id);
}

/** What the button says, and the sum that it books. */
export const okText = (text: string, fen: Fen) => (
  <>
    {text}
    <span className="till__sum">{yuan(fen)}</span>
  </>
);

type DoneProps = {
  title: string;
  children?: ReactNode;
  flowId?: number | null | undefined;
  billId?: number | undefined;
  again: () => void;
};
/** After a booking: what was done, and where to go on. */
export function Done({ title, children, flowId, billId, again }: DoneProps) {
  const go = useGo();
  return (
    <section className="card counter__done" role="status">
      <h2>{title}</h2>
      <p className="sub">{children}</p>
      <div className="acts">
        <Button look="main" run={again}>
          继续记账
        </Button>
        {flowId && <Button run={() => go(FLOWS, { id: flowId })}>查看流水</Button>}
        {billId && <Button run={() => go(BILLS, { tab: "all", id: billId })}>查看账单</Button>}
      </div>
    </section>
  );
}
