import { useSyncExternalStore, type CSSProperties, type ReactNode } from "react";
import { Button, IconButton } from "./button.tsx";
import { dangerous } from "./danger.ts";
import { Layer } from "./layer.tsx";
import { Foot } from "../form/form-foot.tsx";

type Props = {
  title: string;
  width?: number;
  footer?: ReactNode;
  /** It can only be answered: no closing mark. */
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
};

export const Dialog = ({ title, width = 460, footer, locked, onClose, children }: Props) => (
  <Layer className="dialog" label={title} modal onClose={onClose}>
    <div className="dialog__in stack" style={{ "--w": `${width}px` } as CSSProperties}>
      <div className="dialog__bar row gap-0 between">
        <h2>{title}</h2>
        {!locked && <IconButton icon="close" label="关闭" run={onClose} />}
      </div>
      <div className="dialog__body">{children}</div>
      {footer && <div className="dialog__foot row wrap">{footer}</div>}
    </div>
  </Layer>
);

type Question = {
  title: string;
  body?: ReactNode;
  ok?: string;
  width?: number;
  /** Runs on the confirm button, which stays busy; on a failure, or when it answers false, the dialog stays. */
  run?: () => unknown;
};

type Asked = { id: number; question: Question; answer: (yes: boolean) => void };

let asked: readonly Asked[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const put = (next: readonly Asked[]) => {
  asked = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Asks yes or no. Resolves to the answer; with `run`, after the work is done. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const id = ++lastId;
    const answer = (yes: boolean) => {
      put(asked.filter((a) => a.id !== id));
      resolve(yes);
    };
    put([...asked, { id, question, answer }]);
  });

/** The one question before unsaved work is left behind. */
export const confirmLeave = () =>
  confirm({ title: "提示", body: "有未保存的修改，确定离开吗？", ok: "离开", width: 360 });

/** Stands once in the shell and shows what `confirm` asks. */
export function Questions() {
  const all = useSyncExternalStore(subscribe, () => asked);
  return all.map(({ id, question: q, answer }) => (
    <Dialog
      key={id}
      title={q.title}
      width={q.width ?? 420}
      onClose={() => answer(false)}
      footer={
        <Foot cancel={() => answer(false)}>
          <Button
            // without a verb of its own it does what the title says
            look={dangerous(q.ok ?? q.title) ? "danger" : "main"}
            run={async () => {
              if ((await q.run?.()) !== false) answer(true);
            }}
          >
            {q.ok ?? "确定"}
          </Button>
        </Foot>
      }
    >
      {q.body}
    </Dialog>
  ));
}
