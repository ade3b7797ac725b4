import type { ReactNode } from "react";
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

/** After a booking: what was done, and where to go on. */
export function Done({
  title,
  children,
  flowId,
  billId,
  again,
}: {
  title: string;
  children?: ReactNode;
  flowId?: number | null | undefined;
  billId?: number | undefined;
  again: () => void;
}) {
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
