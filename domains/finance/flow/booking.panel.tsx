import type { ReactNode } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import "./counter.css";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";

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
    <aside className="card till">
      <section className="till__plan grid gap-2 fs-13 till__plan--first" aria-label="将要登记">
        <header className="row">
          <b>将要登记</b>
        </header>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step.title}>
              <b>{step.title}</b>
              <span className="num">{step.fen}</span>
              <p className="sub">{step.text}</p>
            </li>
          ))}
        </ol>
        {notes.filter(Boolean).map((note, i) => (
          <p key={i} className="till__effect fs-12 dim">
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
