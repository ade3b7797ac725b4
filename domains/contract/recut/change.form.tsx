import type { z } from "zod";
import type { Call } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import type { ActCalls } from "../act/act.contract.ts";
import type { ContractDetail } from "../contract/detail.contract.ts";
import { LiveChange } from "./changes.panel.tsx";

export type ChangeFormProps = {
  contract: ContractDetail;
  /** An act that is worked on again. */
  of?: { id: number; actNo: string; version: number; draft: object } | undefined;
  onDone?: ((id: number) => void) | undefined;
  onClose: () => void;
};

type Props<V> = ChangeFormProps & {
  calls: { ask: Call; edit: Call; trial: Call; preview: Call };
  title: string;
  done: string;
  /** What a new one starts with, beside its contract. */
  initial: object;
  draft: z.ZodType;
  fields: (form: FormState<V>) => readonly Field<V>[];
};

/** An act that changes the bills of a contract, new or worked on again: its fields, and below them what it comes to. */
export function ChangeForm<V>({
  calls,
  title,
  done,
  initial,
  draft,
  fields,
  contract,
  of,
  onDone,
  onClose,
}: Props<V>) {
  const { ask, edit, ...trials } = calls as unknown as ActCalls;
  const all = (_: unknown, form: object) =>
    [
      ...fields(form as FormState<V>),
      { section: "账单试算" },
      {
        show: (typed: object) => (
          <LiveChange calls={trials} draft={draft} contractId={contract.id} id={of?.id} typed={typed} />
        ),
      },
    ] as never;
  const shared = { cols: 2, width: 1080, fields: all, onClose };
  if (of)
    return (
      <FormDrawer
        {...shared}
        call={edit}
        title={`${title} ${of.actNo}`}
        ok="保存"
        done="已保存"
        params={{ id: of.id }}
        initial={{ ...of.draft, version: of.version } as never}
      />
    );
  return (
    <FormDrawer
      {...shared}
      call={ask}
      title={`${title} ${contract.contractNo}`}
      ok="提交申请"
      done={done}
      initial={{ contractId: contract.id, ...initial } as never}
      onDone={(reply) => onDone?.((reply as { id: number }).id)}
    />
  );
}
