import type { ReactNode } from "react";
import type { Column } from "../list/columns.tsx";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { StatusTag } from "../parts/tag.tsx";

type Props = {
  title: string;
  width: number;
  busy?: boolean;
  /** Why it cannot be left while it runs. */
  waits?: string;
  /** The act is over: what is left is to read its result. */
  done: boolean;
  ok?: ReactNode;
  run?: () => unknown;
  onClose: () => void;
  /** What will happen, or what has happened. */
  said?: ReactNode;
  children?: ReactNode;
};

/** An act on many records: what it will do, and afterwards what became of each. */
export const ManyDialog = ({
  title,
  width,
  busy = false,
  waits,
  done,
  ok,
  run,
  onClose,
  said,
  children,
}: Props) => (
  <Dialog
    title={title}
    width={width}
    locked={busy && waits !== undefined}
    onClose={onClose}
    footer={
      done ? (
        <Button look="main" run={onClose}>
          知道了
        </Button>
      ) : (
        <>
          <Button run={onClose} why={busy ? waits : undefined}>
            取消
          </Button>
          <Button look="main" busy={busy} run={run}>
            {ok}
          </Button>
        </>
      )
    }
  >
    {said && (
      <p className="asked" role="status">
        {said}
      </p>
    )}
    {children}
  </Dialog>
);

/** What became of each record: the word of what was done, or why it was not. */
export const resultColumn = <R extends { refusal?: string | null | undefined }>(done: string): Column<R> => ({
  own: "result",
  title: "结果",
  show: ({ refusal }) =>
    refusal ? <span className="bad">{refusal}</span> : <StatusTag tone="green">{done}</StatusTag>,
});
