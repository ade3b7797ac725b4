import type { ReactNode } from "react";
import { Button } from "../parts/button.tsx";

type Judged = { errors?: object; alert?: string | undefined };

/** Beside the button that was pressed: how many fields are still wrong, else why nothing was saved. */
export function Wrong({ form }: { form: Judged }) {
  const wrong = Object.keys(form.errors ?? {}).length;
  if (wrong) return <span className="form__note">{wrong} 处需要修改</span>;
  return (
    form.alert && (
      <span className="form__note foot__why" title={form.alert}>
        {form.alert}
      </span>
    )
  );
}

type FootProps = {
  form?: Judged | undefined;
  note?: ReactNode;
  cancel?: (() => unknown) | undefined;
  /** Of the way out. */
  word?: string;
  /** The one act, where there is no more than one: its word, and why it is not possible. */
  ok?: ReactNode;
  run?: () => unknown;
  why?: string | undefined;
  children?: ReactNode;
};

/**
 * The foot of a layer or of a form on a page, in one order everywhere: at the left what is to be said, at the right the
 * way out and then the acts, the main one last.
 */
export const Foot = ({ form, note, cancel, word = "取消", ok, run, why, children }: FootProps) => (
  <>
    <span className="foot__notes row wrap">
      {form && <Wrong form={form} />}
      {note}
    </span>
    {cancel && <Button run={cancel}>{word}</Button>}
    {ok && (
      <Button look="main" why={why} run={run}>
        {ok}
      </Button>
    )}
    {children}
  </>
);
